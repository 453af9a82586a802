// The position of a watcher in the stream of changes. It is the id of an event, from which a later connection resumes.

public import GameConfCore

/// The epoch, the revisions and the instant of an evaluation, in the form `epoch.revision.player_revision.instant` in decimal digits.
public struct WatchPosition: Sendable, Hashable {
  /// The store's epoch. Positions compare only within one epoch.
  public var epoch: UInt64
  /// The game's revision.
  public var revision: Int64
  /// The player revision; 0 without a player.
  public var playerRevision: Int64
  /// The instant of the evaluation by the host's clock.
  public var instant: Instant

  /// Creates a position; `playerRevision` is 0 without a player.
  public init(epoch: UInt64, revision: Int64, playerRevision: Int64, instant: Instant) {
    self.epoch = epoch
    self.revision = revision
    self.playerRevision = playerRevision
    self.instant = instant
  }

  /// The event's id, from which a later connection resumes.
  public var text: String { "\(epoch).\(revision).\(playerRevision).\(instant.milliseconds)" }

  /// Parses a position; nil if it does not have the form of ``text``.
  public init?(parsing text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4, text.utf8.count <= 80, let epoch = UInt64(parts[0]), let revision = Int64(parts[1]),
      let playerRevision = Int64(parts[2]), let instant = Int64(parts[3]), revision >= 0, playerRevision >= 0, instant >= 0
    else { return nil }
    self.init(epoch: epoch, revision: revision, playerRevision: playerRevision, instant: Instant(milliseconds: instant))
    if self.text != text { return nil }
  }
}
