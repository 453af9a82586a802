// Rules about code: crashes, sleeps, length, and names without meaning.

/// Shipped code has no `fatalError`, forced unwrap or other trap.
let noCrashes = FileRule(name: "no crashes") { file in
  guard file.isSource else { return [] }
  var findings: [Finding] = []
  for (previous, token) in zip(file.tokens, file.tokens.dropFirst()) {
    if token.isMark("!"), token.touchesPrevious, previous.isName || previous.kind == .text || [")", "]", "?", "}"].contains(previous.text) {
      findings.append(Finding(path: file.path, line: token.line, says: "`\(previous.text)!` crashes; unwrap it, or throw"))
    }
    if crashingCalls.contains(previous.text), previous.kind == .word, token.isMark("(") {
      findings.append(
        Finding(path: file.path, line: previous.line, says: "`\(previous.text)` crashes; throw an error that names the place"))
    }
  }
  return findings
}

private let crashingCalls: Set<String> = ["fatalError", "precondition", "preconditionFailure"]

/// A directory entry's name is read in place: a dirent is only as long as its name, and a copy of the whole struct would read beyond it.
let namesWhereTheyStand = FileRule(name: "names of entries where they stand") { file in
  guard file.isSource else { return [] }
  return zip(file.tokens, file.tokens.dropFirst(2)).filter { $0.text == "pointee" && $1.text == "d_name" }.map { pointee, _ in
    Finding(path: file.path, line: pointee.line, says: "d_name is read by its offset; the field is longer than an entry may be")
  }
}

/// A test moves its clock by hand and waits for its condition; it does not sleep.
let noSleepInTests = FileRule(name: "no sleep in tests") { file in
  guard file.isTest else { return [] }
  return file.tokens.filter { $0.kind == .word && ["sleep", "usleep", "nanosleep", "clock_nanosleep"].contains($0.text) }.map {
    Finding(path: file.path, line: $0.line, says: "a test does not sleep; move a clock by hand, or wait for the event")
  }
}

/// A file stays below the maximum number of lines; a longer one contains a second idea.
let noLongFiles = FileRule(name: "no long files") { file in
  guard file.path.hasSuffix(".swift") else { return [] }
  let lines = file.text.utf8.count { $0 == UInt8(ascii: "\n") }
  return lines > ModuleTable.linesMax
    ? [
      Finding(
        path: file.path, line: ModuleTable.linesMax, says: "\(lines) lines, \(ModuleTable.linesMax) are allowed; look for the second idea")
    ] : []
}

/// Names do not contain words without meaning, such as `Manager` or `Helper`.
let noEmptyNames = FileRule(name: "no empty names") { file in
  guard file.path.hasSuffix(".swift") else { return [] }
  let candidates = [(name: String(file.name.dropLast(".swift".count)), line: 1)] + file.declaredTypes
  return candidates.compactMap { candidate in
    words(ofName: candidate.name).first { emptyWords.contains($0) }.map {
      Finding(path: file.path, line: candidate.line, says: "`\($0)` in `\(candidate.name)` says nothing; name what it is")
    }
  }
}

private let emptyWords: Set<String> = [
  "Manager", "Managers", "Helper", "Helpers", "Util", "Utils", "Utility", "Utilities", "Harness", "New",
]

/// Returns the words of a name in camel case. A run of capitals joins the next word: `HTTPServerManager` is `HTTPServer`, `Manager`.
private func words(ofName name: String) -> [String] {
  var words: [String] = []
  for character in name {
    if character.isUppercase, words.last?.last?.isUppercase != true || words.isEmpty { words.append("") }
    if words.isEmpty { words.append("") }
    words[words.count - 1].append(character)
  }
  return words
}

/// A file begins with a comment that states its purpose.
let openingSentence = FileRule(name: "an opening sentence") { file in
  guard file.path.hasSuffix(".swift"), file.name != "Package.swift" else { return [] }
  let first = file.text.prefix { $0 != "\n" }
  let says = "a file opens with a sentence in a comment that says what it is for"
  return first.hasPrefix("// ") && first.count > 10 ? [] : [Finding(path: file.path, line: 1, says: says)]
}

