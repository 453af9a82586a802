// Compares a database's schema with gameconfd's.
import Synchronization

/// Compares all objects that a database declares with those of an empty database of the same version.
struct SchemaComparison {
  /// A table, an index or another declared object.
  private struct SchemaObject: Equatable, Sendable {
    var type: String
    var table: String
    var declaration: String

    init(_ row: Row) throws(DatabaseFailure) {
      type = try row.text(1)
      table = try row.text(2)
      // An index that a constraint creates has no SQL.
      declaration = row.optionalText(3) ?? ""
    }

    private var words: [Substring] { declaration.split(whereSeparator: \.isWhitespace) }

    static func == (one: Self, other: Self) -> Bool {
      one.type == other.type && one.table == other.table && (one.declaration == other.declaration || one.words == other.words)
    }
  }

  /// The prefix of the tables of `ANALYZE`, which only the query planner reads.
  private static let statistics = "sqlite_stat"

  /// A cache of the declarations in an empty database, by the SQL of its migrations. Creating the empty database takes most of the time of
  /// an opening.
  private static let made = Mutex<[[[String]]: [String: SchemaObject]]>([:])

  let schema: StoreSchema

  /// Describes the first difference; nil if there is none.
  /// - Parameter version: The version in the database's header.
  func difference(_ database: SQLiteConnection, version: Int) throws -> String? {
    let expected = try objects(version: version)
    let found = try Self.objects(of: database)
    for name in found.keys.sorted() where expected[name] == nil {
      return "it has the \(found[name]?.type ?? "object") “\(name)”, which gameconfd does not make"
    }
    for (name, object) in expected.sorted(by: { $0.key < $1.key }) {
      guard let there = found[name] else {
        return "it lacks the \(object.type) “\(name)”" + (object.type == "table" ? "" : " of “\(object.table)”")
      }
      if there != object { return "the \(there.type) “\(name)” is not declared as gameconfd declares it" }
    }
    return nil
  }

  private func objects(version: Int) throws -> [String: SchemaObject] {
    let steps = Array(schema.steps.prefix(version))
    let statements = steps.map(\.sqlite)
    if let known = Self.made.withLock({ $0[statements] }) { return known }
    let database = try SQLiteConnection(path: ":memory:", for: .writing)
    defer { database.close() }
    try StoreSchema(steps: steps).migrate(database, from: 0)
    let objects = try Self.objects(of: database)
    Self.made.withLock { $0[statements] = objects }
    return objects
  }

  private static func objects(of database: SQLiteConnection) throws -> [String: SchemaObject] {
    var objects: [String: SchemaObject] = [:]
    for row in try database.rows("SELECT name, type, tbl_name, sql FROM sqlite_schema") {
      let name = try row.text(0)
      if !name.hasPrefix(statistics) { objects[name] = try SchemaObject(row) }
    }
    return objects
  }
}
