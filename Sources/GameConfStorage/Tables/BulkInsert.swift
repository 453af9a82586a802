// Statements that write many rows at once.

/// A statement that writes one row, and the same for many: what a statement costs beside its rows is paid once for all of them. Only SQLite is given them.
struct BulkInsert: Sendable {
  /// The number of rows that a statement writes at once.
  static let count = 64

  /// For one row.
  let one: Statement
  /// For ``count`` rows.
  let many: Statement

  /// - Parameters:
  ///   - head: what stands before the rows.
  ///   - shared: how many values all rows share; they are bound first.
  ///   - row: the values of a row: `?1` and so on for shared ones, `?` for the row's own, in the order they are bound in.
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
  /// Writes a row for each element, many at once.
  /// - Parameters:
  ///   - shared: binds what all rows share.
  ///   - own: binds the values of an element's row.
  ///   - written: called after each statement with the elements it wrote.
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