/// Comments have no banners and no notes about unfinished work.
let plainComments = FileRule(name: "plain comments") { file in
  guard file.path.hasSuffix(".swift"), file.module != "ArchitectureTests" else { return [] }
  var findings: [Finding] = []
  for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    guard let slashes = line.firstRange(of: "//") else { continue }
    let comment = line[slashes.upperBound...]
    if ["TODO", "FIXME", "XXX"].contains(where: { comment.contains($0) }) {
      findings.append(Finding(path: file.path, line: index + 1, says: "finish it, or say it where plans are kept"))
    }
    if ["====", "----", "****", "####", "MARK: -"].contains(where: { comment.contains($0) }) {
      findings.append(Finding(path: file.path, line: index + 1, says: "no banners; two ideas are two files"))
    }
  }
  return findings
}

/// Files do not contain paths of the machine on which they were written.
let noWorkplace = FileRule(name: "no workplace") { file in
  var findings: [Finding] = []
  for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    for folder in ["/" + "work/", "/" + "Users/", "/" + "home/"] {
      for range in line.ranges(of: folder) {
        let before = range.lowerBound == line.startIndex ? " " : line[line.index(before: range.lowerBound)]
        if !before.isLetter, !before.isNumber, !"_}).-".contains(before) {
          findings.append(Finding(path: file.path, line: index + 1, says: "`\(folder)` is a place on somebody's machine"))
        }
      }
    }
  }
  return findings
}

/// Messages put names into “ ” and show values as JSON, the same in every module.
let oneStyleOfQuotes = FileRule(name: "one style of quotes") { file in
  guard file.isSource, let module = file.module, speakingModules.contains(module) else { return [] }
  var findings: [Finding] = []
  for (at, token) in file.tokens.enumerated() where token.kind == .text {
    let next = at + 1 < file.tokens.count ? file.tokens[at + 1] : nil
    // A token's text ends before its first interpolation. So a name in straight quotes ends with its opening quote here.
    let isFollowed = next.map { $0.kind != .mark && $0.line == token.line } ?? false
    let isNamed = token.text.hasSuffix(" \\\"") || (token.text == "\\\"" && isFollowed)
    if token.text.contains("`") || (isNamed && !headerModules.contains(module)) {
      findings.append(Finding(path: file.path, line: token.line, says: "a message names things in “ ”"))
    }
  }
  return findings
}

/// The modules with messages for people.
private let speakingModules: Set<String> = [
  "GameConfCore", "GameConfZones", "GameConfFormats", "GameConfEngine", "GameConfStorage", "GameConfHTTP", "gameconfctl", "gameconfd",
]
/// The modules that write ETags of revisions, which have straight quotes.
private let headerModules: Set<String> = ["GameConfHTTP", "gameconfctl"]

/// Types that are composed of machines, with the number of stored variables that they may have.
let storedVariablesMax = ["WatchLoop": 8]

/// State goes into a machine with its own tests, not into the type that drives the machines.
let fewStoredVariables = FileRule(name: "few stored variables") { file in
  guard file.isSource else { return [] }
  return storedVariablesMax.sorted { $0.key < $1.key }.flatMap { type, max in
    file.storedVariables(of: type).dropFirst(max).map {
      Finding(path: file.path, line: $0, says: "\(type) has at most \(max) stored variables; put the state into one of its machines")
    }
  }
}

/// All rules that check one file at a time.
let fileRules: [FileRule] =
  [
    arrowsPointDown, noWholeFoundation, noXCTest, noCrashes, noSleepInTests, noLongFiles, noEmptyNames, openingSentence, plainComments,
    noWorkplace, oneStyleOfQuotes, namesWhereTheyStand, noTableProtocols,
    writingPublishes, useCasesHaveNames, fewStoredVariables,
  ] + surfaceRules
