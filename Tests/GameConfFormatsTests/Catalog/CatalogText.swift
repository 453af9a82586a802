// Small catalogs as text, in which the character » marks the position of an expected fault.

import GameConfCore
import GameConfFormats
import Testing

/// The character before the position of an expected fault. It is removed before the catalog is read.
let mark: Character = "»"

/// A catalog's text, with the line and the column at which the character » was.
struct CatalogText {
  static let header = "gameconf: 1\ngame: mine\ntitle: Mine\nlocales: [en, es]\n"

  var text: String
  var line = 0
  var column = 0

  /// Creates the text from a header and a body, and removes the character ».
  init(_ body: String, header: String = header) {
    let whole = header + body
    text = whole.filter { $0 != mark }
    guard let at = whole.firstIndex(of: mark) else { return }
    let before = whole[..<at]
    line = before.count { $0 == "\n" } + 1
    column = before.unicodeScalars.reversed().prefix { $0 != "\n" }.count + 1
  }

  func read(dropIns: [String] = []) -> CatalogReadResult {
    CatalogReader.read(
      CatalogFiles(
        main: NamedFile(name: "mine.yaml", bytes: Array(text.utf8)),
        dropIns: dropIns.enumerated().map { NamedFile(name: "mine.d/\($0.offset).yaml", bytes: Array($0.element.utf8)) }))
  }
}

/// A catalog in which the character » is at the expected fault, and words that the fault's message must contain.
struct ExpectedFault: Sendable, CustomTestStringConvertible {
  var body: String
  var words: String

  init(_ body: String, _ words: String) {
    self.body = body
    self.words = words
  }

  var testDescription: String { words }

  /// Returns the expected fault in a catalog whose only parameter has these fields.
  static func parameter(_ fields: String, _ words: String) -> ExpectedFault {
    ExpectedFault("parameters:\n  p: {\(fields), section: s, description: d}\n", words)
  }
}
