// The stream of a game's events: the lines of its players, in the order they were written.
package import GameConfCore

enum StreamRows {
  /// The number of the newest line that retention let go: streams begin after it.
  static let tailName = "stream_tail"

  /// In PostgreSQL only lines below the lowest transaction that is under way, so that no line with a lower number comes later.
  static let slice = Statement(
    .query, sqlite: slice(bound: ""), postgres: slice(bound: PostgresGrammar.linesBound), locks: .noRow)

  private static func slice(bound: String) -> String {
    """
    SELECT part.number, at_ms, line, players.player
    FROM (SELECT number, at_ms, line, player FROM player_lines WHERE number > ?1\(bound) ORDER BY number LIMIT ?2) AS part
    LEFT JOIN players ON players.number = part.player AND players.game = ?3 ORDER BY part.number
    """
  }

  /// SQLite looks up one edge in the key, but reads the whole table for both in one SELECT.
  static let edges = Statement(.query, "SELECT (SELECT min(number) FROM player_lines), (SELECT max(number) FROM player_lines)")
  static let between = Statement(
    .query, "SELECT number, at_ms FROM player_lines WHERE number <= ? AND number > ? ORDER BY number DESC LIMIT 1")

  static let statements = [slice, edges, between]
}

extension ReadTransaction {
  /// A slice of a game's stream.
  ///
  /// Lines of other games are passed over, so the part that is looked at is bounded and not the part that is found. Whoever was forgotten has no
  /// row among the players any more, so their lines are not found.
  /// - Parameter after: the number of the last line that is known.
  package func stream(of game: String, after: Int64) throws(StoreError) -> StreamSlice {
    var slice = StreamSlice(reached: after)
    slice.tail = try streamTail()
    var (count, bytes) = (0, 0)
    _ = try rawRows(StreamRows.slice) { query in
      query.bind(after)
      query.bind(Int64(StreamLimits.sliceLinesMax))
      query.bind(game)
    } _: { row in
      if bytes > StreamLimits.sliceBytesMax { return }
      count += 1
      slice.reached = try row.integer(0)
      guard row.bytes(3) != nil, let stored = row.bytes(2) else { return }
      let at = row.optionalInstant(1)
      let event = StreamEntry(number: slice.reached, player: try row.text(3), recordedAt: at, stored: stored)
      guard let event else { return }
      bytes += event.details.count
      slice.events.append(event)
    }
    slice.isAtEnd = bytes <= StreamLimits.sliceBytesMax && count < StreamLimits.sliceLinesMax
    return slice
  }

  /// The number of the newest line that is kept no longer: streams begin after it.
  package func streamTail() throws(StoreError) -> Int64 { try number(StreamRows.tailName) }

  /// The number of the last line that was written before an instant, of those whose instants rise; where the host's clock stepped back, of one of
  /// its days.
  ///
  /// By halves: instants rise with the numbers, but for a host's clock that stepped back.
  package func lastLine(before: Instant) throws(StoreError) -> Int64 {
    let edges = try row(StreamRows.edges)
    guard let first = edges?.optionalInteger(0), let last = edges?.optionalInteger(1) else { return 0 }
    var (low, high, found) = (first - 1, last, first - 1)
    while low < high {
      let middle = low + (high - low + 1) / 2
      // Numbers may be missing: the line at or below the middle stands for it.
      let row = try row(StreamRows.between, [middle, low])
      guard let row else {
        low = middle
        continue
      }
      let number = try attempting { try row.integer(0) }
      if row.optionalInteger(1).map({ $0 < before.milliseconds }) ?? true { (low, found) = (middle, number) } else { high = number - 1 }
    }
    return found
  }
}
