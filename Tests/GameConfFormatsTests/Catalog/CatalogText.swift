// Small catalogs as text, with a mark where a fault is expected.

import GameConfCore
import GameConfFormats
import Testing

/// The mark that stands before the place of an expected fault; it is not part of the text.
let mark: Character = "»"

/// A catalog's text, and the place of the mark in it.
struct CatalogText {
  static let header = "gameconf: 1\ngame: mine\ntitle: Mine\nlocales: [en, es]\n"

  var text: String
  var line = 0
  var column = 0

  /// A text, with the header before it unless it brings its own.
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

/// A fault that a catalog has: the catalog with the mark, and words of the message.
struct ExpectedFault: Sendable, CustomTestStringConvertible {
  var body: String
  var words: String

  init(_ body: String, _ words: String) {
    self.body = body
    self.words = words
  }

  var testDescription: String { words }

  /// Fields of one parameter in brackets, after the header.
  static func parameter(_ fields: String, _ words: String) -> ExpectedFault {
    ExpectedFault("parameters:\n  p: {\(fields), section: s, description: d}\n", words)
  }
}
