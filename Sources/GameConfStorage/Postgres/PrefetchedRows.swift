// Prefetches the rows of players that are not in memory, in the round trip that locks the rows. Each single read would cost another round
// trip.

/// The prefetched answers to queries of a batch's transactions. A player's answers are valid until a transaction about the player writes.
struct PrefetchedRows {
  private struct PrefetchedQuery: Hashable {
    var prefetched: Statement.PrefetchedKind
    var arguments: [PostgresValue]
  }

  private let boards: BoardNumberCache
  private var answers: [PlayerID: [PrefetchedQuery: PostgresRows]] = [:]
  private var newNumbers: [PlayerID: Int64] = [:]

  /// - Parameter boards: The leaderboards whose rows are prefetched for each player.
  init(boards: BoardNumberCache) { self.boards = boards }

  /// Returns the queries that prefetch the rows of a batch's players: one statement for each kind of query, for all players. The query of
  /// leaderboard rows includes players whose own rows are in memory, because a leaderboard may be new to them.
  func questions(about scope: BatchScope) -> [PostgresCommand] {
    let unread = scope.unread
    var questions: [PostgresCommand] = []
    if !unread.isEmpty {
      let requested = Self.lists(unread.map { ($0, $0.player) })
      questions += [
        PostgresCommand(Self.wholes, requested), PostgresCommand(Self.revisions, Self.lists(Self.names(unread))),
        PostgresCommand(Self.newRows, requested),
      ]
    }
    let lists = lists(of: scope)
    if !lists.isEmpty {
      questions.append(
        PostgresCommand(Self.boardRows, Self.lists(lists.map { ($0.id, $0.id.player) }) + [.texts(lists.map(\.board))]))
    }
    return questions
  }

  /// Stores the results of ``questions(about:)``.
  /// - Parameter numbers: The numbers of the existing players' rows.
  mutating func take(_ given: ArraySlice<PostgresResult>, about scope: BatchScope, numbers: [PlayerID: Int64]) {
    let unread = scope.unread
    var given = Array(given)
    let lists = lists(of: scope)
    if !lists.isEmpty, let rows = given.popLast() {
      for (at, (id, board)) in lists.enumerated() {
        guard let number = numbers[id] else { continue }
        let arguments: [PostgresValue] = [.text(id.game), .text(board), .text(""), .integer(number)]
        answers[id, default: [:]][PrefetchedQuery(prefetched: .boardRow, arguments: arguments)] = Self.row(rows, at, place: 2)
      }
    }
    guard given.count == 3 else { return }
    for (at, name) in Self.names(unread).enumerated() {
      answers[name.0, default: [:]][Self.revision(of: name.1, in: name.0.game)] = Self.row(given[1], at, place: 1)
    }
    for (at, id) in unread.enumerated() {
      let whole = Self.row(given[0], at, place: PlayerRows.wholeColumns)
      answers[id]?[PrefetchedQuery(prefetched: .player, arguments: Self.arguments(id))] = whole
      if !whole.isEmpty { continue }
      // This player has no row yet, so every query of the row has an empty answer.
      for prefetched in [Statement.PrefetchedKind.revision, .place, .number] {
        answers[id]?[PrefetchedQuery(prefetched: prefetched, arguments: Self.arguments(id))] = whole
      }
      if let row = Self.row(given[2], at, place: 1).places.first { newNumbers[id] = given[2].integer(row, 0) }
    }
  }

  /// Returns the prefetched answer to a query; nil if the answer was not prefetched.
  /// - Parameter ids: The players of the transaction's scope.
  func answer(_ statement: Statement, _ arguments: [PostgresValue], about ids: [PlayerID]) -> PostgresRows? {
    guard !answers.isEmpty, let prefetched = statement.prefetched else { return nil }
    let question = PrefetchedQuery(prefetched: prefetched, arguments: arguments)
    for id in ids { if let known = answers[id]?[question] { return known } }
    return nil
  }

  /// Returns the number that was reserved for the row of a new player, and removes it; nil if there is no such number.
  mutating func newNumber(of ids: [PlayerID]) -> Int64? {
    for id in ids { if let number = newNumbers.removeValue(forKey: id) { return number } }
    return nil
  }

  /// Removes the answers about the players of a transaction that writes.
  mutating func forget(_ ids: [PlayerID]) {
    if answers.isEmpty { return }
    for id in ids { answers[id] = nil }
  }

  /// Removes all answers, because a transaction about more than single players writes.
  mutating func forgetAll() { answers = [:] }

  private func lists(of scope: BatchScope) -> [(id: PlayerID, board: String)] {
    scope.players.flatMap { id in
      let known = scope.knownBoards[id] ?? []
      return boards.ofEverybody(in: id.game).lazy.filter { !known.contains($0) }.map { (id, $0) }
    }
  }

  /// The names under which the revision of a player without a row may be stored.
  private static func names(_ ids: [PlayerID]) -> [(PlayerID, String)] {
    ids.flatMap { id in [(id, id.player), (id, RevisionRows.forgottenName(of: id.player))] }
  }

  private static func lists(_ pairs: [(PlayerID, String)]) -> [PostgresValue] { [.texts(pairs.map(\.0.game)), .texts(pairs.map(\.1))] }

  private static func arguments(_ id: PlayerID) -> [PostgresValue] { [.text(id.game), .text(id.player)] }

