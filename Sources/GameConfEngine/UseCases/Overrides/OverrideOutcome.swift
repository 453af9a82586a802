// The outcome of a change of overrides, or of a dry run of one.
public import GameConfCore
public import GameConfStorage

/// The outcome of a change of overrides; of a dry run, the outcome that it would have.
public struct OverrideOutcome: Sendable, Hashable {
  /// The game's revision at which the change is in force; the last one when nothing changed.
  public var revision: Int64
  /// The player's revision, when the change was about one player.
  public var playerRevision: Int64?
  /// The slots that changed, as they are now.
  public var slots: [KeyOverrides]
  /// The overrides that were removed.
  public var removed: [OverrideRecord]
  /// The permanent overrides, or the values of a window, that another took the place of.
  public var replaced: [OverrideRecord] = []
  /// The id of the window that was added.
  public var window: String?
  /// The values in force at the slots that were set, in the order of ``slots``; empty after other changes and after large ones.
  public var inForce: [ValueInForce] = []
  /// True if a permanent override stood before where one was set.
  public var isReplacement = false
  /// The audit lines of the change; empty when nothing changed. Those of a dry run will not be found.
  public var lines: AuditLines

  /// The ids of the audit lines.
  public var audits: [Int64] { lines.map(\.id) }

  /// True if anything changed.
  public var isChange: Bool { !slots.isEmpty }
}
