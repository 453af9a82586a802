// Text as roff has it.

enum Roff {
  /// A line of text that roff prints as it stands.
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

  /// The argument of a macro in one piece.
  static func quoted(_ text: String) -> String { "\"" + escaped(text).replacing("\"", with: "\\(dq") + "\"" }

  /// Paragraphs of a command's description. Lines of a word, more spaces and what it means become a list.
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

  /// `word   what it means`, nil for a line of ordinary text.
  private static func item(_ line: String) -> (tag: String, meaning: String)? {
    guard let gap = line.firstRange(of: "  ") else { return nil }
    let meaning = String(line[gap.upperBound...].drop { $0 == " " })
    return meaning.isEmpty || gap.lowerBound == line.startIndex ? nil : (String(line[..<gap.lowerBound]), meaning)
  }
}
