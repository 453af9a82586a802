// The author, reason, time and conditions of a change: the one way of every change.
public import GameConfCore
public import GameConfStorage

/// The parts of every change: author, reason, time and conditions.
public struct Change: Sendable, Hashable {
  /// The author.
  public var author: Author
  /// The reason, in their words.
  public var reason: String?
  /// The instant, by the host's clock.
  public var now: Instant
  /// True if the change is only to be reported, and nothing stored.
  public var isDryRun: Bool
  /// The condition that must still hold.
  public var precondition: ChangePrecondition?
  /// True if a change of a player comes over the admin socket and so into the audit log; what games do is in the player's history only.
  public var isAdmin: Bool
  /// The session that the client says the change is part of; a hint, by which its changes are found again.
  public var session: String?
  /// The place in a client's queue, by which a change of a player is done once however often it is sent.
  public var sequence: SequencedRequest?

  /// A change, meant seriously and without conditions unless said.
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

  /// Holds a reason against its limits.
  /// - Throws: `.reason`.
  public static func check(reason: String) throws(ChangeRefusal) {
    guard reason.utf8.count <= OverrideLimits.reasonBytesMax, !reason.hasControlCharacter else {
      throw .reason(bytesMax: OverrideLimits.reasonBytesMax)
    }
  }
}

/// A condition that must still hold for a change to be made (`If-Match`).
public enum ChangePrecondition: Sendable, Hashable {
  /// The game's revision is this.
  case gameRevision(Int64)
  /// The revision that last changed the slot is this; 0 where nothing ever did.
  case slotRevision(Int64)
  /// The player's revision is this.
  case playerRevision(Int64)
  /// The game's newest version of its template is this; 0 before the first.
  case newestTemplate(Int64)
  /// The version of the game's template that is in force is this; 0 where none is.
  case templateInForce(Int64)
  /// The tag of the play's state is this; empty before the first.
  case playState(tag: String)
}

extension AuditRecord {
  /// A line about a change, still without an id.
  public init(_ change: Change, action: AuditAction, game: String? = nil) {
    self.init(at: change.now, author: change.author, action: action, game: game, reason: change.reason)
    session = change.session
  }
}
