// Measures a Swift file: its lines of code, its types, and the lengths of its functions.

/// A function or initializer with a body, and the number of its lines.
struct MeasuredFunction: Hashable, Sendable {
  let name: String
  let path: String
  let line: Int
  /// The number of lines from the keyword (`func` or `init`) to the closing brace, both included.
  let lines: Int
}

extension SourceFile {
  /// The number of lines with code. Blank lines and lines with only a comment do not count, and each line of a multi-line string does.
  var codeLines: Int {
    text.split(separator: "\n").count { line in
      let code = line.drop { $0 == " " || $0 == "\t" }
      return !code.isEmpty && !code.hasPrefix("//") && !code.hasPrefix("/*") && !code.hasPrefix("* ") && code != "*/" && code != "*"
    }
  }

  /// The names of the types that the file declares, except type aliases.
  var typeNames: [String] {
    zip(tokens, tokens.dropFirst()).compactMap { keyword, name in
      keyword.kind == .word && ["struct", "class", "enum", "actor", "protocol"].contains(keyword.text) && name.isName
        && !["func", "var", "let"].contains(name.text) ? name.text : nil
    }
  }

  /// The functions and initializers of the file that have a body.
  var functions: [MeasuredFunction] {
    tokens.indices.compactMap { at in
      guard tokens[at].isWord("func") || tokens[at].isWord("init"), at == 0 || !tokens[at - 1].isMark("."), at + 1 < tokens.count,
        let opening = openingBrace(after: at)
      else { return nil }
      var (depth, next) = (1, opening + 1)
      while depth > 0, next < tokens.count {
        if tokens[next].isMark("{") { depth += 1 }
        if tokens[next].isMark("}") { depth -= 1 }
        next += 1
      }
      let name = tokens[at].isWord("init") ? "init" : tokens[at + 1].text
      return MeasuredFunction(
        name: name, path: path, line: tokens[at].line, lines: tokens[next - 1].line - tokens[at].line + 1)
    }
  }

  /// Returns the line of each stored variable in the declaration of a type. Constants and static variables do not count.
  func storedVariables(of type: String) -> [Int] {
    guard
      let name = zip(tokens, tokens.dropFirst()).enumerated().first(where: {
        $1.0.kind == .word && ["struct", "class", "actor"].contains($1.0.text) && $1.1.text == type
      })?.offset, let opening = tokens[name...].firstIndex(where: { $0.isMark("{") })
    else { return [] }
    var (lines, depth): ([Int], Int) = ([], 0)
    for at in tokens.indices[opening...] {
      if tokens[at].kind == .mark, "{([".contains(tokens[at].text) { depth += 1 }
      if tokens[at].kind == .mark, "})]".contains(tokens[at].text) { depth -= 1 }
      if depth == 0 { break }
      guard depth == 1, tokens[at].isWord("var"),
        !tokens[..<at].suffix(3).contains(where: { $0.isWord("static") && $0.line == tokens[at].line })
      else { continue }
      let rest = tokens[(at + 1)...].prefix { $0.line == tokens[at].line }
      let beforeBrace = rest.prefix { !$0.isMark("{") }
      let isObserved = tokens[beforeBrace.endIndex...].prefix(2).contains { $0.isWord("didSet") || $0.isWord("willSet") }
      guard beforeBrace.count == rest.count || isObserved || beforeBrace.contains(where: { $0.isMark("=") }) else { continue }
      // `var (a, b) = …` and `var a = 1, b = 2` declare two variables each.
      let pattern = rest.first?.isMark("(") == true ? rest.prefix { !$0.isMark(")") }.count { $0.isMark(",") } : 0
      let further = zip(rest, zip(rest.dropFirst(), rest.dropFirst(2))).count {
        $0.isMark(",") && $1.0.isName && $1.1.isMark("=") && rest.first?.isMark("(") != true
      }
      lines += Array(repeating: tokens[at].line, count: 1 + pattern + further)
    }
    return lines
  }

  /// Returns the index of the brace that opens a function's body; nil if the function has no body, as in a protocol.
  private func openingBrace(after start: Int) -> Int? {
    var (depth, at) = (0, start + 1)
    while at < tokens.count {
      let token = tokens[at]
      if token.isMark("(") || token.isMark("[") { depth += 1 }
      if token.isMark(")") || token.isMark("]") { depth -= 1 }
      // A requirement in a protocol has no body. It ends at the end of the protocol or before the next declaration.
      if depth < 0 || (depth == 0 && (token.isMark("}") || ["func", "init", "var", "let", "static", "mutating"].contains(token.text))) {
        return nil
      }
      if depth == 0, token.isMark("{") { return at }
      at += 1
    }
    return nil
  }
}
