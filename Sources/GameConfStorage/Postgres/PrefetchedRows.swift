// The rows of players that transactions will read while memory has nothing of them. They are read with the locks, since each read alone is a wait.

/// Answers that are known before they are asked for. A player's are good until a transaction writes.
struct PrefetchedRows {
  private struct Query: Hashable {
    var prefetched: Statement.PrefetchedKind
    var arguments: [PostgresValue]
  }

  private let boards: BoardNumbers
  private var answers: [PlayerID: [Query: PostgresRows]] = [:]
  private var newNumbers: [PlayerID: Int64] = [:]

  /// Nothing is known yet.
  init(boards: BoardNumbers) { self.boards = boards }

  /// The queries about players: one statement for each kind of question, whatever the number of players. Whose row is in memory may be new to a
  /// list of a leaderboard all the same.
  func questions(about scope: BatchScope) -> [PostgresCommand] {
    let unread = scope.unread
    var questions: [PostgresCommand] = []
    if !unread.isEmpty {
      let asked = Self.lists(unread.map { ($0, $0.player) })
      questions += [
        PostgresCommand(Self.wholes, asked), PostgresCommand(Self.revisions, Self.lists(Self.names(unread))),
        PostgresCommand(Self.newRows, asked),
      ]
    }
    let lists = lists(of: scope)
    if !lists.isEmpty {
      questions.append(
        PostgresCommand(Self.boardRows, Self.lists(lists.map { ($0.id, $0.id.player) }) + [.texts(lists.map(\.board))]))
    }
    return questions
  }

  /// Takes the answers to ``questions(about:)``.
  /// - Parameter numbers: those of the players' rows that are there.
  mutating func take(_ given: ArraySlice<PostgresResult>, about scope: BatchScope, numbers: [PlayerID: Int64]) {
    let unread = scope.unread
    var given = Array(given)
    let lists = lists(of: scope)
    if !lists.isEmpty, let rows = given.popLast() {
      for (at, (id, board)) in lists.enumerated() {
        guard let number = numbers[id] else { continue }
        let arguments: [PostgresValue] = [.text(id.game), .text(board), .text(""), .integer(number)]
        answers[id, default: [:]][Query(prefetched: .boardRow, arguments: arguments)] = Self.row(rows, at, place: 2)
      }
    }
    guard given.count == 3 else { return }
    for (at, name) in Self.names(unread).enumerated() {
      answers[name.0, default: [:]][Self.revision(of: name.1, in: name.0.game)] = Self.row(given[1], at, place: 1)
    }
    for (at, id) in unread.enumerated() {
      let whole = Self.row(given[0], at, place: PlayerRows.wholeColumns)
      answers[id]?[Query(prefetched: .player, arguments: Self.arguments(id))] = whole
      if !whole.isEmpty { continue }
      // Where there is no row, every question for the row has the same answer.
      for prefetched in [Statement.PrefetchedKind.revision, .place, .number] {
        answers[id]?[Query(prefetched: prefetched, arguments: Self.arguments(id))] = whole
      }
      if let row = Self.row(given[2], at, place: 1).places.first { newNumbers[id] = given[2].integer(row, 0) }
    }
  }

  /// The answer to a question of the tables' code, where it is known.
  /// - Parameter ids: the players that the transaction decides about.
  func answer(_ statement: Statement, _ arguments: [PostgresValue], about ids: [PlayerID]) -> PostgresRows? {
    guard !answers.isEmpty, let prefetched = statement.prefetched else { return nil }
    let question = Query(prefetched: prefetched, arguments: arguments)
    for id in ids { if let known = answers[id]?[question] { return known } }
    return nil
  }

  /// The number that is kept for the row of a player who has none yet; it is given once.
  mutating func newNumber(of ids: [PlayerID]) -> Int64? {
    for id in ids { if let number = newNumbers.removeValue(forKey: id) { return number } }
    return nil
  }

  /// A transaction that decides about these players writes: what was known of them is what was.
  mutating func forget(_ ids: [PlayerID]) {
    if answers.isEmpty { return }
    for id in ids { answers[id] = nil }
  }

  /// A transaction writes that decides about more than players.
  mutating func forgetAll() { answers = [:] }

  private func lists(of scope: BatchScope) -> [(id: PlayerID, board: String)] {
    scope.players.flatMap { id in
      let known = scope.knownBoards[id] ?? []
      return boards.ofEverybody(in: id.game).lazy.filter { !known.contains($0) }.map { (id, $0) }
    }
  }

  /// The names under which a revision of each player may stand, who has no row.
  private static func names(_ ids: [PlayerID]) -> [(PlayerID, String)] {
    ids.flatMap { id in [(id, id.player), (id, RevisionRows.forgottenName(of: id.player))] }
  }

