// What comes with every change of a player, and what every one answers.
public import GameConfCore

/// Who changes a player, why, when, and on which conditions.
public struct Change: Sendable, Hashable {
  /// Who.
  public var author: Author
  /// Why, in their words.
  public var reason: String?
  /// Whether to tell only what would be.
  public var isDryRun: Bool
  /// When, by the host's clock.
  public var host: Instant
  /// What must still hold.
  public var precondition: ChangePrecondition?
  /// Whether it comes over the admin socket and so into the audit log; what games do is in the player's history only.
  public var isAdmin: Bool
  /// The place in a client's queue, by which it is done once however often it is sent.
  public var sequence: SequencedRequest?

  /// A change by a game, meant seriously and without conditions unless said.
  public init(
    author: Author, reason: String? = nil, isDryRun: Bool = false, host: Instant, precondition: ChangePrecondition? = nil,
    isAdmin: Bool = false, sequence: SequencedRequest? = nil
  ) {
    self.author = author
    self.reason = reason
    self.isDryRun = isDryRun
    self.host = host
    self.precondition = precondition
    self.isAdmin = isAdmin
    self.sequence = sequence
  }
}

/// What a change of a player came to.
public struct PlayerChanged<Outcome: Sendable>: Sendable {
  /// What came of it.
  public var outcome: Outcome
  /// The player as stored from then on, with the new player revision.
  public var player: StoredPlayer
  /// Whether the request had been made before and changed nothing now.
  public var isRepeat: Bool
  /// The player as stored before, where what changed is told of.
  public var before: StoredPlayer?

  /// A change's outcome.
  public init(outcome: Outcome, player: StoredPlayer, isRepeat: Bool = false, before: StoredPlayer? = nil) {
    self.outcome = outcome
    self.player = player
    self.isRepeat = isRepeat
    self.before = before
  }
}
