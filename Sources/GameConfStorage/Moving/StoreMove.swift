// The move of a store from SQLite to PostgreSQL or back, while no daemon uses either.

/// A move copies every row, compares every row, and only then replaces the old store by the new one.
///
/// An interrupted move leaves the old store unchanged, and a target that no daemon serves. A second run resumes the move.
///
/// ```swift
/// let move = StoreMove(to: .postgres, directory: try StateDirectory(path: "/var/lib/gameconfd"), postgres: settings)
/// let report = try move.run { print($0.table, $0.rows) }
/// ```
public struct StoreMove {
  /// The directions in which a store can be moved.
  public enum Direction: String, Sendable, CaseIterable {
    case postgres, sqlite
  }

  static let rowsAtOnce = 1_000

  private let direction: Direction
  private let directory: StateDirectory
  private let postgres: PostgresSettings

  /// Creates a move.
  /// - Parameters:
  ///   - directory: The state directory of the SQLite database. It is locked, so no daemon uses it.
  ///   - postgres: The PostgreSQL database.
  public init(to direction: Direction, directory: StateDirectory, postgres: PostgresSettings) {
    self.direction = direction
    self.directory = directory
    self.postgres = postgres
  }

  /// Runs the move.
  /// - Parameters:
  ///   - isDryRun: True to only count the rows to move, without creating or changing anything.
  ///   - onProgress: Receives the progress.
  public func run(isDryRun: Bool = false, reporting onProgress: @escaping (StoreMoveProgress) -> Void = { _ in }) throws(StoreMoveFault)
    -> StoreMoveReport
  {
    do {
      switch direction {
      case .postgres: return try MoveToPostgres(directory: directory, settings: postgres).run(isDryRun: isDryRun, reporting: onProgress)
      case .sqlite: return try MoveToSQLite(directory: directory, settings: postgres).run(isDryRun: isDryRun, reporting: onProgress)
      }
    } catch let fault as StoreMoveFault {
      throw fault
    } catch {
      let failure = DatabaseFailure(error)
      let words =
        if case .postgres = failure.code { failure.description } else {
          (error as? StateFault).map { "\($0.path) \($0.message)" } ?? "\(failure.storeError)"
        }
      throw .brokenOff(
        "\(words); the store is unchanged. Correct this and begin the same move again; it goes on from here")
    }
  }
}

/// Copies the rows of all tables from one database to the other, and compares them.
struct RowMover {
  /// Converts a row of the source to the target's form; nil if the target has no such row.
  typealias Translation = (MoveRow, MoveTable) throws -> MoveRow?

  let tables: [MoveTable]
  let source: any MoveEndpoint
  let target: any MoveEndpoint
  let onProgress: (StoreMoveProgress) -> Void

  /// Returns the number of rows of each source table.
  func counts() throws -> [StoreMoveReport.Table] {
    try tables.map { StoreMoveReport.Table(name: $0.name, rows: try source.count(of: $0)) }
  }

  /// Copies the rows that are not copied yet.
  /// - Parameters:
  ///   - translate: Converts a row to the target's form.
  ///   - lastCopied: Returns the source row of a table that an earlier run copied last; nil to begin with the table's first row.
  ///   - write: Writes the converted rows, its first argument; the second has the source rows.
  func copy(
    _ counts: [StoreMoveReport.Table], _ translate: Translation, lastCopied: (MoveTable) throws -> MoveRow?,
    write: ([MoveRow], [MoveRow], MoveTable) throws -> Void
  ) throws {
    var progress = StoreMoveProgress(step: .copying, table: "", rows: 0, rowsAll: counts.reduce(0) { $0 + $1.rows })
    for table in tables {
      progress.table = table.name
      if table.name == MoveTable.numbers {
        try target.replace(try all(of: source, table).compactMap { try translate($0, table) }, in: table)
        progress.rows += try source.count(of: table)
      } else {
        var last = try lastCopied(table)
        progress.rows += try target.count(of: table)
        while true {
          let rows = try source.rows(of: table, after: last, count: StoreMove.rowsAtOnce)
          if rows.isEmpty { break }
          for row in rows { try row.check(in: table) }
          try write(try rows.compactMap { try translate($0, table) }, rows, table)
          last = rows.last
          progress.rows += Int64(rows.count)
          onProgress(progress)
        }
      }
      onProgress(progress)
    }
  }

  /// Compares every row of the two databases, column by column, and throws `.target` at the first difference.
  /// - Parameter isOurs: True for a row of the target that the move has written; the others are not compared.
  func compare(_ counts: [StoreMoveReport.Table], _ translate: Translation, isOurs: (MoveRow, MoveTable) -> Bool) throws {
    var progress = StoreMoveProgress(step: .comparing, table: "", rows: 0, rowsAll: counts.reduce(0) { $0 + $1.rows })
    for table in tables {
      progress.table = table.name
      var (left, right) = (RowPages(source, table), RowPages(target, table))
      while true {
        var expected: MoveRow?
        while let row = try left.next() {
          progress.rows += 1
          expected = try translate(row, table)
          if expected != nil { break }
        }
        var found = try right.next()
        while let row = found, !isOurs(row, table) { found = try right.next() }
        guard expected == found else {
          let row = (expected ?? found)?.name(in: table) ?? table.name
          throw StoreMoveFault.target(
            "the row \(row) differs after it was copied: another program wrote to one of the stores; remove the new one, and begin again"
          )
        }
        if expected == nil { break }
        if progress.rows % Int64(StoreMove.rowsAtOnce) == 0 { onProgress(progress) }
      }
      onProgress(progress)
    }
  }

  private func all(of side: any MoveEndpoint, _ table: MoveTable) throws -> [MoveRow] {
    var (pages, rows) = (RowPages(side, table), [MoveRow]())
    while let row = try pages.next() {
      try row.check(in: table)
      rows.append(row)
    }
    return rows
  }

  private struct RowPages {
    let side: any MoveEndpoint
    let table: MoveTable
    private var page: ArraySlice<MoveRow> = []
    private var last: MoveRow?
    private var isAtEnd = false

    init(_ side: any MoveEndpoint, _ table: MoveTable) { (self.side, self.table) = (side, table) }

    mutating func next() throws -> MoveRow? {
      if page.isEmpty, !isAtEnd {
        let rows = try side.rows(of: table, after: last, count: StoreMove.rowsAtOnce)
        isAtEnd = rows.count < StoreMove.rowsAtOnce
        page = rows[...]
        last = rows.last ?? last
      }
      return page.popFirst()
    }
  }
}
