// Rows of games' simulated clocks.
package import GameConfCore

enum ClockRows {
  static let tables = [
    """
    CREATE TABLE game_clocks (
      game TEXT PRIMARY KEY, anchor_ms INTEGER NOT NULL, host_anchor_ms INTEGER NOT NULL, rate_thousandths INTEGER NOT NULL
    ) WITHOUT ROWID
    """
  ]

  /// The name, in the table `numbers`, of the latest host time of any write, in ms. Where several hosts share a database, the host's name
  /// is appended.
  static let hostSeen = "host_seen_ms"

  static let ofGame = Statement(.query, "SELECT anchor_ms, host_anchor_ms, rate_thousandths FROM game_clocks WHERE game = ?")
  static let all = Statement(.query, "SELECT game, anchor_ms, host_anchor_ms, rate_thousandths FROM game_clocks")
  static let put = Statement(
    .insert,
    """
    INSERT INTO game_clocks (game, anchor_ms, host_anchor_ms, rate_thousandths) VALUES (?, ?, ?, ?)
    ON CONFLICT (game) DO UPDATE SET anchor_ms = excluded.anchor_ms, host_anchor_ms = excluded.host_anchor_ms,
      rate_thousandths = excluded.rate_thousandths
    """)

  static let statements = [ofGame, all, put]

  static func clock(_ row: Row, _ column: Int) throws(DatabaseFailure) -> SimulatedClock {
    SimulatedClock(
      anchor: try row.instant(column), hostAnchor: try row.instant(column + 1),
      rateThousandths: try row.integer(column + 2))
  }
}

extension ReadTransaction {
  package func clock(ofGame game: String) throws(StoreError) -> SimulatedClock {
    let row = try row(ClockRows.ofGame, [game])
    guard let row else { return .host }
    return try reading(UnreadableRow(.clock, game: game)) { try ClockRows.clock(row, 0) }
  }

  package func clocks() throws(StoreError) -> [String: SimulatedClock] {
    let rows = try rows(ClockRows.all)
    var clocks: [String: SimulatedClock] = [:]
    for row in rows {
      let game = try attempting { try row.text(0) }
      clocks[game] = try readable(UnreadableRow(.clock, game: game)) { try ClockRows.clock(row, 1) }
    }
    return clocks
  }

  package func hostSeen() throws(StoreError) -> Instant? {
    let row = try row(RevisionRows.number, [ClockRows.hostSeen + database.ownSuffix])
    return try attempting { try row.map { try $0.instant(0) } }
  }
}

extension WriteTransaction {
  package func put(_ clock: SimulatedClock, ofGame game: String) throws(StoreError) {
    try run(
      ClockRows.put, [game, clock.anchor.milliseconds, clock.hostAnchor.milliseconds, clock.rateThousandths])
    publish(.clock(game: game, clock))
  }

  package func see(host: Instant?) throws(StoreError) {
    guard let host else { return _ = try run(RevisionRows.removeNumber, [ClockRows.hostSeen + database.ownSuffix]) }
    try setNumber(host.milliseconds, ClockRows.hostSeen + database.ownSuffix)
  }
}

extension ClockRows: StateRows {
  static let storedTables = [
    StoredTable(
      "game_clocks",
      ["game": .text, "anchor_ms": .number(.instant), "host_anchor_ms": .number(.instant), "rate_thousandths": .number(.rate)])
  ]

  static let lastGood = [
    LastGoodMember(name: "clocks") { change in
      if case .clock = change { true } else { false }
    } value: { state in
      .object(ObjectValue(state.clocks.sorted { $0.key < $1.key }.map { ($0.key, document(of: $0.value)) }))
    } read: { document, state in
      for member in document?.objectValue?.members ?? [] {
        guard let clock = clock(in: member.value) else { return false }
        state.clocks[member.name] = clock
      }
      return true
    }
  ]

  private static func document(of clock: SimulatedClock) -> Value {
    [
      "anchor_ms": .integer(clock.anchor.milliseconds), "host_anchor_ms": .integer(clock.hostAnchor.milliseconds),
      "rate_thousandths": .integer(clock.rateThousandths),
    ]
  }

  private static func clock(in document: Value) -> SimulatedClock? {
    guard let anchor = document["anchor_ms"]?.instantValue, let host = document["host_anchor_ms"]?.instantValue,
      let rate = document["rate_thousandths"]?.integerValue
    else { return nil }
    return SimulatedClock(anchor: anchor, hostAnchor: host, rateThousandths: rate)
  }

  static func load(into state: inout StoredState, from view: ReadTransaction) throws {
    state.clocks = try view.clocks()
    state.hostSeen = try view.hostSeen()
  }

  static func rebuild(_ state: StoredState, in transaction: WriteTransaction) throws {
    for (game, clock) in state.clocks { try transaction.put(clock, ofGame: game) }
  }

  static func changes(of game: ChangedGame) throws -> [StoreChange]? {
    let clock = try game.view.clock(ofGame: game.name)
    return clock == game.served.clocks[game.name] ?? .host ? [] : [.clock(game: game.name, clock)]
  }

  static func isWritten(_ row: UnreadableRow, by change: StoreChange) -> Bool {
    guard case .clock(let game, _) = change else { return false }
    return row.kind == .clock && row.game == game
  }
}
