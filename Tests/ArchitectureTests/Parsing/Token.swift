// Splits Swift source into tokens without comments, so that a rule does not match prose.

/// A token of Swift source, such as a name, a literal or a bracket.
struct Token: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// An identifier or a keyword.
    case word
    /// An identifier in backticks, which is never a keyword.
    case quotedWord
    /// A string literal. The token's text ends at the first interpolation.
    case text
    /// A numeric literal.
    case number
    /// A bracket, an operator or a punctuation mark.
    case mark
  }

  let kind: Kind
  let text: String
  let line: Int
  /// True if no white space precedes the token.
  let touchesPrevious: Bool

  func isWord(_ word: String) -> Bool { kind == .word && text == word }
  func isMark(_ mark: String) -> Bool { kind == .mark && text == mark }
  /// True for a token that may be a name. Keywords count too, which does no harm.
  var isName: Bool { kind == .word || kind == .quotedWord }
}

/// A tokenizer for the Swift of this repository, not for all of Swift.
struct Tokenizer {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var endOfPrevious = -1
  private var tokens: [Token] = []

  static func tokens(of text: String) -> [Token] {
    var tokenizer = Tokenizer(bytes: Array(text.utf8))
    tokenizer.read(untilUnmatchedParenthesis: false)
    return tokenizer.tokens
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func peek(_ distance: Int = 0) -> UInt8 { position + distance < bytes.count ? bytes[position + distance] : 0 }

  private mutating func emit(_ kind: Token.Kind, from start: Int, to end: Int, line: Int) {
    let text = String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
    tokens.append(Token(kind: kind, text: text, line: line, touchesPrevious: endOfPrevious == start))
  }

  private mutating func read(untilUnmatchedParenthesis: Bool) {
    var depth = 0
    while position < bytes.count {
      let byte = peek()
      let start = position
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"): skipLine()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): skipBlockComment()
      case UInt8(ascii: "/") where startsRegex(): skipRegex()
      case UInt8(ascii: "\""): readText(hashes: 0)
      case UInt8(ascii: "#") where textHashes() > 0: readText(hashes: textHashes())
      case UInt8(ascii: "`"):
        position += 1
        while position < bytes.count, peek() != UInt8(ascii: "`") { position += 1 }
        emit(.quotedWord, from: start + 1, to: position, line: line)
        position += 1
        endOfPrevious = position
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        while peek().isPartOfWord || (peek() == UInt8(ascii: ".") && peek(1).isDigit) { position += 1 }
        emit(.number, from: start, to: position, line: line)
        endOfPrevious = position
      case _ where byte.isPartOfWord:
        while peek().isPartOfWord { position += 1 }
        emit(.word, from: start, to: position, line: line)
        endOfPrevious = position
      default:
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") {
          depth -= 1
          if untilUnmatchedParenthesis, depth < 0 { return }
        }
        position += 1
        let isPostfix = byte == UInt8(ascii: "!") && peek() != UInt8(ascii: "=")
        if byte.isOperator, !isPostfix { while peek().isOperator { position += 1 } }
        emit(.mark, from: start, to: position, line: line)
        endOfPrevious = position
      }
    }
  }

  private mutating func skipLine() { while position < bytes.count, peek() != UInt8(ascii: "\n") { position += 1 } }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if peek() == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
        depth += 1
        position += 2
      } else if peek() == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        depth -= 1
        position += 2
      } else {
        if peek() == UInt8(ascii: "\n") { line += 1 }
        position += 1
      }
    } while depth > 0 && position < bytes.count
  }

  /// True if the slash at the present position opens a regular expression. Such a slash follows an opening bracket or similar mark, and
  /// precedes neither a space nor `=`.
  private func startsRegex() -> Bool {
    guard peek(1) != UInt8(ascii: " "), peek(1) != UInt8(ascii: "="), let previous = tokens.last else { return false }
    return previous.kind == .mark && ["(", ",", "=", ":", "[", "{"].contains(previous.text)
  }

  private mutating func skipRegex() {
    position += 1
    while position < bytes.count, peek() != UInt8(ascii: "/"), peek() != UInt8(ascii: "\n") {
      position += peek() == UInt8(ascii: "\\") ? 2 : 1
    }
    position += 1
  }

  /// Returns the number of `#` that open a raw string at the present position; 0 if the `#` begins a macro or a directive.
  private func textHashes() -> Int {
    var count = 0
    while peek(count) == UInt8(ascii: "#") { count += 1 }
    return peek(count) == UInt8(ascii: "\"") ? count : 0
  }

  private func matches(_ byte: UInt8, count: Int, at distance: Int) -> Bool {
    for step in 0..<count where peek(distance + step) != byte { return false }
    return true
  }

  private mutating func readText(hashes: Int) {
    let hash = UInt8(ascii: "#")
    let quote = UInt8(ascii: "\"")
    let opening = position
    let quotes = matches(quote, count: 3, at: hashes) ? 3 : 1
    let firstLine = line
    position += hashes + quotes
    let start = position
    var end: Int?
    var interpolations: [Token] = []
    while position < bytes.count {
      if peek() == quote, matches(quote, count: quotes, at: 0), matches(hash, count: hashes, at: quotes) { break }
      if peek() == UInt8(ascii: "\\"), matches(hash, count: hashes, at: 1) {
        position += 1 + hashes
        guard peek() == UInt8(ascii: "(") else {
          if peek() == UInt8(ascii: "\n") { line += 1 }
          position += 1
          continue
        }
        end = end ?? position - 1 - hashes
        position += 1
        var inner = self
        inner.tokens = []
        inner.read(untilUnmatchedParenthesis: true)
        interpolations += inner.tokens
        position = inner.position + 1
        line = inner.line
        continue
      }
      if peek() == UInt8(ascii: "\n") {
        if quotes == 1 { break }
        line += 1
      }
      position += 1
    }
    let text = String(decoding: bytes[start..<max(start, min(end ?? position, bytes.count))], as: UTF8.self)
    tokens.append(Token(kind: .text, text: text, line: firstLine, touchesPrevious: endOfPrevious == opening))
    tokens += interpolations
    position += quotes + hashes
    endOfPrevious = position
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isPartOfWord: Bool {
    isDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") || self >= 0x80
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }
  /// True for a byte that may be a part of an operator with several characters. `!`, `?` and `.` after a value are tokens of their own.
  fileprivate var isOperator: Bool { "=-+*%<>&|^~/!".utf8.contains(self) }
}
