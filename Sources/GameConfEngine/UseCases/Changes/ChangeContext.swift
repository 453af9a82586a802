// The context of a change: its author, reason, time and conditions.
public import GameConfCore
public import GameConfStorage

/// The context of every change: author, reason, time and conditions.
public struct ChangeContext: Sendable, Hashable {
  /// The user who makes the change.
  public var author: Author
  /// The reason in the author's words.
  public var reason: String?
  /// The time of the change, by the host's clock.
  public var now: Instant
  /// True to only report the change, without storing it.
  public var isDryRun: Bool
  /// The revision, version or tag that the change was made for; nil if it is made in any case.
  public var precondition: ChangePrecondition?
  /// True for a change of a player over the admin socket, which is audited. Changes by games are only in the player's history.
  public var isAdmin: Bool
  /// The session that the client named, by which the session's changes can be found. The name is not verified.
  public var session: String?
  /// The position in a client's queue. A change of a player with a position is made once, however often it is sent.
  public var sequence: SequencedRequest?

  /// Creates the context of a change, by default not a dry run and without conditions.
  public init(
    author: Author, reason: String? = nil, now: Instant, isDryRun: Bool = false, precondition: ChangePrecondition? = nil,
    isAdmin: Bool = false, session: String? = nil, sequence: SequencedRequest? = nil
  ) {
    self.author = author
    self.reason = reason
    self.now = now
    self.isDryRun = isDryRun
    self.precondition = precondition
    self.isAdmin = isAdmin
    self.session = session
    self.sequence = sequence
  }

  /// Checks the length and the characters of a reason.
  /// - Throws: `.reason`.
  public static func check(reason: String) throws(ChangeRefusal) {
    guard reason.utf8.count <= OverrideLimits.reasonBytesMax, !reason.hasControlCharacter else {
      throw .reason(bytesMax: OverrideLimits.reasonBytesMax)
    }
  }
}

/// A condition that must hold for a change to be made (`If-Match`).
public enum ChangePrecondition: Sendable, Hashable {
  case gameRevision(Int64)
  /// The key's overrides were last changed at this revision; 0 if they never changed.
  case slotRevision(Int64)
  case playerRevision(Int64)
  /// The game's newest template version has this number; 0 before the first version.
  case newestTemplate(Int64)
  /// The game's active template version has this number; 0 if no version is active.
  case templateInForce(Int64)
  /// The play's state has this tag, which is a digest; empty before the first state.
  case playState(tag: String)
}

extension AuditRecord {
  /// Creates an audit line with the author, time, reason and session of a change. It has no id yet.
  public init(_ change: ChangeContext, action: AuditAction, game: String? = nil) {
    self.init(at: change.now, author: change.author, action: action, game: game, reason: change.reason)
    session = change.session
  }
}
