// The rule that `gameconfctl status` shows every limit of the daemon, unless the table of exceptions has a reason not to.

/// A limit that the source code declares: a static constant whose name ends in `Max`.
struct DeclaredLimit: Hashable, Sendable {
  /// The name of the limit with its type, such as `PlayLimits.openMax`.
  let name: String
  let path: String
  let line: Int
}

extension SourceFile {
  /// The limits that the file declares and other files can use. A private limit is a detail of its file.
  var declaredLimits: [DeclaredLimit] {
    var found: [DeclaredLimit] = []
    for (at, owner) in zip(tokens.indices, owners).dropLast(2) where tokens[at].isWord("static") {
      guard let owner, ["let", "var"].contains(tokens[at + 1].text), tokens[at + 2].text.hasSuffix("Max") else { continue }
      let modifiers = tokens[..<at].suffix(2).filter { $0.line == tokens[at].line }.map(\.text)
      if modifiers.contains("private") || modifiers.contains("fileprivate") { continue }
      found.append(DeclaredLimit(name: "\(owner).\(tokens[at + 2].text)", path: path, line: tokens[at].line))
    }
    return found
  }

  /// The limits that the file lists for `gameconfctl status`, as in `("name", .integer(…Owner.limit…))`.
  var shownLimits: Set<String> {
    var shown: Set<String> = []
    for (at, owner) in zip(tokens.indices, owners) where tokens[at].kind == .text {
      guard at + 4 < tokens.count, tokens[at + 1].isMark(","), tokens[at + 2].isMark("."), tokens[at + 3].isWord("integer"),
        tokens[at + 4].isMark("(")
      else { continue }
      var (depth, next) = (1, at + 5)
      while depth > 0, next < tokens.count {
        if tokens[next].isMark("(") { depth += 1 }
        if tokens[next].isMark(")") { depth -= 1 }
        if tokens[next].text.hasSuffix("Max") {
          let isMember = tokens[next - 1].isMark(".")
          shown.insert("\(isMember ? tokens[next - 2].text : owner ?? "").\(tokens[next].text)")
        }
        next += 1
      }
    }
    return shown
  }

  /// The name of the innermost type or extension that contains each token; nil at the file's top level.
  var owners: [String?] {
    var owners: [String?] = []
    var open: [String?] = []
    var next: String?
    for (at, token) in tokens.enumerated() {
      if Self.typeWords.contains(token.text), token.kind == .word, at + 1 < tokens.count, tokens[at + 1].isName {
        var name = at + 1
        while name + 2 < tokens.count, tokens[name + 1].isMark("."), tokens[name + 2].isName { name += 2 }
        if !["func", "var", "let"].contains(tokens[name].text) { next = tokens[name].text }
      }
      if token.isMark("{") {
        open.append(next ?? open.last ?? nil)
        next = nil
      }
      owners.append(open.last ?? nil)
      if token.isMark("}"), !open.isEmpty { open.removeLast() }
    }
    return owners
  }

  private static let typeWords: Set<String> = ["struct", "class", "enum", "actor", "extension", "protocol"]
}

/// Returns the limits of the daemon that neither `gameconfctl status` nor the table of exceptions lists, and the exceptions for limits that
/// do not exist or are shown.
func hiddenLimits(files: [SourceFile], exceptions: [(reason: String, limits: [String])] = LimitTable.exceptions) -> [Finding] {
  let modules = (ModuleTable.moduleRule("gameconfd")?.own ?? []).union(["gameconfd"])
  let files = files.filter { $0.isSource && modules.contains($0.module ?? "") }
  let listing = ModuleTable.faces.union(["GameConfHTTP"])
  let shown = files.reduce(into: Set<String>()) { if listing.contains($1.module ?? "") { $0.formUnion($1.shownLimits) } }
  let hidden = files.flatMap(\.declaredLimits).filter { !shown.contains($0.name) }
  let excepted = Set(exceptions.flatMap(\.limits))
  let unneeded = excepted.subtracting(hidden.map(\.name)).sorted()
  return hidden.filter { !excepted.contains($0.name) }.map {
    Finding(path: $0.path, line: $0.line, says: "status does not show \($0.name); list it there, or in LimitTable with the reason")
  } + unneeded.map { Finding(path: LimitTable.path, line: 0, says: "\($0) is no hidden limit") }
}
