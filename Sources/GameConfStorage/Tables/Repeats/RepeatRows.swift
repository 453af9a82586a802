// The rows of stored answers to requests that a client may repeat.
import GameConfCore

enum RepeatRows {
  static let tables = [
    """
    CREATE TABLE answers (
      number INTEGER PRIMARY KEY AUTOINCREMENT, request TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, status INTEGER NOT NULL,
      headers TEXT NOT NULL, body TEXT NOT NULL, at_ms INTEGER NOT NULL
    )
    """
  ]

  static let storedTables = [
    StoredTable(
      "answers", of: .row,
      [
        "number": .number(.ordinal), "request": .text, "digest": .text, "status": .number(.status), "headers": .text, "body": .text,
        "at_ms": .number(.instant), "about": .text, "uid": .number(.uidOrNobody), "bytes": .number(.count),
        "seen_ms": .number(.milliseconds),
      ]),
    StoredTable("answer_shares", ["uid": .number(.uidOrNobody), "bytes": .number(.count)]),
  ]

  /// Adds a column with a digest of the player's id to the stored answers. The digest finds the answers about a player, although the
  /// id is not stored.
  static let playerColumn = [
    "ALTER TABLE answers ADD COLUMN about TEXT",
    "CREATE INDEX answers_about ON answers (about) WHERE about IS NOT NULL",
  ]

  /// Adds the uid and the size to each stored answer of an idempotent call, for limits per user and overall. Answers from older versions
  /// belong to no user. `answer_shares` has each user's sum of bytes; every insertion and removal of answers updates it.
  static let sharesColumns = [
    "ALTER TABLE answers ADD COLUMN uid INTEGER NOT NULL DEFAULT -1",
    "ALTER TABLE answers ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE answers ADD COLUMN seen_ms INTEGER NOT NULL DEFAULT 0",
    "UPDATE answers SET bytes = 512 + length(CAST(body AS BLOB)) + length(CAST(headers AS BLOB))",
    "CREATE INDEX answers_of_user ON answers (uid, number)",
    "CREATE TABLE answer_shares (uid INTEGER PRIMARY KEY, bytes INTEGER NOT NULL)",
    "INSERT INTO answer_shares (uid, bytes) SELECT uid, sum(bytes) FROM answers GROUP BY uid",
  ]

  /// The name, in the table `numbers`, of the total time that the daemon has observed since the store was created, in ms.
  static let seen = "seen_ms"
  static let one = Statement(.query, "SELECT digest, status, headers, body, at_ms FROM answers WHERE request = ?")
  static let add = Statement(
    .answeringInsert(number: "number"),
    """
    INSERT INTO answers (request, digest, status, headers, body, at_ms, about, uid, bytes, seen_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce((SELECT number FROM numbers WHERE name = ?), 0))
    """)
  static let oldest = Statement(
    .query, "SELECT number, bytes FROM answers WHERE uid = ? AND number < ? ORDER BY number LIMIT ?")
  static let shares = Statement(.query, "SELECT uid, bytes FROM answer_shares")
  static let addShare = Statement(
    .insert,
    "INSERT INTO answer_shares (uid, bytes) VALUES (?, ?) ON CONFLICT (uid) DO UPDATE SET bytes = answer_shares.bytes + excluded.bytes")
  static let reduceShare = Statement(.change, "UPDATE answer_shares SET bytes = bytes - ? WHERE uid = ?")
  static let removeShares = Statement(.change, "DELETE FROM answer_shares WHERE bytes <= 0")

  /// The statements that remove stored answers: the query of the bytes to deduct from each user's sum, and the deletion.
  struct AnswerRemoval: Sendable {
    let sums: Statement
    let removal: Statement

    /// - Parameter condition: the SQL condition on the rows of `answers` to remove.
    init(_ condition: String) {
      sums = Statement(.query, "SELECT uid, sum(bytes) FROM answers WHERE \(condition) GROUP BY uid")
      removal = Statement(.change, "DELETE FROM answers WHERE \(condition)")
    }
  }

  static let ofRequest = AnswerRemoval("request = ?")
  static let upTo = AnswerRemoval("uid = ? AND number <= ?")
  static let aboutPlayer = AnswerRemoval("about = ?")
  static let seenBefore = AnswerRemoval(
    "number IN (SELECT number FROM (SELECT number, seen_ms FROM answers ORDER BY number LIMIT ?2) AS part WHERE seen_ms < ?1)")

  static let statements =
    [one, add, oldest, shares, addShare, reduceShare, removeShares]
    + [ofRequest, upTo, aboutPlayer, seenBefore].flatMap { [$0.sums, $0.removal] }

  /// The number of answers that one step of the eviction reads.
  fileprivate static let pageMax = 64

  /// Returns the SHA-256 of a game's and a player's id in 64 hexadecimal digits; nil if a request is about no player.
  static func about(_ game: String, _ player: String?) -> String? {
    player.map { SHA256.hex(of: Value.list([.string(game), .string($0)]).stored) }
  }

