// The scope of a watcher: the caller, the keys, and whether with values.

public import GameConfCore

/// The scope that a watcher requested.
public struct WatchScope: Sendable, Hashable {
  /// The longest context a watcher may have, as JSON: 2 KiB.
  public static let contextBytesMax = 2 << 10

  /// The caller.
  public var context: EvaluationContext
  /// The part that every caller with the same wishes shares.
  public var selection: WatchSelection

  /// A scope.
  public init(_ context: EvaluationContext, _ selection: WatchSelection = WatchSelection()) {
    self.context = context
    self.selection = selection
  }
}

/// The keys that a watcher is shown, and the form.
public struct WatchSelection: Sendable, Hashable {
  /// The keys; nil for all.
  public var keys: Set<String>?
  /// True if secret parameters are shown.
  public var showsSecrets: Bool
  /// True if values are shown, and not only which keys changed.
  public var showsValues: Bool
  /// True if all that is said of an answer counts, and the clocks, as in an image; else only another value and another layer do.
  public var isWhole: Bool

  /// A selection; every key that is not secret, with values, unless said.
  public init(keys: Set<String>? = nil, showsSecrets: Bool = false, showsValues: Bool = true, isWhole: Bool = false) {
    self.keys = keys
    self.showsSecrets = showsSecrets
    self.showsValues = showsValues
    self.isWhole = isWhole
  }

  /// True if that key is shown.
  public func shows(_ parameter: Parameter) -> Bool { (showsSecrets || !parameter.isSecret) && (keys?.contains(parameter.key) ?? true) }

  /// True if that answer is shown; what a play pinned may be secret where the key is not any more.
  func shows(_ answer: EvaluatedValue) -> Bool {
    (showsSecrets || !answer.isSecret) && (keys?.contains(answer.key) ?? true)
  }

  /// True if a removed key may have been shown.
  func shows(removed key: String, of before: GameSnapshot?) -> Bool {
    if let parameter = before?.table.entry(key)?.parameter { return shows(parameter) }
    return keys?.contains(key) ?? true
  }
}
