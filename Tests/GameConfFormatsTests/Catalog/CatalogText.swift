// Small catalogs as text, with a mark at the position of an expected fault.

import GameConfCore
import GameConfFormats
import Testing

/// The mark before the position of an expected fault. It is removed from the text.
let mark: Character = "»"

/// A catalog's text and the position of its mark.
struct CatalogText {
  static let header = "gameconf: 1\ngame: mine\ntitle: Mine\nlocales: [en, es]\n"

  var text: String
  var line = 0
  var column = 0

  /// A catalog's text, which begins with this header.
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

/// An expected fault: a catalog with a mark, and words of the message.
struct ExpectedFault: Sendable, CustomTestStringConvertible {
  var body: String
  var words: String

  init(_ body: String, _ words: String) {
    self.body = body
    self.words = words
  }

  var testDescription: String { words }

  /// A catalog with one parameter that has these fields.
  static func parameter(_ fields: String, _ words: String) -> ExpectedFault {
    ExpectedFault("parameters:\n  p: {\(fields), section: s, description: d}\n", words)
  }
}
