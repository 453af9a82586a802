// The parameters of a statement, and a failure as the server or the library reports it.

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
  var unexpected: PostgresError.Kind

  init(_ sql: String, _ arguments: [PostgresValue] = [], expects: Int? = nil, unexpected: PostgresError.Kind = .raced) {
    self.sql = sql
    self.arguments = arguments
    self.expects = expects
    self.unexpected = unexpected
  }

  /// True if it asks for whatever columns there are. Such a statement is not prepared: a newer daemon may add a column to a table, and the server
  /// refuses what was prepared to answer fewer.
  var isOfAllColumns: Bool { sql.contains("SELECT *") || sql.contains(".* FROM") }
}

/// The reason why PostgreSQL did not do what it was asked.
struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The consequence of the error.
  enum Kind: Sendable, Hashable {
    /// The library is missing, or the settings name no server that can be reached: nothing was asked of any.
    case unreachable
    /// The connection ended.
    case disconnected
    /// Another transaction was first: what was decided must be decided again.
    case raced
    /// A newer session writes under this one's name.
    case fenced
    /// The server's disk is full.
    case noSpace
    /// The server takes no writes now: a standby, or one that is set so.
    case readOnly
    /// The server refuses everybody for now: it starts, stops, or has too many connections.
    case busy
    /// The request is wrong: a value that it does not take, a table that is not there.
    case refused
    /// Anything else the server says.
    case failed
  }

  var kind: Kind
  /// The five characters by which the server distinguishes errors; empty where it said nothing.
  var state: String
  var message: String

  var description: String { state.isEmpty ? message : "\(message) (PostgreSQL \(state))" }

  init(_ kind: Kind, _ message: String, state: String = "") {
    self.kind = kind
    self.state = state
    // What is one sentence over several lines, and a list of several.
    self.message = message.split(whereSeparator: \.isNewline).map { line in
      String(line.drop { $0.isWhitespace }.map { $0.isWhitespace ? " " : $0 })
    }.joined(separator: "; ")
  }

  /// The server's error, by its code.
  init(state: String, message: String) { self.init(Self.kind(of: state), message, state: state) }

  private static func kind(of state: String) -> Kind {
    switch state {
    case "40001", "40P01", "23505", "55P03": .raced
    case "53100": .noSpace
    case "25006": .readOnly
    case "57P01", "57P02", "57P03", "57P05", "53300": .busy
    case _ where state.hasPrefix("08"): .disconnected
    case _ where ["22", "23", "42", "26", "0A"].contains(state.prefix(2)): .refused
    default: .failed
    }
  }
}
