// The tables of players: state, history with answers beside it, purchases, clock.
public import GameConfCore

/// Names one player of one game.
public struct PlayerID: Sendable {
  /// The game's id.
  public var game: String
  /// The player's id within the game.
  public var player: String

  /// A player's name.
  public init(game: String, player: String) {
    self.game = game
    self.player = player
  }
}

/// Two ids are the same when their bytes are: Swift takes texts for equal that differ in how a letter with an accent is written, a database
/// does not.
extension PlayerID: Hashable {
  /// True if every byte is the same.
  public static func == (left: PlayerID, right: PlayerID) -> Bool {
    ByteText.areSame(left.player, right.player) && ByteText.areSame(left.game, right.game)
  }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ByteText(player))
    hasher.combine(ByteText(game))
  }
}

/// The stored data of one player.
///
/// It is handed on many times between the store and who asks, so what is large in it lies in one object that copies share.
public struct StoredPlayer: Sendable, Hashable {
  private final class Content: Sendable, Hashable {
    let state: PlayerState?
    let ledger: Ledger?
    let marks: ClientSequences

    /// Nothing, shared by the many of whom nothing is known.
    static let nothing = Content(nil, nil, ClientSequences())

    init(_ state: PlayerState?, _ ledger: Ledger?, _ marks: ClientSequences) {
      (self.state, self.ledger, self.marks) = (state, ledger, marks)
    }

    static func == (left: Content, right: Content) -> Bool {
      left === right || (left.state == right.state && left.ledger == right.ledger && left.marks == right.marks)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(state)
      hasher.combine(ledger)
      hasher.combine(marks)
    }
  }

  private var content: Content
  /// The time by which the player is ahead of the game.
  public var clock: PlayerClock
  /// The player revision.
  public var revision: Int64
  /// The position of the player's row, for finding it again; nothing that two equal players must share.
  public var place: PlayerRowPosition?

  /// A player; one of whom nothing is known unless said.
  public init(
    state: PlayerState? = nil, ledger: Ledger? = nil, clock: PlayerClock = .game, marks: ClientSequences = ClientSequences(),
    revision: Int64 = 0, place: PlayerRowPosition? = nil
  ) {
    content = state == nil && ledger == nil && marks.isEmpty ? .nothing : Content(state, ledger, marks)
    self.clock = clock
    self.revision = revision
    self.place = place
  }

  /// True if the same is known of both.
  public static func == (left: StoredPlayer, right: StoredPlayer) -> Bool {
    left.revision == right.revision && left.clock == right.clock && left.content == right.content
  }

  /// Feeds what is known.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(content)
    hasher.combine(clock)
    hasher.combine(revision)
  }

  /// The player's state; nil when none was ever written: it reads as a fresh one.
  public var state: PlayerState? {
    get { content.state }
    set { content = Content(newValue, content.ledger, content.marks) }
  }

  /// The player's simulated purchases; nil when there never were any.
  public var ledger: Ledger? {
    get { content.ledger }
    set { content = Content(content.state, newValue, content.marks) }
  }

  /// The positions in the queues of the player's clients.
  public var marks: ClientSequences { content.marks }

  /// True if nothing but a revision is known.
  public var isUnknown: Bool { content.state == nil && content.ledger == nil && clock == .game && content.marks.isEmpty }

  /// The player after a write; where the store has the player from then on, the store says.
  public func after(_ write: PlayerWrite) -> StoredPlayer {
    StoredPlayer(
      state: write.state ?? content.state, ledger: write.ledger ?? content.ledger, clock: write.clock ?? clock,
      marks: write.marks ?? content.marks, revision: revision + 1)
  }
}

/// The rows that a store has of a player.
public struct PlayerRowPosition: Sendable, Hashable {
  /// The number of the player's row.
  public var number: Int64
  /// The number of the newest line about the player.
  public var head: Int64?
  /// The number of bests that stand beside the player.
  public var bests: Int
  /// The newest lines of the player's events.
  public var events = EventChains()
  /// The player's scores on lists of leaderboards, as far as they were looked up: an event that is no better reads nothing.
  public var scores: [EventBestCandidates.Place: Int64] = [:]
  /// The numbers of the player's bests, by what milestones of the game count, as far as they were counted.
  public var bestCounts: [BestCount: Int64] = [:]

  /// A place.
  public init(number: Int64, head: Int64?, bests: Int = 0) {
    self.number = number
    self.head = head
    self.bests = bests
  }

  /// The place after a write, whose lines are in it already.
  public func after(_ write: PlayerWrite) -> PlayerRowPosition {
    var after = self
    guard let gains = write.gains else { return after }
    after.bests += gains.newBests
    after.bestCounts.merge(gains.bestCounts) { $1 }
    if after.scores.count + gains.scores.count > BoardLimits.scoresKnownMax { after.scores = [:] }
    after.scores.merge(gains.scores) { $1 }
    return after
  }
}

