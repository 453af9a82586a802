// Reading and writing rows: every access to the database goes through here.
import GRDB
import GameConfCore
import GameConfEngine

/// A connection within a transaction; good for one thread, until the transaction ends.
class SQLiteView: StoreView {
  let database: Database
  let floors: Floors
  /// The first failure of the database within this transaction; nothing of it is committed then.
  private(set) var trouble: Trouble?

  /// What revisions never fall below, whatever the rows say.
  struct Floors: Sendable {
    var revisions: [String: Int64] = [:]
    var players: Int64 = 0
  }

  init(_ database: Database, floors: Floors) {
    self.database = database
    self.floors = floors
  }

  /// Rows of a query.
  func rows(_ sql: String, _ arguments: StatementArguments = []) throws(StoreError) -> [Row] {
    try attempting { try Row.fetchAll(database.cachedStatement(sql: sql), arguments: arguments) }
  }

  /// The first row of a query.
  func row(_ sql: String, _ arguments: StatementArguments = []) throws(StoreError) -> Row? {
    try attempting { try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments) }
  }

  /// Runs a statement.
  /// - Returns: how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ arguments: StatementArguments = []) throws(StoreError) -> Int {
    try attempting {
      try database.cachedStatement(sql: sql).execute(arguments: arguments)
      return database.changesCount
    }
  }

  /// Reads out of a row; what is not there as it was written means a damaged file.
  func attempting<Answer>(_ body: () throws -> Answer) throws(StoreError) -> Answer {
    do { return try body() } catch {
      let found = Trouble(error)
      trouble = trouble ?? found
      throw found.storeError
    }
  }
}

extension Row {
  func integer(_ column: Int) throws(Trouble) -> Int64 {
    guard let value = Int64.fromDatabaseValue(self[column]) else { throw .damaged("a number is missing in column \(column)") }
    return value
  }

  func text(_ column: Int) throws(Trouble) -> String {
    guard let value = String.fromDatabaseValue(self[column]) else { throw .damaged("a text is missing in column \(column)") }
    return value
  }

  func optionalInteger(_ column: Int) -> Int64? { Int64.fromDatabaseValue(self[column]) }

  func optionalText(_ column: Int) -> String? { String.fromDatabaseValue(self[column]) }

  func value(_ column: Int) throws(Trouble) -> GameConfCore.Value {
    var text = try text(column)
    return try text.withUTF8 { utf8 in Result { () throws(Trouble) in try Self.value(UnsafeRawBufferPointer(utf8)) } }.get()
  }

  /// The value that was stored as this JSON.
  static func value(_ json: UnsafeRawBufferPointer) throws(Trouble) -> GameConfCore.Value {
    var limits = JSONLimits()
    limits.depthMax = 96
    limits.bytesMax = 1 << 28
    do throws(JSONError) { return try JSONReader.value(from: json, limits: limits) } catch {
      throw .damaged("a stored value is not JSON: \(error.message)")
    }
  }

  func optionalValue(_ column: Int) throws(Trouble) -> GameConfCore.Value? {
    // Not `? nil :`, where nil is a value's own null.
    guard optionalText(column) != nil else { return nil }
    return try value(column)
  }
}

extension Value {
  /// The value's JSON, as it is stored.
  var stored: String { JSONWriter.text(self) }
}
