// The outcome of a change of overrides or of its dry run.
public import GameConfCore
public import GameConfStorage

/// The outcome of a change of overrides; for a dry run, the expected outcome.
public struct OverrideOutcome: Sendable, Hashable {
  /// The game's revision at which the change is in force; the present one if nothing changed.
  public var revision: Int64
  /// The player's revision after the change; nil unless the change was about one player.
  public var playerRevision: Int64?
  /// The new overrides of each changed key of the game or of a player.
  public var slots: [KeyOverrides]
  /// The overrides, permanent ones and windows, that the change removed.
  public var removed: [OverrideRecord]
  /// The permanent overrides that new ones replaced, or the former override of the changed window.
  public var replaced: [OverrideRecord] = []
  /// The id of the added or changed time window; nil without one.
  public var window: String?
  /// The values in force at the keys that were set, in the order of ``slots``; empty after other changes and after large imports.
  public var inForce: [ValueInForce] = []
  /// True if the new override replaced another: a permanent one, or the one of the same window.
  public var isReplacement = false
  /// The audit lines of the change; empty if nothing changed. A dry run's lines are not stored.
  public var lines: AuditLines

  /// The ids of the audit lines, in the order of ``lines``; empty if nothing changed.
  public var audits: [Int64] { lines.map(\.id) }

  /// True if the overrides of at least one key have changed.
  public var isChange: Bool { !slots.isEmpty }
}
