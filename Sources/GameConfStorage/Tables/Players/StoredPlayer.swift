// The stored data of players: state, history lines with answers, purchases, clock.
public import GameConfCore

/// The identity of a player: the game's id and the player's own, which is unique only within the game.
public struct PlayerID: Sendable {
  /// The game's id.
  public var game: String
  /// The player's id within the game.
  public var player: String

  /// Creates an id, valid or not.
  public init(game: String, player: String) {
    self.game = game
    self.player = player
  }
}

/// Ids are equal if their bytes are. Swift's strings are equal even if accented letters are encoded differently, but a database
/// distinguishes them.
extension PlayerID: Hashable {
  /// True if every byte is the same.
  public static func == (left: PlayerID, right: PlayerID) -> Bool {
    ByteText.areSame(left.player, right.player) && ByteText.areSame(left.game, right.game)
  }

  /// Hashes the UTF-8 bytes, because ids with the same bytes are equal.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ByteText(player))
    hasher.combine(ByteText(game))
  }
}

/// The stored data of one player.
///
/// The store copies a player often, so the large members are in one object that copies share. The synthesized comparison of that object
/// covers every member, so that a new member cannot be left out.
public struct StoredPlayer: Sendable, Hashable {
  /// The large members, which copies of a player share.
  private struct PlayerMembers: Sendable, Hashable {
    var state: PlayerState?
    var ledger: Ledger?
    var marks = ClientSequences()
  }

  private final class PlayerMembersBox: Sendable, Hashable {
    let facts: PlayerMembers

    /// The shared content of all unknown players.
    static let nothing = PlayerMembersBox(PlayerMembers())

    init(_ facts: PlayerMembers) { self.facts = facts }

    static func == (left: PlayerMembersBox, right: PlayerMembersBox) -> Bool { left === right || left.facts == right.facts }

    func hash(into hasher: inout Hasher) { hasher.combine(facts) }
  }

  /// The position of the player's rows. Equality ignores it.
  private struct RowPosition: Sendable, Hashable {
    var rows: PlayerRowPosition?

    static func == (left: RowPosition, right: RowPosition) -> Bool { true }

    func hash(into hasher: inout Hasher) {}
  }

  private var content: PlayerMembersBox
  /// The offset of the player's clock from the game's.
  public var clock: PlayerClock
  /// The player revision, which rises with each write of the player and never repeats.
  public var revision: Int64
  private var position: RowPosition

  /// Creates a player; by default an unknown one.
  public init(
    state: PlayerState? = nil, ledger: Ledger? = nil, clock: PlayerClock = .game, marks: ClientSequences = ClientSequences(),
    revision: Int64 = 0, place: PlayerRowPosition? = nil
  ) {
    self.init(PlayerMembers(state: state, ledger: ledger, marks: marks), clock: clock, revision: revision, place: place)
  }

  private init(_ facts: PlayerMembers, clock: PlayerClock, revision: Int64, place: PlayerRowPosition?) {
    // A player with a state is never unknown. The comparison with an unknown player would copy all members.
    content = facts.state == nil && facts == PlayerMembers() ? .nothing : PlayerMembersBox(facts)
    self.clock = clock
    self.revision = revision
    position = RowPosition(rows: place)
  }

  /// The player's state; nil if no state was ever written. Readers then use the state of a new player.
  public var state: PlayerState? {
    get { content.facts.state }
    set { change { $0.state = newValue } }
  }

  /// The player's simulated purchases; nil if there never were any.
  public var ledger: Ledger? {
    get { content.facts.ledger }
    set { change { $0.ledger = newValue } }
  }

  /// The processed sequence numbers of the queues of the player's clients.
  public var marks: ClientSequences { content.facts.marks }

  /// The position of the player's row in the store. Equality ignores it.
  public var place: PlayerRowPosition? {
    get { position.rows }
    set { position.rows = newValue }
  }

  /// True if nothing but a revision is stored.
  public var isUnknown: Bool { content.facts.state == nil && self == StoredPlayer(revision: revision) }

  /// Returns the player after a write, without the new position of the player's rows, which only the store knows.
  public func after(_ write: PlayerWrite) -> StoredPlayer {
    var facts = content.facts
    if let state = write.state { facts.state = state }
    if let ledger = write.ledger { facts.ledger = ledger }
    if let marks = write.marks { facts.marks = marks }
    return StoredPlayer(facts, clock: write.clock ?? clock, revision: revision + 1, place: nil)
  }

  private mutating func change(_ body: (inout PlayerMembers) -> Void) {
    var facts = content.facts
    body(&facts)
    content = PlayerMembersBox(facts)
  }
}

/// The position of a player's rows in the store, with cached values.
public struct PlayerRowPosition: Sendable, Hashable {
  /// The number of the player's row in `players`.
  public var number: Int64
  /// The number of the player's newest history line; nil before the first.
  public var head: Int64?
  /// The number of bests stored for the player.
  public var bests: Int
  /// The heads of the linked lists of the player's events: the newest line of each event.
  public var events = EventChains()
  /// The cached scores on lists of leaderboards. With these scores, an event that improves no score reads nothing from the database.
  public var scores: [ImprovableScores.BoardPartition: Int64] = [:]
  /// The cached counts of the player's bests that the game's milestones count.
  public var bestCounts: [BestCount: Int64] = [:]

