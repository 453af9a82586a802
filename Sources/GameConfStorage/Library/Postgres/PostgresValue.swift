// A statement's parameters, and a statement with its arguments.

/// A parameter's value.
enum PostgresValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case text(String)
  /// A text in UTF-8.
  case utf8([UInt8])
  case blob([UInt8])
  /// A list of texts.
  case texts([String])

  /// A list of texts in the server's words.
  static func literal(_ texts: [String]) -> String {
    let quoted = texts.map { text in
      "\"" + String(text.unicodeScalars.flatMap { "\"\\".unicodeScalars.contains($0) ? ["\\", $0] : [$0] }.map(Character.init)) + "\""
    }
    return "{" + quoted.joined(separator: ",") + "}"
  }
}

/// A statement with its arguments, in the words of PostgreSQL.
struct PostgresCommand: Sendable {
  var sql: String
  var arguments: [PostgresValue] = []
  /// The number of rows that it must change; nil when any number is right.
  var expects: Int?
  /// The meaning of another number.
  var unexpected: DatabaseFailure.Kind

  init(_ sql: String, _ arguments: [PostgresValue] = [], expects: Int? = nil, unexpected: DatabaseFailure.Kind = .raced) {
    self.sql = sql
    self.arguments = arguments
    self.expects = expects
    self.unexpected = unexpected
  }

  /// True if it asks for whatever columns there are. Such a statement is not prepared: a newer daemon may add a column to a table, and the server
  /// refuses what was prepared to answer fewer.
  var isOfAllColumns: Bool { sql.contains("SELECT *") || sql.contains(".* FROM") }
}