  private static func lists(_ asked: [(PlayerID, String)]) -> [PostgresValue] { [.texts(asked.map(\.0.game)), .texts(asked.map(\.1))] }

  private static func arguments(_ id: PlayerID) -> [PostgresValue] { [.text(id.game), .text(id.player)] }

  private static func revision(of name: String, in game: String) -> Query {
    Query(prefetched: .revisionBeside, arguments: [.text(game), .text(name)])
  }

  /// The row of an answer that is about what was asked for at a place, from 0; rows come in the order in which they were asked for.
  /// - Parameter column: the one that says which it is about, from 1.
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
  /// Looks a row up for each of what is asked. A query of one row at most for each is planned as just that, whatever the server believes of the
  /// tables' sizes.
  private static func each(_ columns: String, of query: String, lists: String = "game, player") -> String {
    let parameters = lists.split(separator: ",").indices.count
    let arrays = (1...parameters).map { "$\($0)::TEXT[]" }.joined(separator: ", ")
    return """
      SELECT \(columns), asked.place FROM unnest(\(arrays)) WITH ORDINALITY AS asked (\(lists), place)
      CROSS JOIN LATERAL (\(query) LIMIT 1) AS found ORDER BY asked.place
      """
  }

  private static let isAsked = "game = asked.game COLLATE \"C\" AND player = asked.player COLLATE \"C\""

  private static let wholes = each(
    "state, requests, offset_ms, ledger, revision, marks, number, head, bests, events",
    of: """
      SELECT state, requests, offset_ms, ledger, revision, marks, players.number, head, bests, events
      FROM players LEFT JOIN ledgers ON ledgers.number = players.number WHERE players.\(isAsked)
      """)

  private static let revisions = each("revision", of: "SELECT revision FROM player_revisions WHERE \(isAsked)")

  private static let newRows = """
    SELECT \(PostgresGrammar.nextPlayerNumber), asked.place FROM unnest($1::TEXT[], $2::TEXT[]) WITH ORDINALITY AS asked (game, player, place)
    WHERE (SELECT 1 FROM players WHERE \(isAsked) LIMIT 1) IS NULL ORDER BY asked.place
    """

  /// By the board's name and the player's; the row's own column is called player too.
  private static let boardRows = each(
    "score, at_ms",
    of: """
      SELECT score, at_ms FROM board_rows
      WHERE board_rows.board = (SELECT number FROM boards WHERE game = asked.game COLLATE "C" AND board = asked.board COLLATE "C" AND per = '')
        AND board_rows.player = (SELECT number FROM players WHERE players.\(isAsked))
      """, lists: "game, player, board")

  /// Locks the rows of players, in the order in which they are given.
  static func locking(_ ids: [PlayerID]) -> PostgresCommand {
    PostgresCommand(
      """
      SELECT found.number, found.revision, found.head, asked.place FROM unnest($1::TEXT[], $2::TEXT[]) WITH ORDINALITY AS asked (game, player, place)
      CROSS JOIN LATERAL (SELECT number, revision, head FROM players WHERE \(isAsked) FOR UPDATE) AS found
      """, lists(ids.map { ($0, $0.player) }))
  }
}

/// The lists of leaderboards whose numbers are known, which stay what they are.
struct BoardNumbers {
  private var numbers: [[PostgresValue]: PostgresRows] = [:]
  private var lists: [String: [String]] = [:]

  private static let numbersMax = 10_000
  private static let listsMax = 4

  /// The answer to ``BestRows/boardNumber``, where it is known.
  func number(_ arguments: [PostgresValue]) -> PostgresRows? { numbers[arguments] }

  /// Takes an answer to ``BestRows/boardNumber``.
  mutating func take(_ answer: PostgresRows, to arguments: [PostgresValue]) {
    guard !answer.isEmpty else { return }
    if numbers.count >= Self.numbersMax { numbers = [:] }
    numbers[arguments] = answer
    note(arguments)
  }

  /// Takes that a list was asked for, by what ``BestRows/boardNumber`` and ``BestRows/boardRow`` name it with first.
  mutating func note(_ arguments: [PostgresValue]) {
    guard arguments.count >= 3, case .text(let game) = arguments[0], case .text(let board) = arguments[1], arguments[2] == .text("") else {
      return
    }
    let known = lists[game] ?? []
    if known.count < Self.listsMax, !known.contains(board) { lists[game] = known + [board] }
  }

  /// The leaderboards that every player of a game may stand on: a few, since each is asked for with every player.
  func ofEverybody(in game: String) -> [String] { lists[game] ?? [] }
}
