// Escapes text for roff, the language of man pages.

enum Roff {
  /// Returns a line of text with escapes, so that roff prints it literally.
  static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var safe = line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : ""
      for character in line {
        switch character {
        case "\\": safe += "\\e"
        case "-": safe += "\\-"
        default: safe.append(character)
        }
      }
      return safe
    }.joined(separator: "\n")
  }

  /// Returns a text between quotes, so that roff reads it as one argument of a macro.
  static func quoted(_ text: String) -> String { "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\"" }

  /// Converts a command's description to paragraphs. Lines that consist of a word, several spaces and a meaning become a list.
  static func paragraphs(_ text: String) -> String {
    var roff = ""
    var isListing = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let line = String(line)
      if line.allSatisfy({ $0 == " " }) {
        roff += ".PP\n"
        isListing = false
      } else if let (tag, meaning) = item(line) {
        roff += ".TP\n.B \(quoted(tag))\n\(escaped(meaning))\n"
        isListing = true
      } else {
        if isListing { roff += ".PP\n" }
        isListing = false
        roff += escaped(line) + "\n"
      }
    }
    return roff
  }

  /// Parses a line such as `word   meaning`; returns nil for a line of ordinary text.
  private static func item(_ line: String) -> (tag: String, meaning: String)? {
    guard let gap = line.firstRange(of: "  ") else { return nil }
    let meaning = String(line[gap.upperBound...].drop { $0 == " " })
    return meaning.isEmpty || gap.lowerBound == line.startIndex ? nil : (String(line[..<gap.lowerBound]), meaning)
  }
}
