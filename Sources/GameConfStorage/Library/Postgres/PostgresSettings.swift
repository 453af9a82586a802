// The location of a store in PostgreSQL, and the limits of its connections.
import CPostgres

/// The location of a store in PostgreSQL.
public struct PostgresSettings: Sendable, Hashable {
  /// The oldest supported server version: 12.
  static let serverVersionMin = 120_000
  /// The longest name of a schema in bytes; the server truncates longer ones.
  public static let schemaBytesMax = 63

  /// A libpq connection string: `host=/run/postgresql dbname=gameconf`, or `postgresql://…`.
  public var connection: String
  /// The schema with the store's tables.
  public var schema: String
  /// True to prepare statements once per connection and to set session settings once. False behind a connection pooler in transaction mode:
  /// each transaction then sends its statements and settings with it.
  public var prepares = true
  /// True to use LISTEN for changes of other hosts; false to poll for them twice a second.
  public var listens = true
  /// The longest time in milliseconds that a change waits for the database, and the timeout of each answer of the server.
  public var patienceMilliseconds: Int32 = 5_000

  /// Creates settings; nil if the schema's name is empty or too long, or if a text has a NUL.
  public init?(connection: String, schema: String = "gameconf") {
    guard (1...Self.schemaBytesMax).contains(schema.utf8.count), !schema.utf8.contains(0), !connection.utf8.contains(0) else { return nil }
    self.connection = connection
    self.schema = schema
  }

  /// The libpq error for an invalid connection string; nil for a valid one, for a plain database name, and without libpq.
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
    let message = words.map { String(cString: $0) } ?? "no memory to read it"
    return String(message.reversed().drop { $0.isWhitespace }.reversed())
  }

  /// Connects once, and returns the reason of a failure; nil if it succeeds.
  public func unreachable() -> String? {
    do throws(DatabaseFailure) {
      try PostgresConnection(self, for: .reading).close()
      return nil
    } catch { return error.message }
  }

  /// The schema's name as a quoted SQL identifier.
  var quotedSchema: String { "\"" + schema.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" }
}
