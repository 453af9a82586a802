// Statement parameters, and a statement with its arguments.

enum PostgresValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case text(String)
  case utf8([UInt8])
  case blob([UInt8])
  case texts([String])

  static func literal(_ texts: [String]) -> String {
    let quoted = texts.map { text in
      "\"" + String(text.unicodeScalars.flatMap { "\"\\".unicodeScalars.contains($0) ? ["\\", $0] : [$0] }.map(Character.init)) + "\""
    }
    return "{" + quoted.joined(separator: ",") + "}"
  }
}

/// A PostgreSQL statement with its arguments.
struct PostgresCommand: Sendable {
  var sql: String
  var arguments: [PostgresValue] = []
  /// The number of rows that the statement must change; nil for any number.
  var expects: Int?
  /// The kind of failure if the statement changes another number of rows than ``expects``.
  var unexpected: DatabaseFailure.Kind

  init(_ sql: String, _ arguments: [PostgresValue] = [], expects: Int? = nil, unexpected: DatabaseFailure.Kind = .raced) {
    self.sql = sql
    self.arguments = arguments
    self.expects = expects
    self.unexpected = unexpected
  }

  /// True if the statement selects all columns. Such a statement is not prepared: a newer daemon may add a column, and the server then
  /// refuses a statement that was prepared with fewer.
  var isOfAllColumns: Bool { sql.contains("SELECT *") || sql.contains(".* FROM") }
}