  private static func revision(of name: String, in game: String) -> PrefetchedQuery {
    PrefetchedQuery(prefetched: .revisionBeside, arguments: [.text(game), .text(name)])
  }

  /// Returns the row for the nth item of a query, counted from 0, by binary search: rows are ordered by item.
  /// - Parameter column: The column with the item's number, which counts from 1.
  private static func row(_ answer: PostgresResult, _ at: Int, place column: Int32) -> PostgresRows {
    var (low, high) = (Int32(0), answer.rowsCount)
    while low < high {
      let middle = (low + high) / 2
      if (answer.integer(middle, column) ?? 0) < Int64(at + 1) { low = middle + 1 } else { high = middle }
    }
    let isThere = low < answer.rowsCount && answer.integer(low, column) == Int64(at + 1)
    return PostgresRows(answer, isThere ? low..<low + 1 : 0..<0)
  }
}

extension PrefetchedRows {
  /// Returns a statement that looks up one row for each item of the lists that are its parameters. `LATERAL` with `LIMIT 1` makes the
  /// planner use single lookups, regardless of its estimates of the tables' sizes.
  private static func each(_ columns: String, of query: String, lists: String = "game, player") -> String {
    let parameters = lists.split(separator: ",").indices.count
    let arrays = (1...parameters).map { "$\($0)::TEXT[]" }.joined(separator: ", ")
    return """
      SELECT \(columns), asked.place FROM unnest(\(arrays)) WITH ORDINALITY AS asked (\(lists), place)
      CROSS JOIN LATERAL (\(query) LIMIT 1) AS found ORDER BY asked.place
      """
  }

  private static let isRequested = "game = asked.game COLLATE \"C\" AND player = asked.player COLLATE \"C\""

  private static let wholes = each(
    "state, requests, offset_ms, ledger, revision, marks, number, head, bests, events",
    of: """
      SELECT state, requests, offset_ms, ledger, revision, marks, players.number, head, bests, events
      FROM players LEFT JOIN ledgers ON ledgers.number = players.number WHERE players.\(isRequested)
      """)

  private static let revisions = each("revision", of: "SELECT revision FROM player_revisions WHERE \(isRequested)")

  private static let newRows = """
    SELECT \(PostgresGrammar.nextPlayerNumber), asked.place FROM unnest($1::TEXT[], $2::TEXT[]) WITH ORDINALITY AS asked (game, player, place)
    WHERE (SELECT 1 FROM players WHERE \(isRequested) LIMIT 1) IS NULL ORDER BY asked.place
    """

  /// The query of players' rows on leaderboards, by the names of game, player and board. (`board_rows` has a column `player` too, which is
  /// the player's number.)
  private static let boardRows = each(
    "score, at_ms",
    of: """
      SELECT score, at_ms FROM board_rows
      WHERE board_rows.board = (SELECT number FROM boards WHERE game = asked.game COLLATE "C" AND board = asked.board COLLATE "C" AND per = '')
        AND board_rows.player = (SELECT number FROM players WHERE players.\(isRequested))
      """, lists: "game, player, board")

  /// Returns the statement that locks the rows of players, in the given order.
  static func locking(_ ids: [PlayerID]) -> PostgresCommand {
    PostgresCommand(
      """
      SELECT found.number, found.revision, found.head, asked.place FROM unnest($1::TEXT[], $2::TEXT[]) WITH ORDINALITY AS asked (game, player, place)
      CROSS JOIN LATERAL (SELECT number, revision, head FROM players WHERE \(isRequested) FOR UPDATE) AS found
      """, lists(ids.map { ($0, $0.player) }))
  }
}

/// A cache of the row numbers of leaderboard lists, which never change. A list is named by game, board and `per`, which is empty if the
/// leaderboard has only one list.
struct BoardNumberCache {
  private var numbers: [[PostgresValue]: PostgresRows] = [:]
  private var lists: [String: [String]] = [:]

  private static let numbersMax = 10_000
  private static let listsMax = 4

  /// Returns the cached answer to the query ``BestRows/boardNumber``; nil if it is not cached.
  func number(_ arguments: [PostgresValue]) -> PostgresRows? { numbers[arguments] }

  /// Caches an answer to the query ``BestRows/boardNumber``, and records its list as ``note(_:)`` does.
  mutating func take(_ answer: PostgresRows, to arguments: [PostgresValue]) {
    guard !answer.isEmpty else { return }
    if numbers.count >= Self.numbersMax { numbers = [:] }
    numbers[arguments] = answer
    note(arguments)
  }

  /// Records that the list of a leaderboard with only one list was queried, so that its rows are prefetched from then on. The first
  /// arguments of ``BestRows/boardNumber`` and of ``BestRows/boardRow`` name the list.
  mutating func note(_ arguments: [PostgresValue]) {
    guard arguments.count >= 3, case .text(let game) = arguments[0], case .text(let board) = arguments[1], arguments[2] == .text("") else {
      return
    }
    let known = lists[game] ?? []
    if known.count < Self.listsMax, !known.contains(board) { lists[game] = known + [board] }
  }

  /// Returns a game's leaderboards whose rows are prefetched. Each has only one list. They are at most four, because each is queried for
  /// every player.
  func ofEverybody(in game: String) -> [String] { lists[game] ?? [] }
}
