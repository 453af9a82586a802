// Multi-row INSERT statements.

/// A pair of INSERT statements with the same columns, one for a single row and one for ``count`` rows. The larger one pays the fixed cost
/// of a statement once for all its rows. Only SQLite uses it.
struct BulkInsert: Sendable {
  /// The number of rows in a multi-row statement.
  static let count = 64

  let one: Statement
  /// The statement for ``count`` rows.
  let many: Statement

  /// Creates the statements from the text of one row.
  /// - Parameters:
  ///   - head: the SQL before VALUES.
  ///   - shared: the number of values that all rows share; they are bound first.
  ///   - row: the SQL of a row's values: `?1` and so on for shared ones, `?` for the row's own, in the order in which they are bound.
  init(_ head: String, shared: Int, row: [String]) {
    func statement(_ rows: Int) -> Statement {
      var own = shared
      let texts = (0..<rows).map { _ in
        let values = row.map { value in
          guard value == "?" else { return value }
          own += 1
          return "?\(own)"
        }
        return "(\(values.joined(separator: ", ")))"
      }
      return Statement(.insert, sqlite: "\(head) VALUES \(texts.joined(separator: ", "))", postgres: nil)
    }
    one = statement(1)
    many = statement(Self.count)
  }
}

extension WriteTransaction {
  /// Inserts a row for each element, ``BulkInsert/count`` at a time.
  /// - Parameters:
  ///   - shared: binds the values that all rows share.
  ///   - own: binds the values of an element's row.
  ///   - written: called after each statement with the indices of the elements it wrote.
  func runMany<Element>(
    _ statement: BulkInsert, _ elements: [Element], shared: (inout SQLiteStatement) -> Void,
    own: (Element, inout SQLiteStatement) -> Void, written: (Range<Int>) -> Void = { _ in }
  ) throws(StoreError) {
    var next = 0
    while next < elements.count {
      let rows = next..<(elements.count - next < BulkInsert.count ? next + 1 : next + BulkInsert.count)
      try runRaw(rows.count == 1 ? statement.one : statement.many) { list in
        shared(&list)
        for element in elements[rows] { own(element, &list) }
      }
      written(rows)
      next = rows.upperBound
    }
  }
}