  /// Returns the SHA-256 in 64 hexadecimal digits under which the answer to a request is stored.
  static func name(_ id: RepeatID) -> String {
    SHA256.hex(of: Value.list([.string(id.game), id.player.map(Value.string) ?? .null, .string(id.route), .string(id.id)]).stored)
  }
}

extension ReadTransaction {
  /// Returns the stored answer to a repeated request; nil if the request is new.
  package func remembered(_ id: RepeatID) throws(StoreError) -> StoredAnswer? {
    guard let row = try row(RepeatRows.one, [RepeatRows.name(id)]) else {
      return nil
    }
    return try reading(UnreadableRow(.answer, game: id.game, player: id.player)) {
      let headers = try row.value(2).objectValue?.members.map { ($0.name, $0.value.stringValue ?? "") } ?? []
      return StoredAnswer(
        contentDigest: try row.text(0), status: Int(try row.integer(1)), headers: Dictionary(headers) { first, _ in first },
        body: try row.value(3).stringValue ?? "", at: try row.instant(4))
    }
  }
}

extension WriteTransaction {
  /// Stores the answer to a request. Beyond ``StoreLimits/repeatsBytesPerUserMax`` the user's oldest answers are evicted, beyond
  /// ``StoreLimits/repeatsBytesMax`` the oldest of the user with the most bytes.
  /// - Parameter uid: The user who sent the request.
  package func remember(_ answer: StoredAnswer, for id: RepeatID, by uid: UInt32) throws(StoreError) {
    let headers = Value.object(ObjectValue(answer.headers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    let request = RepeatRows.name(id)
    _ = try dropAnswers(RepeatRows.ofRequest, [request])
    try run(
      RepeatRows.add,
      [
        request, answer.contentDigest, answer.status, headers.stored, Value.string(answer.body).stored, answer.at.milliseconds,
        RepeatRows.about(id.game, id.player), uid, answer.storedBytes, RepeatRows.seen,
      ])
    let newest = database.lastInsertedRowID
    try run(RepeatRows.addShare, [uid, answer.storedBytes])
    try boundAnswers(newest: newest, by: uid)
  }

  /// Removes stored answers, and deducts their bytes from each user's sum.
  /// - Returns: The number of removed answers.
  private func dropAnswers(_ removal: RepeatRows.AnswerRemoval, _ arguments: SQLiteArguments) throws(StoreError) -> Int {
    let rows = try rows(removal.sums, arguments)
    if rows.isEmpty { return 0 }
    for row in rows {
      let (uid, bytes) = try attempting { (try row.integer(0), try row.integer(1)) }
      try run(RepeatRows.reduceShare, [bytes, uid])
    }
    let count = try run(removal.removal, arguments)
    try run(RepeatRows.removeShares)
    return count
  }

  /// Evicts the oldest answers of users over a limit, but never the newest answer, which alone is within every limit.
  private func boundAnswers(newest: Int64, by uid: UInt32) throws(StoreError) {
    let rows = try rows(RepeatRows.shares)
    var shares = try attempting { Dictionary(try rows.map { (try $0.integer(0), try $0.integer(1)) }) { first, _ in first } }
    while let user = AnswerEviction.giver(shares, by: Int64(uid)) {
      let oldest = try self.rows(RepeatRows.oldest, [user, newest, RepeatRows.pageMax])
      if oldest.isEmpty { return }
      var (last, before): (Int64?, Int64) = (nil, shares[user, default: 0])
      for row in oldest where AnswerEviction.giver(shares, by: Int64(uid)) == user {
        let (number, bytes) = try attempting { (try row.integer(0), try row.integer(1)) }
        (last, before) = (number, before - bytes)
        shares[user] = before
      }
      guard let last else { return }
      _ = try dropAnswers(RepeatRows.upTo, [user, last])
    }
  }

  /// Removes every stored answer about a player.
  /// - Returns: The number of removed answers.
  package func forgetAnswers(of id: PlayerID) throws(StoreError) -> Int {
    try dropAnswers(RepeatRows.aboutPlayer, [RepeatRows.about(id.game, id.player)])
  }

  /// Adds a span to the total time that the daemon has observed. Stored answers age by this total, so that a step of the clock neither
  /// expires nor retains them.
  /// - Returns: The total since the store was created, in milliseconds.
  package func pass(milliseconds: Int64) throws(StoreError) -> Int64 {
    let before = try number(RepeatRows.seen)
    guard milliseconds > 0 else { return before }
    let seen = before + (try attempting { try database.timePassed(milliseconds) })
    try setNumber(seen, RepeatRows.seen)
    return seen
  }

  /// Removes at most `max` stored answers, oldest first. Only answers are removed that were stored before the total observed time reached
  /// `milliseconds`.
  /// - Returns: The number of removed answers.
  package func dropRemembered(seenBefore milliseconds: Int64, max: Int) throws(StoreError) -> Int {
    try dropAnswers(RepeatRows.seenBefore, [milliseconds, max])
  }
}
