// Measures the width of text on a terminal, and wraps or cuts text to a width.

/// Measures how many columns of a terminal a text takes.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? text.utf8.count : text.reduce(0) { $0 + of($1) }
  }

  /// Returns the text; if it takes more columns than `width`, it is cut and ends with `…`.
  static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var shown = ""
    var taken = 0
    for character in text {
      taken += of(character)
      if taken > width - 1 { break }
      shown.append(character)
    }
    return shown + "…"
  }

  /// Wraps a text into lines of at most `width` columns, broken between words. A word that is longer than a line is broken after a
  /// punctuation mark if it has one.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words(of: text) {
      if !line.isEmpty {
        if of(line) + 1 + of(word) > width {
          lines.append(line)
          line = ""
        } else {
          line += " "
        }
      }
      let pieces = of(line) + of(word) > width ? broken(word, to: max(1, width)) : [word]
      for piece in pieces {
        if !line.isEmpty, of(line) + of(piece) > width {
          lines.append(line)
          line = ""
        }
        line += piece
      }
    }
    return (lines + [line]).map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
  }

  /// Splits a text into the words that a line break must not divide: the parts between spaces. A day with its time and zone is one word.
  static func words(of text: String) -> [String] {
    var words: [String] = []
    var isOpen = false
    for part in text.split(separator: " ", omittingEmptySubsequences: false) {
      if isLike(words.last?.suffix(dayForm.count) ?? "", dayForm), isLike(part.prefix(minuteForm.count), minuteForm) {
        words[words.count - 1] += " " + part
        isOpen = part.count == minuteForm.count
      } else if isOpen {
        words[words.count - 1] += " " + part
        isOpen = false
      } else {
        words.append(String(part))
      }
    }
    return words
  }

  private static let dayForm = "0000-00-00"
  private static let minuteForm = "00:00"

  /// True if the text equals the form, in which each 0 stands for any digit.
  private static func isLike(_ text: Substring, _ form: String) -> Bool {
    text.utf8.count == form.utf8.count
      && zip(text.utf8, form.utf8).allSatisfy { $1 == UInt8(ascii: "0") ? (0x30...0x39).contains($0) : $0 == $1 }
  }

  /// Wraps each line of a message to a width. Continuation lines are indented.
  static func paragraphs(_ text: String, to width: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if of(String(line)) <= width { return String(line) }
      let indent = String(line.prefix { $0 == " " })
      let lines = wrapped(String(line.dropFirst(indent.count)), to: max(8, width - indent.count - 2))
      return indent + lines.joined(separator: "\n" + indent + "  ")
    }.joined(separator: "\n")
  }

  /// Breaks a word into pieces that fit into `width` columns. A piece ends after its last space, or without spaces after its last character
  /// of `_ . - / : ,`, if that is in the second half of the piece.
  private static func broken(_ word: String, to width: Int) -> [String] {
    var pieces: [String] = []
    var piece = ""
    for character in word {
      if !piece.isEmpty, of(piece) + of(character) > width {
        let marks = piece.contains(" ") ? " " : "_.-/:,"
        let tail = piece.reversed().prefix { !marks.contains($0) }
        if tail.count < piece.count, tail.count <= piece.count / 2 {
          pieces.append(String(piece.dropLast(tail.count)))
          piece = String(tail.reversed())
        } else {
          pieces.append(piece)
          piece = ""
        }
      }
      piece.append(character)
    }
    return pieces + [piece]
  }

  /// Returns the columns of a character: two for East Asian wide characters, emoji and flags, zero for combining characters.
  private static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    if first.properties.isEmojiPresentation { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
