// Which database the store is in, and the limits of its connections.

/// Where the store lies when it is in PostgreSQL.
public struct PostgresSettings: Sendable, Hashable {
  /// The oldest server that is spoken to: 12.
  static let serverVersionMin = 120_000
  /// The longest name of a schema, in bytes: the server cuts longer ones.
  public static let schemaBytesMax = 63

  /// A connection string as libpq has it: `host=/run/postgresql dbname=gameconf`, or `postgresql://…`.
  public var connection: String
  /// The schema that has the tables.
  public var schema: String
  /// Whether statements are prepared once for each connection, and the connection keeps what is set for it; without it each transaction brings along
  /// what it needs, as a pooler wants it that hands connections on after each.
  public var prepares = true
  /// Whether changes of others are listened for; without it they are found by looking, twice a second.
  public var listens = true
  /// How long a change waits for the database at most before it is refused, and how long an answer of the server is waited for; a commit's answer is
  /// waited for as long as it takes.
  public var patienceMilliseconds: Int32 = 5_000

  /// A place; nil where the schema's name is empty, too long or has a NUL.
  public init?(connection: String, schema: String = "gameconf") {
    guard (1...Self.schemaBytesMax).contains(schema.utf8.count), !schema.utf8.contains(0), !connection.utf8.contains(0) else { return nil }
    self.connection = connection
    self.schema = schema
  }

  /// The schema's name as SQL has it.
  var quotedSchema: String { "\"" + schema.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\"" }
}
