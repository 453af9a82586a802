// The rule that the ledger of bugs names suites, tests and files that exist.

/// A test of a suite, with its name and its function.
struct NamedTest: Hashable, Sendable {
  let suite: String
  /// The name that the test displays up to its first interpolation, or the function's name if it displays no name.
  let name: String
  let function: String
}

extension SourceFile {
  /// The tests that the file declares in types and extensions.
  var namedTests: [NamedTest] {
    zip(tokens.indices, owners).compactMap { at, owner in
      guard let owner, tokens[at].isMark("@"), at + 3 < tokens.count, tokens[at + 1].isWord("Test"),
        let keyword = tokens[at...].firstIndex(where: { $0.isWord("func") }), keyword + 1 < tokens.count
      else { return nil }
      let function = tokens[keyword + 1].text
      let isNamed = tokens[at + 2].isMark("(") && tokens[at + 3].kind == .text
      return NamedTest(suite: owner, name: isNamed ? tokens[at + 3].text : function, function: function)
    }
  }
}

/// A suite or a file that a row of the ledger names, with the test in it that the row quotes.
private struct LedgerReference {
  /// The name of a suite, the name of a file or a path below the repository's top.
  let place: String
  /// The name of a function of the suite; nil if the row names none.
  let function: String?
  /// The parts of the quote between ellipses; empty if the row quotes nothing.
  let pieces: [String]

  var quote: String { "“\(pieces.joined(separator: " … "))”" }

  /// True if a text contains each part. Quotation marks, backticks and letter case do not count.
  func isQuoted(in text: String) -> Bool {
    let text = comparable(text)
    return pieces.allSatisfy { text.contains(comparable($0)) }
  }
}

/// Returns the names in the ledger's column “held by” that belong to no suite, test or file in `Tests`, and the quotes that are in none.
func ledgerAgainstTests(_ ledger: SourceFile, files: [SourceFile]) -> [Finding] {
  let files = files.filter { $0.path.hasPrefix("Tests/") }
  let suites = Set(files.filter(\.isTest).flatMap(\.typeNames))
  let tests = Dictionary(grouping: files.filter(\.isTest).flatMap(\.namedTests), by: \.suite)
  var column: Int?
  var findings: [Finding] = []
  for (at, line) in ledger.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    let cells = line.hasPrefix("|") ? tableCells(line) : []
    guard let heldBy = column, !cells.isEmpty else {
      column = cells.firstIndex(of: "held by")
      continue
    }
    guard cells.indices.contains(heldBy), !cells[heldBy].hasPrefix("---"), !cells[heldBy].hasPrefix("no test") else { continue }
    let references = ledgerReferences(in: cells[heldBy])
    var says = references.isEmpty ? ["write the test that holds the bug in backticks, or “no test”"] : []
    for reference in references {
      if reference.place.contains(".") || reference.place.contains("/") {
        says += faults(of: reference, files: files)
      } else {
        says += faults(of: reference, isSuite: suites.contains(reference.place), tests: tests[reference.place] ?? [])
      }
    }
    findings += says.map { Finding(path: ledger.path, line: at + 1, says: $0) }
  }
  return findings
}

private func faults(of reference: LedgerReference, isSuite: Bool, tests: [NamedTest]) -> [String] {
  guard isSuite else { return ["there is no suite \(reference.place)"] }
  guard reference.function != nil || !reference.pieces.isEmpty else { return [] }
  let named = tests.filter { reference.function == nil || reference.function == $0.function }
  if named.isEmpty { return ["\(reference.place) has no test \(reference.function ?? "at all")"] }
  return named.contains { reference.isQuoted(in: $0.name) }
    ? [] : ["no test of \(reference.place) is named \(reference.quote)"]
}

private func faults(of reference: LedgerReference, files: [SourceFile]) -> [String] {
  let found = files.filter {
    $0.path == reference.place || $0.path.hasSuffix("/" + reference.place) || $0.path.hasPrefix(reference.place + "/")
  }
  if found.isEmpty { return ["there is no file \(reference.place) in Tests"] }
  return found.contains { reference.isQuoted(in: $0.text) }
    ? [] : ["\(reference.place) does not contain \(reference.quote)"]
}

/// Returns the suites and files that a cell names in backticks, each with the quote after its colon. A quote ends before the next name.
private func ledgerReferences(in cell: String) -> [LedgerReference] {
  let names = cell.matches(of: /`((?:Tests\/)?[\w\/-]+\.(?:py|c)|Tests\/[\w.\/-]+|\w+(?:Tests|Suite))(?:\.(\w+))?`/)
  return names.enumerated().map { at, match in
    let end = at + 1 < names.count ? names[at + 1].range.lowerBound : cell.endIndex
    let rest = cell[match.range.upperBound..<end]
    let quote = rest.hasPrefix(":") ? rest.dropFirst().split(separator: "…") : []
    return LedgerReference(
      place: String(match.1), function: match.2.map(String.init), pieces: quote.map(trimmed).filter { !$0.isEmpty })
  }
}

/// Returns a text without the separators at its ends.
private func trimmed(_ text: some StringProtocol) -> String {
  let separators = " ,;"
  return String(text.trimmingPrefix { separators.contains($0) }.reversed().drop { separators.contains($0) }.reversed())
}

/// Returns a text in lower case without quotation marks, backticks and backslashes.
private func comparable(_ text: String) -> String { text.lowercased().filter { !"\"'`“”‘’„«»\\".contains($0) } }

/// Returns the cells of a row of a Markdown table. A `|` in backticks does not separate cells.
private func tableCells(_ row: Substring) -> [String] {
  var (cells, isCode): ([String], Bool) = ([""], false)
  for character in row.dropFirst() {
    if character == "`" { isCode.toggle() }
    if character == "|", !isCode { cells.append("") } else { cells[cells.count - 1].append(character) }
  }
  return cells.map(trimmed)
}
