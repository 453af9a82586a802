// The database that the store is in, and the limits of its connections.
import CPostgres

/// The place of a store in PostgreSQL.
public struct PostgresSettings: Sendable, Hashable {
  /// The oldest server that is spoken to: 12.
  static let serverVersionMin = 120_000
  /// The longest name of a schema, in bytes: the server cuts longer ones.
  public static let schemaBytesMax = 63

  /// A connection string as libpq has it: `host=/run/postgresql dbname=gameconf`, or `postgresql://…`.
  public var connection: String
  /// The schema that has the tables.
  public var schema: String
  /// True if statements are prepared once for each connection, and the connection keeps what is set for it; without it each transaction brings along
  /// what it needs, as a pooler wants it that hands connections on after each.
  public var prepares = true
  /// True if changes of others are listened for; without it they are found by looking, twice a second.
  public var listens = true
  /// The longest time that a change waits for the database before it is refused, and that an answer of the server is waited for; a commit's answer is
  /// waited for as long as it takes.
  public var patienceMilliseconds: Int32 = 5_000

  /// A place; nil where the schema's name is empty, too long or has a NUL.
  public init?(connection: String, schema: String = "gameconf") {
    guard (1...Self.schemaBytesMax).contains(schema.utf8.count), !schema.utf8.contains(0), !connection.utf8.contains(0) else { return nil }
    self.connection = connection
    self.schema = schema
  }

  /// The error of libpq for a connection string that it cannot read; nil for one that it can, for the name of a database alone, and without libpq.
  public var connectionFault: String? {
    guard connection.contains("=") || connection.hasPrefix("postgres://") || connection.hasPrefix("postgresql://"),
      cpostgres_load() == nil
    else { return nil }
    var words: UnsafeMutablePointer<CChar>?
    let options = cpostgres_PQconninfoParse(connection, &words)
    defer {
      if let options { cpostgres_PQconninfoFree(options) }
      if let words { cpostgres_PQfreemem(words) }
    }
    if options != nil { return nil }
    let told = words.map { String(cString: $0) } ?? "no memory to read it"
    return String(told.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// Connects once, and returns why that cannot be done; nil if it can.
  public func unreachable() -> String? {
    do throws(DatabaseFailure) {
      try PostgresConnection(self, for: .reading).close()
      return nil
    } catch { return error.message }
  }

  /// The schema's name as SQL has it.
  var quotedSchema: String { "\"" + schema.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" }
}
