// Bests, leaderboards and streams in memory.
public import GameConfCore

/// A line of a game's stream in memory.
public struct MemoryLine: Sendable {
  /// Its number.
  public var number: Int64
  /// Whom it is about.
  public var player: PlayerID
  /// When it was written, by the host's clock.
  public var at: Instant?
  /// What happened.
  public var entry: HistoryEntry
}

extension MemoryTurn {
  /// The player's best of an event for a detail.
  public func best(_ event: String, _ detail: String, of id: PlayerID, at place: PlayerPlace?) -> StoredBest? {
    state.players[id]?.bests.first { $0.event == event && $0.detail == detail }
  }

  /// How many bests the player has.
  public func bestsCount(of id: PlayerID, at place: PlayerPlace?) -> Int { state.players[id]?.bests.count ?? 0 }

  /// The player's bests, by event and detail.
  public func bests(of id: PlayerID, _ selection: BestSelection, after: StoredBest?, limit: Int) -> [StoredBest] {
    let selected = (state.players[id]?.bests ?? []).filter(selection.contains)
    let following = selected.filter { best in after.map { Self.precedes($0, best) } ?? true }
    return Array(following.sorted(by: Self.precedes).prefix(max(limit, 0)))
  }

  private static func precedes(_ left: StoredBest, _ right: StoredBest) -> Bool {
    if left.event != right.event { return left.event.utf8.lexicographicallyPrecedes(right.event.utf8) }
    return left.detail.utf8.lexicographicallyPrecedes(right.detail.utf8)
  }

  /// The player's row of a list.
  public func row(of id: PlayerID, at place: PlayerPlace?, in list: BoardList) -> BoardRow? { state.boards[list]?[ByteText(id.player)] }

  /// Whether the list has ever had a row.
  public func isKnown(_ list: BoardList) -> Bool { state.boards[list] != nil }

  /// How many lists a game has.
  public func listsCount(of game: String) -> Int { state.boards.keys.count { $0.game == game } }

  /// The first rows of a list.
  public func rows(of list: BoardList, limit: Int) -> [BoardRow] {
    Array((state.boards[list] ?? [:]).values.sorted(by: Self.stands).prefix(max(limit, 0)))
  }

  private static func stands(_ left: BoardRow, before right: BoardRow) -> Bool {
    if left.score != right.score { return left.score > right.score }
    return left.at != right.at ? left.at < right.at : left.player < right.player
  }

  /// How many rows stand before one.
  public func rows(before row: BoardRow, in list: BoardList, max: Int) -> Int {
    min(max, (state.boards[list] ?? [:]).values.count { Self.stands($0, before: row) })
  }

  /// About how many rows have more than each score.
  public func histogram(of list: BoardList) -> BoardHistogram {
    let rows = (state.boards[list] ?? [:]).values
    var histogram = BoardHistogram(rows: Int64(rows.count))
    for (score, rows) in Dictionary(grouping: rows, by: \.score).sorted(by: { $0.key > $1.key }) {
      histogram.add(score: score, rows: Int64(rows.count))
    }
    return histogram
  }

  /// What is forgotten is gone at once here.
  public func dropForgotten(max: Int) -> Int { 0 }

  /// A slice of a game's stream.
  public func stream(of game: String, after: Int64) -> StreamSlice {
    var slice = StreamSlice(reached: after)
    slice.tail = state.streamTail
    let lines = state.stream.filter { $0.number > after }.prefix(StreamLimits.sliceLinesMax)
    var bytes = 0
    for line in lines {
      if bytes > StreamLimits.sliceBytesMax { return slice }
      slice.reached = line.number
      guard line.player.game == game else { continue }
      let event = line.entry.storedJSON.withUnsafeBytes { stored in
        StreamedEvent(number: line.number, player: line.player.player, recordedAt: line.at, stored: stored)
      }
      guard let event else { continue }
      bytes += event.details.count
      slice.events.append(event)
    }
    slice.isAtEnd = lines.count < StreamLimits.sliceLinesMax
    return slice
  }

  /// The number of the newest line that is kept no longer.
  public func streamTail() -> Int64 { state.streamTail }

  /// The number of the last line that was written before an instant.
  public func lastLine(before: Instant) -> Int64 {
    state.stream.prefix { line in line.at.map { $0 < before } ?? true }.last?.number ?? state.streamTail
  }
}
