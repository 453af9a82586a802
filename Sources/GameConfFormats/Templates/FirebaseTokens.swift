// The tokenizer for Firebase's condition expressions.

import GameConfCore

/// The tokens of a condition expression, which are names, texts, numbers and symbols, with their positions.
struct FirebaseTokens {
  private enum Token: Hashable {
    case name(String)
    case text(String)
    case number(String)
    case symbol(String)
  }

  /// The maximum length of an expression, in Unicode scalars.
  static let charactersMax = 64 << 10

  private var tokens: [(token: Token, offset: Int)] = []
  private var at = 0
  private let end: Int

  init(_ expression: String) throws(FirebaseExpressionFault) {
    let text = Array(expression.unicodeScalars)
    end = text.count
    if text.count > Self.charactersMax {
      throw FirebaseExpressionFault(offset: 0, message: "The expression has \(text.count) characters; it may have \(Self.charactersMax).")
    }
    var at = 0
    while at < text.count {
      let start = at
      let scalar = text[at]
      switch scalar {
      case " ", "\t", "\n", "\r": at += 1
      case "'", "\"":
        var value = String.UnicodeScalarView()
        at += 1
        while at < text.count, text[at] != scalar {
          if text[at] == "\\", at + 1 < text.count { at += 1 }
          value.append(text[at])
          at += 1
        }
        guard at < text.count else { throw FirebaseExpressionFault(offset: start, message: "This text has no end.") }
        at += 1
        tokens.append((.text(String(value)), start))
      case "0"..."9", "-":
        at += 1
        while at < text.count, Self.isDigit(text[at]) || text[at] == "." { at += 1 }
        tokens.append((.number(String(String.UnicodeScalarView(text[start..<at]))), start))
      case "a"..."z", "A"..."Z", "_":
        while at < text.count, Self.isPart(text[at]) || (text[at] == "." && at + 1 < text.count && Self.isPart(text[at + 1])) { at += 1 }
        tokens.append((.name(String(String.UnicodeScalarView(text[start..<at]))), start))
      default:
        let pair = at + 1 < text.count ? String(String.UnicodeScalarView([scalar, text[at + 1]])) : ""
        if ["&&", "==", "!=", "<=", ">="].contains(pair) {
          tokens.append((.symbol(pair), start))
          at += 2
        } else if ["<", ">", "(", ")", "[", "]", ",", ".", "=", "~"].contains(scalar) {
          tokens.append((.symbol(String(scalar)), start))
          at += 1
        } else {
          throw FirebaseExpressionFault(offset: start, message: "“\(scalar)” is not allowed in an expression; join conditions by “&&”.")
        }
      }
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    isDigit(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
  }

  var isAtEnd: Bool { at >= tokens.count }

  /// The offset of the last consumed token.
  var lastOffset: Int { at > 0 ? tokens[at - 1].offset : 0 }

  /// - Parameter before: True if the fault is at the last consumed token, false if it is at the next one.
  func fault(_ message: String, before: Bool = false) -> FirebaseExpressionFault {
    FirebaseExpressionFault(offset: before ? lastOffset : at < tokens.count ? tokens[at].offset : end, message: message)
  }

  mutating func take(symbol: String) -> Bool {
    guard !isAtEnd, tokens[at].token == .symbol(symbol) else { return false }
    at += 1
    return true
  }

  mutating func take(word: String) -> Bool {
    guard !isAtEnd, tokens[at].token == .name(word) else { return false }
    at += 1
    return true
  }

  mutating func expect(symbol: String) throws(FirebaseExpressionFault) {
    if !take(symbol: symbol) { throw fault("a “\(symbol)” is expected here") }
  }

  /// Makes the last component of the name that was just consumed the next token, for example an operator after a dot.
  mutating func put(back name: String) {
    at -= 1
    tokens[at] = (.name(name), tokens[at].offset)
  }

  mutating func name() throws(FirebaseExpressionFault) -> String {
    guard !isAtEnd, case .name(let name) = tokens[at].token else { throw fault("a name is expected here, such as device.os") }
    at += 1
    return name
  }

  mutating func text() throws(FirebaseExpressionFault) -> String {
    guard !isAtEnd, case .text(let text) = tokens[at].token else { throw fault("a text in quotes is expected here") }
    at += 1
    return text
  }

  mutating func number() throws(FirebaseExpressionFault) -> Double {
    guard !isAtEnd, case .number(let text) = tokens[at].token, let number = Double(text) else { throw fault("a number is expected here") }
    at += 1
    return number
  }

  mutating func takeRelation() -> OrderRelation? {
    let start = at
    _ = take(symbol: ".")
    guard !isAtEnd, case .symbol(let symbol) = tokens[at].token, let relation = OrderRelation(rawValue: symbol == "=" ? "==" : symbol)
    else {
      at = start
      return nil
    }
    at += 1
    return relation
  }

  /// Consumes a single value, or a list in brackets and optional parentheses. Numbers are returned as they are written.
  mutating func values() throws(FirebaseExpressionFault) -> (values: [String], isNumber: Bool) {
    let isCall = take(symbol: "(")
    let isList = take(symbol: "[")
    var values: [String] = []
    var isNumber = true
    repeat {
      guard !isAtEnd else { break }
      switch tokens[at].token {
      case .text(let text):
        values.append(text)
        isNumber = false
      case .number(let text): values.append(text)
      case .name(let name) where name == "true" || name == "false":
        values.append(name)
        isNumber = false
      case .name, .symbol: throw fault("a text in quotes or a number is expected here")
      }
      at += 1
    } while (isList || isCall) && take(symbol: ",")
    if values.isEmpty { throw fault("a text in quotes or a number is expected here") }
    if isList { try expect(symbol: "]") }
    if isCall { try expect(symbol: ")") }
    return (values, isNumber)
  }

  /// Skips all tokens up to the next `&&` that is outside of brackets.
  mutating func skipComparison() throws(FirebaseExpressionFault) {
    var depth = 0
    while !isAtEnd {
      switch tokens[at].token {
      case .symbol("("), .symbol("["): depth += 1
      case .symbol(")"), .symbol("]"):
        if depth == 0 { return }
        depth -= 1
      case .symbol("&&") where depth == 0: return
      default: break
      }
      at += 1
    }
    if depth > 0 { throw fault("a bracket is not closed") }
  }
}
