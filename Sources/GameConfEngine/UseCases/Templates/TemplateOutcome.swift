// The outcome of a change of a game's template.
public import GameConfCore
public import GameConfStorage

/// The outcome of a change of a game's template.
public struct TemplateOutcome: Sendable {
  /// The version that the change stored or activated; without its document if only its number is needed.
  public var version: StoredTemplate
  /// The numbers of the active and of the scheduled version.
  public var activation: TemplateActivation
  /// The game's revision after the change.
  public var revision: Int64
  /// The keys whose values may differ now; empty if no version became active.
  public var changedKeys: [String]
  /// Keys of the document that the catalog does not have.
  public var unknownKeys: [String]
  /// Remarks on parts of the document that are stored and give no value.
  public var remarks: [Fault]
  /// The number of overrides that the activation quarantined.
  public var quarantined: Int
  /// The game's snapshot before the activation; nil if no version became active.
  public var before: GameSnapshot?
  /// The game's snapshot after the activation; nil if no version became active.
  public var after: GameSnapshot?
  /// True if the document equals the newest version, or the last fetched one, so that nothing was stored.
  public var isUnchanged = false

  /// The keys, in order, for which the former template had a value and the new one has no value.
  public var removedKeys: [String] {
    guard let before, let after else { return [] }
    let left = after.template?.template.layers ?? [:]
    return (before.template?.template.layers.keys.filter { left[$0] == nil } ?? []).sorted()
  }
}
