// Parses YAML's block scalars. A scalar after `|` preserves line breaks, and one after `>` folds them.

extension YAMLParser {
  private enum Chomping { case strip, clip, keep }

  /// Parses the block scalar whose indicator is at the cursor. Its lines must be indented further than the column `parent`.
  mutating func blockScalar(parent: Int) throws(SkippedEntry) -> YAMLNode {
    let start = at
    let isFolded = byte == UInt8(ascii: ">")
    at += 1
    var chomping = Chomping.clip
    var indent: Int?
    while !isAtEndOfFile, !isBlank(at) {
      switch byte {
      case UInt8(ascii: "-"): chomping = .strip
      case UInt8(ascii: "+"): chomping = .keep
      case UInt8(ascii: "1")...UInt8(ascii: "9"): indent = max(parent, 0) + Int(byte - UInt8(ascii: "0"))
      default: throw leave("After “\(isFolded ? ">" : "|")” only “-”, “+” or a digit may follow; the text begins on the next line.")
      }
      at += 1
    }
    try expectLineEnd()
    skipLine()
    let lines = blockLines(parent: parent, indent: indent)
    let text = isFolded ? folded(lines, chomping) : literal(lines, chomping)
    return YAMLNode(content: .scalar(String(decoding: text, as: UTF8.self), isQuoted: true), place: place(start))
  }

  private mutating func blockLines(parent: Int, indent given: Int?) -> [ArraySlice<UInt8>] {
    var lines: [ArraySlice<UInt8>] = []
    var indent = given
    while !isAtEnd {
      var content = at
      while content < bytes.count, bytes[content] == 0x20, indent.map({ content - lineStart < $0 }) ?? true { content += 1 }
      let isEmpty = content == bytes.count || bytes[content] == 0x0A
      if !isEmpty {
        if content - lineStart <= parent || indent.map({ content - lineStart < $0 }) ?? false { break }
        indent = content - lineStart
      }
      var end = content
      while end < bytes.count, bytes[end] != 0x0A {
        if bytes[end] == 0x09 { report("This is a tab; use spaces (in text, “\\t” inside double quotes).", at: end) }
        end += 1
      }
      if !isEmpty || end < bytes.count { lines.append(bytes[content..<end]) }
      skipLine()
    }
    return lines
  }

  private func literal(_ lines: [ArraySlice<UInt8>], _ chomping: Chomping) -> [UInt8] {
    let filled = lines.count - lines.reversed().prefix(while: \.isEmpty).count
    var text: [UInt8] = []
    for (number, line) in lines.prefix(filled).enumerated() {
      if number > 0 { text.append(0x0A) }
      text += line
    }
    return text + ending(filled: filled, of: lines, chomping)
  }

  private func folded(_ lines: [ArraySlice<UInt8>], _ chomping: Chomping) -> [UInt8] {
    let filled = lines.count - lines.reversed().prefix(while: \.isEmpty).count
    var text: [UInt8] = []
    var breaks = 0
    var wasSpaced = true
    var isFirst = true
    for line in lines.prefix(filled) {
      if line.isEmpty {
        breaks += 1
        continue
      }
      let isSpaced = line.first == 0x20
      if isFirst {
        text += Array(repeating: 0x0A, count: breaks)
      } else if isSpaced || wasSpaced {
        text += Array(repeating: 0x0A, count: breaks + 1)
      } else {
        text += breaks == 0 ? [0x20] : Array(repeating: 0x0A, count: breaks)
      }
      text += line
      (isFirst, wasSpaced, breaks) = (false, isSpaced, 0)
    }
    return text + ending(filled: filled, of: lines, chomping)
  }

  /// Returns the line breaks at the end of a block scalar, which the chomping indicator decides. There are no line breaks if the file ends
  /// without one after the last line of content.
  private func ending(filled: Int, of lines: [ArraySlice<UInt8>], _ chomping: Chomping) -> [UInt8] {
    if filled > 0, lines[filled - 1].endIndex == bytes.count { return [] }
    return switch chomping {
    case .strip: []
    case .clip: filled == 0 ? [] : [0x0A]
    case .keep: Array(repeating: 0x0A, count: lines.count - filled + (filled == 0 ? 0 : 1))
    }
  }
}
