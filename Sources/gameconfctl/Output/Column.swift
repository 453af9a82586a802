// The columns of a table, each declared with the function that returns its cell for a row.

import GameConfCore

/// A column of a table: its heading, and the function that returns its cell for a row.
struct Column<Row> {
  let heading: ColumnHeading
  /// Returns the cell for a row; nil for an empty cell.
  let cell: (Row) -> (any CellText)?

  init(_ name: String, _ traits: ColumnTrait..., cell: @escaping (Row) -> (any CellText)?) {
    (heading, self.cell) = (ColumnHeading(name, traits), cell)
  }
}

/// A row in a table of names and values. A row without a value is left out.
struct NamedValueRow {
  let name: String
  let value: (any CellText)?

  init(_ name: String, _ value: (any CellText)?) { (self.name, self.value) = (name, value) }
}

protocol CellText {
  var cell: Sentence { get }
}

extension Sentence: CellText {
  var cell: Sentence { self }
}

extension String: CellText {
  var cell: Sentence { "\(self)" }
}

extension Int: CellText {
  var cell: Sentence { "\(self)" }
}

extension Int64: CellText {
  var cell: Sentence { "\(self)" }
}

extension Instant: CellText {
  var cell: Sentence { "\(text)" }
}

extension Value: CellText {
  var cell: Sentence { "\(ValueStyle.cell(self))" }
}

/// A result builder that collects the elements in braces into a list.
@resultBuilder
enum ListBuilder<Element> {
  static func buildExpression(_ element: Element) -> [Element] { [element] }
  static func buildExpression(_ elements: [Element]) -> [Element] { elements }
  static func buildBlock(_ parts: [Element]...) -> [Element] { parts.flatMap { $0 } }
  static func buildOptional(_ part: [Element]?) -> [Element] { part ?? [] }
  static func buildEither(first: [Element]) -> [Element] { first }
  static func buildEither(second: [Element]) -> [Element] { second }
  static func buildArray(_ parts: [[Element]]) -> [Element] { parts.flatMap { $0 } }
}