/// A player in a list, purchases only counted.
public struct PlayerListItem: Sendable, Hashable {
  /// The player's id.
  public var player: String
  /// The player's state; nil when none was ever written.
  public var state: PlayerState?
  /// True if there are purchases.
  public var hasLedger: Bool
  /// The time by which the player is ahead of the game.
  public var clock: PlayerClock
  /// The player revision.
  public var revision: Int64
  /// True if the state is there and cannot be read.
  public var isUnreadable = false

  /// A player in a list.
  public init(player: String, state: PlayerState?, hasLedger: Bool, clock: PlayerClock, revision: Int64) {
    self.player = player
    self.state = state
    self.hasLedger = hasLedger
    self.clock = clock
    self.revision = revision
  }
}

/// The numbers of rows that were removed of a player.
public struct RemovedRowCounts: Sendable, Hashable {
  /// True if anything was stored of the player.
  public var isKnown = false
  /// The number of lines of history.
  public var historyEntries = 0
  /// The number of settings.
  public var settings = 0
  /// The number of transactions.
  public var transactions = 0
  /// True if something could not be read, so that settings and transactions were not counted.
  public var isUnreadable = false
  /// The number of bests.
  public var bests = 0
  /// The number of plays.
  public var plays = 0

  /// Nothing.
  public init() {}
}

/// A write of a player; parts that are nil stay.
public struct PlayerWrite: Sendable {
  /// The player's state.
  public var state: PlayerState?
  /// Lines that are added to the history, in order, only ever beside a state.
  public var lines: [PlayerLine]
  /// The player's purchases.
  public var ledger: Ledger?
  /// The time by which the player is ahead.
  public var clock: PlayerClock?
  /// The positions in the queues of the player's clients.
  public var marks: ClientSequences?
  /// The instant, by the host's clock.
  public var at: Instant?
  /// Bests and rows of leaderboards that stand beside the player; nil for most writes.
  public var gains: EventImprovements?
  /// Bests that are removed.
  public var removedBests: BestSelection?
  /// Rows of leaderboards that are removed.
  public var removedRows: BoardSelection?

  /// A write; nothing unless said.
  public init(
    state: PlayerState? = nil, lines: [PlayerLine] = [], ledger: Ledger? = nil, clock: PlayerClock? = nil, marks: ClientSequences? = nil
  ) {
    self.state = state
    self.lines = lines
    self.ledger = ledger
    self.clock = clock
    self.marks = marks
  }

  /// A write of one line of history.
  public init(state: PlayerState, entry: HistoryEntry, answer: [UInt8]? = nil, kept: Int64? = nil) {
    self.init(state: state, lines: [PlayerLine(entry: entry, answer: answer, kept: kept)])
  }
}

extension PlayerWrite {
  /// About how many bytes the store may grow by: a player who is new, lines until the oldest of a player's go, what a context, settings and
  /// transactions take more than before.
  package func growth(over stored: StoredPlayer) -> Int {
    var bytes = stored.isUnknown ? Self.playerBytes : 0
    for line in lines where line.entry.number <= Int64(PlayerLimits.historyEntriesMax) || line.isAmongFewer(state) {
      bytes += Self.lineBytes + (line.answer?.count ?? 0)
    }
    if let state {
      let before = stored.state
      if state.context != before?.context ?? ObjectValue() {
        bytes += max(0, Self.bytes(state.context) - (before.map { Self.bytes($0.context) } ?? 0))
      }
      if state.settings != before?.settings ?? [:] { bytes += max(0, Self.bytes(state.settings) - Self.bytes(before?.settings ?? [:])) }
    }
    if let ledger {
      let before = stored.ledger
      bytes += max(0, ledger.transactions.count - (before?.transactions.count ?? 0)) * Self.transactionBytes
      bytes += max(0, ledger.log.count - (before?.log.count ?? 0)) * Self.logEntryBytes
    }
    return bytes
  }

  private static let playerBytes = 1_024
  private static let lineBytes = 256
  private static let transactionBytes = 256
  private static let logEntryBytes = 128

  private static func bytes(_ object: ObjectValue) -> Int { JSONWriter.bytes(.object(object)).count }

  private static func bytes(_ settings: [String: Value]) -> Int {
    settings.reduce(0) { $0 + $1.key.utf8.count + JSONWriter.bytes($1.value).count + 4 }
  }
}

/// A line of a player's history as it is kept.
public struct PlayerLine: Sendable {
  /// The line.
  public var entry: HistoryEntry
  /// JSON that is kept beside it, for when the request comes again.
  public var answer: [UInt8]?
  /// The number of stored lines of its event; nil for a line that is not linked by event.
  public var kept: Int64?

  /// A line.
  public init(entry: HistoryEntry, answer: [UInt8]? = nil, kept: Int64? = nil) {
    self.entry = entry
    self.answer = answer
    self.kept = kept
  }

  /// True while fewer events of its name were recorded than are kept.
  fileprivate func isAmongFewer(_ state: PlayerState?) -> Bool {
    guard let kept, let event = entry.event, let count = state?.eventCounts[event] else { return false }
    return count <= kept
  }
}
