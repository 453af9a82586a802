// Rows of remembered answers.
import GameConfCore
import GameConfEngine

enum RepeatRows {
  static let tables = [
    """
    CREATE TABLE answers (
      number INTEGER PRIMARY KEY AUTOINCREMENT, request TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, status INTEGER NOT NULL,
      headers TEXT NOT NULL, body TEXT NOT NULL, at_ms INTEGER NOT NULL
    )
    """
  ]

  /// By which the answers about one player are found, without saying who it is.
  static let playerColumn = [
    "ALTER TABLE answers ADD COLUMN about TEXT",
    "CREATE INDEX answers_about ON answers (about) WHERE about IS NOT NULL",
  ]

  /// A player in 64 characters; nil where a request is about none.
  static func about(_ game: String, _ player: String?) -> String? {
    player.map { SHA256.hex(of: Value.list([.string(game), .string($0)]).stored) }
  }

  /// The request in 64 characters, whatever its parts hold.
  static func name(_ id: RepeatID) -> String {
    SHA256.hex(of: Value.list([.string(id.game), id.player.map(Value.string) ?? .null, .string(id.route), .string(id.id)]).stored)
  }
}

extension SQLiteView {
  func remembered(_ id: RepeatID) throws(StoreError) -> RememberedAnswer? {
    guard let row = try row("SELECT digest, status, headers, body, at_ms FROM answers WHERE request = ?", [RepeatRows.name(id)]) else {
      return nil
    }
    return try attempting {
      let headers = try row.value(2).objectValue?.members.map { ($0.name, $0.value.stringValue ?? "") } ?? []
      return RememberedAnswer(
        contentDigest: try row.text(0), status: Int(try row.integer(1)), headers: Dictionary(headers) { first, _ in first },
        body: try row.value(3).stringValue ?? "", at: Instant(milliseconds: try row.integer(4)))
    }
  }
}

extension SQLiteTurn {
  /// The oldest numbers are dropped where more than the limit lie between the first and the last: gaps count, so it costs two look-ups.
  func remember(_ answer: RememberedAnswer, for id: RepeatID) throws(StoreError) {
    let headers = Value.object(ObjectValue(answer.headers.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    try run(
      "INSERT OR REPLACE INTO answers (request, digest, status, headers, body, at_ms, about) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        RepeatRows.name(id), answer.contentDigest, answer.status, headers.stored, Value.string(answer.body).stored, answer.at.milliseconds,
        RepeatRows.about(id.game, id.player),
      ])
    try run("DELETE FROM answers WHERE number <= ?", [database.lastInsertedRowID - StoreLimits.repeatsMax])
  }

  func forgetAnswers(of id: PlayerID) throws(StoreError) -> Int {
    try run("DELETE FROM answers WHERE about = ?", [RepeatRows.about(id.game, id.player)])
  }

  func dropRemembered(before: Instant, max: Int) throws(StoreError) -> Int {
    try run(
      "DELETE FROM answers WHERE number IN (SELECT number FROM (SELECT number, at_ms FROM answers ORDER BY number LIMIT ?2) WHERE at_ms < ?1)",
      [before.milliseconds, max])
  }
}