  /// Creates a position without cached values.
  public init(number: Int64, head: Int64?, bests: Int = 0) {
    self.number = number
    self.head = head
    self.bests = bests
  }

  /// Returns the position after a write, with the changed cached values. The position must already have the write's history lines.
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

/// A player in a list of a game's players, without the purchases. ``hasLedger`` only says if there are any.
public struct PlayerListItem: Sendable, Hashable {
  /// The player's id.
  public var player: String
  /// The player's state; nil if no state was ever written.
  public var state: PlayerState?
  /// True if the player has simulated purchases.
  public var hasLedger: Bool
  /// The offset of the player's clock from the game's.
  public var clock: PlayerClock
  /// The player revision, which rises with each write of the player.
  public var revision: Int64
  /// True if the state exists but cannot be read.
  public var isUnreadable = false

  /// Creates the item of a readable player.
  public init(player: String, state: PlayerState?, hasLedger: Bool, clock: PlayerClock, revision: Int64) {
    self.player = player
    self.state = state
    self.hasLedger = hasLedger
    self.clock = clock
    self.revision = revision
  }
}

/// The counts of the rows that were removed for a player, by kind.
public struct RemovedRowCounts: Sendable, Hashable {
  /// The kinds of counted rows, with the names that answers to clients have for them.
  public enum RemovedRowKind: String, Sendable, Hashable, CaseIterable {
    case history
    case settings
    /// Transactions of the player's simulated purchases.
    case transactions
    /// The player's bests of events.
    case bests
    /// Open and closed plays.
    case plays

    /// The member of an audit line that counts the kind; history is `history_entries`, as in the audit line of a copied player.
    fileprivate var auditName: String { self == .history ? "history_entries" : rawValue }
  }

  /// True if the player had a row.
  public var isKnown = false
  /// True if the player could not be read, so that settings and transactions were not counted.
  public var isUnreadable = false
  private var counts: [RemovedRowKind: Int] = [:]

  /// Creates counts of zero for every kind.
  public init() {}

  /// The number of removed rows of a kind.
  public subscript(kind: RemovedRowKind) -> Int {
    get { counts[kind] ?? 0 }
    set { counts[kind] = newValue == 0 ? nil : newValue }
  }

  /// The counts other than zero, by the names that answers to clients have for them.
  public var answer: [String: Int64] { Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, Int64($0.value)) }) }

  /// Every count, by its name in the audit log.
  public var auditDetail: ObjectValue { ObjectValue(RemovedRowKind.allCases.map { ($0.auditName, .integer(Int64(self[$0]))) }) }
}

/// A write of a player; nil parts stay unchanged.
public struct PlayerWrite: Sendable {
  /// The player's state after the write.
  public var state: PlayerState?
  /// The lines to append to the player's history, in order. Only a write with a state has lines.
  public var lines: [PlayerLine]
  /// The player's purchases after the write.
  public var ledger: Ledger?
  /// The offset of the player's clock from the game's, after the write.
  public var clock: PlayerClock?
  /// The processed sequence numbers of the queues of the player's clients, after the write.
  public var marks: ClientSequences?
  /// The instant of the write by the host's clock.
  public var at: Instant?
  /// Improved bests and leaderboard rows; nil for most writes.
  public var gains: EventImprovements?
  /// The player's bests to remove; nil to retain all.
  public var removedBests: BestSelection?
  /// The player's leaderboard rows to remove; nil to retain all.
  public var removedRows: BoardSelection?

  /// Creates a write; by default it changes nothing.
  public init(
    state: PlayerState? = nil, lines: [PlayerLine] = [], ledger: Ledger? = nil, clock: PlayerClock? = nil, marks: ClientSequences? = nil
  ) {
    self.state = state
    self.lines = lines
    self.ledger = ledger
    self.clock = clock
    self.marks = marks
  }

  /// Creates a write with one history line.
  public init(state: PlayerState, entry: HistoryEntry, answer: [UInt8]? = nil, retained: Int64? = nil) {
    self.init(state: state, lines: [PlayerLine(entry: entry, answer: answer, retained: retained)])
  }
}

extension PlayerWrite {
  /// Estimates the bytes by which the store grows. Counts a new player, history lines that do not replace older ones yet, and the growth of
  /// the context, settings and transactions.
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

/// A line of a player's history, with the data stored beside it.
public struct PlayerLine: Sendable {
  /// The history entry, as readers of the history get it.
  public var entry: HistoryEntry
  /// The answer as JSON, stored for a repeat of the request.
  public var answer: [UInt8]?
  /// The number of history lines to retain for the line's event; nil for a line that is not linked to the event's other lines.
  public var retained: Int64?

  /// Creates a line, by default without an answer and without a link to other lines of its event.
  public init(entry: HistoryEntry, answer: [UInt8]? = nil, retained: Int64? = nil) {
    self.entry = entry
    self.answer = answer
    self.retained = retained
  }

  /// True if the event has at most as many lines as are retained, so that the new line adds to the store's size.
  fileprivate func isAmongFewer(_ state: PlayerState?) -> Bool {
    guard let retained, let event = entry.event, let count = state?.eventCounts[event] else { return false }
    return count <= retained
  }
}
