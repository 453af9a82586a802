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
/// It is handed on many times between the store and its users, so what is large in it lies in one object that copies share. What is known of two
/// players is compared member by member without a list of the members, so that a new one cannot be left out.
public struct StoredPlayer: Sendable, Hashable {
  /// The large members, which copies of a player share.
  private struct Facts: Sendable, Hashable {
    var state: PlayerState?
    var ledger: Ledger?
    var marks = ClientSequences()
  }

  private final class Content: Sendable, Hashable {
    let facts: Facts

    /// Nothing, shared by the many of whom nothing is known.
    static let nothing = Content(Facts())

    init(_ facts: Facts) { self.facts = facts }

    static func == (left: Content, right: Content) -> Bool { left === right || left.facts == right.facts }

    func hash(into hasher: inout Hasher) { hasher.combine(facts) }
  }

  /// The place of the rows in storage, which two equal players need not share.
  private struct Place: Sendable, Hashable {
    var rows: PlayerRowPosition?

    static func == (left: Place, right: Place) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  private var content: Content
  /// The time by which the player is ahead of the game.
  public var clock: PlayerClock
  /// The player revision.
  public var revision: Int64
  private var position: Place

  /// A player; one of whom nothing is known unless said.
  public init(
    state: PlayerState? = nil, ledger: Ledger? = nil, clock: PlayerClock = .game, marks: ClientSequences = ClientSequences(),
    revision: Int64 = 0, place: PlayerRowPosition? = nil
  ) {
    self.init(Facts(state: state, ledger: ledger, marks: marks), clock: clock, revision: revision, place: place)
  }

  private init(_ facts: Facts, clock: PlayerClock, revision: Int64, place: PlayerRowPosition?) {
    content = facts == Facts() ? .nothing : Content(facts)
    self.clock = clock
    self.revision = revision
    position = Place(rows: place)
  }

  /// The player's state; nil when none was ever written: it reads as a fresh one.
  public var state: PlayerState? {
    get { content.facts.state }
    set { change { $0.state = newValue } }
  }

  /// The player's simulated purchases; nil when there never were any.
  public var ledger: Ledger? {
    get { content.facts.ledger }
    set { change { $0.ledger = newValue } }
  }

  /// The positions in the queues of the player's clients.
  public var marks: ClientSequences { content.facts.marks }

  /// The position of the player's row, for finding it again; nothing that two equal players must share.
  public var place: PlayerRowPosition? {
    get { position.rows }
    set { position.rows = newValue }
  }

  /// True if nothing but a revision is known.
  public var isUnknown: Bool { self == StoredPlayer(revision: revision) }

  /// The player after a write; where the store has the player from then on, the store says.
  public func after(_ write: PlayerWrite) -> StoredPlayer {
    var facts = content.facts
    if let state = write.state { facts.state = state }
    if let ledger = write.ledger { facts.ledger = ledger }
    if let marks = write.marks { facts.marks = marks }
    return StoredPlayer(facts, clock: write.clock ?? clock, revision: revision + 1, place: nil)
  }

  private mutating func change(_ body: (inout Facts) -> Void) {
    var facts = content.facts
    body(&facts)
    content = Content(facts)
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
  /// The kinds of rows that are counted, as answers name them.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Lines of history.
    case history
    /// Settings.
    case settings
    /// Transactions.
    case transactions
    /// Bests.
    case bests
    /// Plays.
    case plays

    /// The kind as the audit log names it.
    fileprivate var auditName: String { self == .history ? "history_entries" : rawValue }
  }

  /// True if anything was stored of the player.
  public var isKnown = false
  /// True if something could not be read, so that settings and transactions were not counted.
  public var isUnreadable = false
  private var counts: [Kind: Int] = [:]

  /// Nothing.
  public init() {}

  /// The number of rows of a kind.
  public subscript(kind: Kind) -> Int {
    get { counts[kind] ?? 0 }
    set { counts[kind] = newValue == 0 ? nil : newValue }
  }

  /// The numbers as answers name them.
  public var answer: [String: Int64] { Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, Int64($0.value)) }) }

  /// Every number as the audit log names it.
  public var auditDetail: ObjectValue { ObjectValue(Kind.allCases.map { ($0.auditName, .integer(Int64(self[$0]))) }) }
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
