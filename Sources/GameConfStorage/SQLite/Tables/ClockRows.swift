// Rows of games' simulated clocks.
import GameConfCore
import GameConfEngine

enum ClockRows {
  static let tables = [
    """
    CREATE TABLE game_clocks (
      game TEXT PRIMARY KEY, anchor_ms INTEGER NOT NULL, host_anchor_ms INTEGER NOT NULL, rate_thousandths INTEGER NOT NULL
    ) WITHOUT ROWID
    """
  ]

  static func clock(_ row: Row, _ column: Int) throws(Trouble) -> SimulatedClock {
    SimulatedClock(
      anchor: Instant(milliseconds: try row.integer(column)), hostAnchor: Instant(milliseconds: try row.integer(column + 1)),
      rateThousandths: try row.integer(column + 2))
  }
}

extension SQLiteView {
  func clock(ofGame game: String) throws(StoreError) -> SimulatedClock {
    let row = try row("SELECT anchor_ms, host_anchor_ms, rate_thousandths FROM game_clocks WHERE game = ?", [game])
    return try attempting { try row.map { try ClockRows.clock($0, 0) } ?? .host }
  }

  func clocks() throws(StoreError) -> [String: SimulatedClock] {
    let rows = try rows("SELECT game, anchor_ms, host_anchor_ms, rate_thousandths FROM game_clocks")
    return try attempting {
      Dictionary(try rows.map { (try $0.text(0), try ClockRows.clock($0, 1)) }) { first, _ in first }
    }
  }
}

extension SQLiteTurn {
  func put(_ clock: SimulatedClock, ofGame game: String) throws(StoreError) {
    try run(
      "INSERT OR REPLACE INTO game_clocks (game, anchor_ms, host_anchor_ms, rate_thousandths) VALUES (?, ?, ?, ?)",
      [game, clock.anchor.milliseconds, clock.hostAnchor.milliseconds, clock.rateThousandths])
    notes.clocks.append((game, clock))
  }
}
