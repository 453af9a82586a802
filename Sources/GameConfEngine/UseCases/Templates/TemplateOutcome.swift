// The outcome of a change of a game's template.
public import GameConfCore
public import GameConfStorage

/// A change of a template.
public struct TemplateOutcome: Sendable {
  /// The version it is about; without its document where only its number counts.
  public var version: StoredTemplate
  /// The version in force, and the one that is to be.
  public var activation: TemplateActivation
  /// The game's revision.
  public var revision: Int64
  /// The keys whose answers may be others now; empty when nothing came into force.
  public var changedKeys: [String]
  /// Keys that the catalog does not have.
  public var unknownKeys: [String]
  /// The remarks on parts that are kept and give no value.
  public var remarks: [Fault]
  /// Overrides that went to quarantine.
  public var quarantined: Int
  /// The game before and with it; nil when nothing came into force.
  public var before: GameSnapshot?
  /// The game with it.
  public var after: GameSnapshot?
  /// True if it was the same document as the newest version, so that nothing was stored.
  public var isUnchanged = false

  /// The keys that had a remote layer before and have none with it, in order.
  public var removedKeys: [String] {
    guard let before, let after else { return [] }
    let left = after.template?.template.layers ?? [:]
    return (before.template?.template.layers.keys.filter { left[$0] == nil } ?? []).sorted()
  }
}
