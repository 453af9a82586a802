// The stream of a game's events: the lines of its players, in the order of writing.
package import GameConfCore

enum StreamRows {
  /// The name, in the table `numbers`, of the newest history line that the removal of old lines has taken from the streams. Streams begin
  /// after it.
  static let tailName = "stream_tail"

  /// In PostgreSQL, a slice of the stream ends below the lowest transaction in progress, so that no line with a lower number appears later.
  static let slice = Statement(
    .query, sqlite: slice(bound: ""), postgres: slice(bound: PostgresGrammar.linesBound), locks: .noRow)

  private static func slice(bound: String) -> String {
    """
    SELECT part.number, at_ms, line, players.player
    FROM (SELECT number, at_ms, line, player FROM player_lines WHERE number > ?1\(bound) ORDER BY number LIMIT ?2) AS part
    LEFT JOIN players ON players.number = part.player AND players.game = ?3 ORDER BY part.number
    """
  }

  /// Two subqueries, because SQLite uses the key for a single min or max, but scans the table for both in one SELECT.
  static let edges = Statement(.query, "SELECT (SELECT min(number) FROM player_lines), (SELECT max(number) FROM player_lines)")
  static let between = Statement(
    .query, "SELECT number, at_ms FROM player_lines WHERE number <= ? AND number > ? ORDER BY number DESC LIMIT 1")

  static let statements = [slice, edges, between]
}

extension ReadTransaction {
  /// Returns the next events of a game's stream, as many as one read may return.
  ///
  /// Lines of other games are skipped, so the number of examined lines is limited, not the number of returned events. Forgotten players
  /// have no row in `players`, so the join leaves out their lines.
  /// - Parameter after: The number of the last line that the caller has.
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

  /// Returns the number of the newest history line that is no longer in the streams. Streams begin after it.
  package func streamTail() throws(StoreError) -> Int64 { try number(StreamRows.tailName) }

  /// Returns the number of the last history line written before an instant, by binary search.
  ///
  /// Instants rise with the numbers unless the host's clock stepped back. Then several lines may qualify, and the result is one of them.
  package func lastLine(before: Instant) throws(StoreError) -> Int64 {
    let edges = try row(StreamRows.edges)
    guard let first = edges?.optionalInteger(0), let last = edges?.optionalInteger(1) else { return 0 }
    var (low, high, found) = (first - 1, last, first - 1)
    while low < high {
      let middle = low + (high - low + 1) / 2
      // Numbers have gaps, so the search uses the nearest line at or below the middle.
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
