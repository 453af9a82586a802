// The outcome of a change of a game's template.
public import GameConfCore
public import GameConfStorage

/// Includes the keys whose answers may differ, and remarks on the document.
public struct TemplateOutcome: Sendable {
  /// The version of the change; without its document if only its number is needed.
  public var version: StoredTemplate
  /// The active and the scheduled version.
  public var activation: TemplateActivation
  /// The game's revision after the change.
  public var revision: Int64
  /// The keys whose answers may differ now; empty if no version became active.
  public var changedKeys: [String]
  /// Keys of the document that the catalog does not have.
  public var unknownKeys: [String]
  /// The remarks on stored parts of the document that provide no value.
  public var remarks: [Fault]
  /// The number of overrides that were quarantined.
  public var quarantined: Int
  /// The game before the activation; nil if no version became active.
  public var before: GameSnapshot?
  /// The game after the activation; nil if no version became active.
  public var after: GameSnapshot?
  /// True if the document equals the newest version, so that nothing was stored.
  public var isUnchanged = false

  /// The keys that have lost their remote layer, in order.
  public var removedKeys: [String] {
    guard let before, let after else { return [] }
    let left = after.template?.template.layers ?? [:]
    return (before.template?.template.layers.keys.filter { left[$0] == nil } ?? []).sorted()
  }
}
