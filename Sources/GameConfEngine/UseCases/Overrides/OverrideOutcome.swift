// The outcome of a change of overrides or of its dry run.
public import GameConfCore
public import GameConfStorage

/// The outcome of a change of overrides; for a dry run, the expected outcome.
public struct OverrideOutcome: Sendable, Hashable {
  /// The game's revision at which the change is in force; the last one if nothing changed.
  public var revision: Int64
  /// The player's revision, if the change was about one player.
  public var playerRevision: Int64?
  /// The changed slots with their new overrides.
  public var slots: [KeyOverrides]
  /// The overrides, permanent ones and windows, that the change removed.
  public var removed: [OverrideRecord]
  /// The permanent overrides, or the values of a window, that others replaced.
  public var replaced: [OverrideRecord] = []
  /// The id of the added or changed window.
  public var window: String?
  /// The values in force at the set slots, in the order of ``slots``; empty after other changes and after large ones.
  public var inForce: [ValueInForce] = []
  /// True if the set permanent override replaced another.
  public var isReplacement = false
  /// The audit lines of the change; empty if nothing changed. Those of a dry run do not exist.
  public var lines: AuditLines

  /// The ids in the order of ``lines``; empty if nothing changed.
  public var audits: [Int64] { lines.map(\.id) }

  /// True if at least one slot has changed.
  public var isChange: Bool { !slots.isEmpty }
}
