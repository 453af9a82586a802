// The scope of a watcher: the caller, the keys, and the form of updates.

public import GameConfCore

/// The caller for whom a watcher receives values, with the selection of keys.
public struct WatchScope: Sendable, Hashable {
  /// The maximum length of the attributes in a watcher's context, as JSON: 2 KiB.
  public static let contextBytesMax = 2 << 10

  /// The player and the attributes for which the answers are evaluated.
  public var context: EvaluationContext
  /// The keys and the form of updates, which many callers share.
  public var selection: WatchSelection

  /// Creates a scope, by default of every key that is not secret.
  public init(_ context: EvaluationContext, _ selection: WatchSelection = WatchSelection()) {
    self.context = context
    self.selection = selection
  }
}

/// The keys that a watcher receives, and the form of updates.
public struct WatchSelection: Sendable, Hashable {
  /// The keys whose values the watcher is sent; nil for all keys.
  public var keys: Set<String>?
  /// True to include secret parameters; false by default.
  public var showsSecrets: Bool
  /// True if values are sent, and not only the names of changed keys.
  public var showsValues: Bool
  /// True if the watcher also receives changes of metadata and clocks, as for an image. If false, it receives only changes of a key's value
  /// and layer.
  public var isWhole: Bool

  /// Creates a selection, by default every key that is not secret, with values.
  public init(keys: Set<String>? = nil, showsSecrets: Bool = false, showsValues: Bool = true, isWhole: Bool = false) {
    self.keys = keys
    self.showsSecrets = showsSecrets
    self.showsValues = showsValues
    self.isWhole = isWhole
  }

  /// True if the parameter's key is selected. A secret parameter also requires ``showsSecrets``.
  public func shows(_ parameter: Parameter) -> Bool { (showsSecrets || !parameter.isSecret) && (keys?.contains(parameter.key) ?? true) }

  /// True if the watcher is sent this value of a key. A value that was secret when a play pinned it stays secret.
  func shows(_ answer: EvaluatedValue) -> Bool {
    (showsSecrets || !answer.isSecret) && (keys?.contains(answer.key) ?? true)
  }

  /// True if a key that the catalog no longer has may have been among the selected ones.
  func shows(removed key: String, of before: GameSnapshot?) -> Bool {
    if let parameter = before?.table.entry(key)?.parameter { return shows(parameter) }
    return keys?.contains(key) ?? true
  }
}
