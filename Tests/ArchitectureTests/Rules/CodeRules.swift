// Rules about the code of single files: no crashes, no sleeps, a limited length, and meaningful names.

/// The rule that shipped code has no `fatalError`, forced unwrap or other trap.
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

/// The rule that code reads the name of a directory entry in place. A `dirent` is only as long as its name, and a copy of the whole struct
/// would read beyond it.
let namesWhereTheyStand = FileRule(name: "names of entries where they stand") { file in
  guard file.isSource else { return [] }
  return zip(file.tokens, file.tokens.dropFirst(2)).filter { $0.text == "pointee" && $1.text == "d_name" }.map { pointee, _ in
    Finding(path: file.path, line: pointee.line, says: "d_name is read by its offset; the field is longer than an entry may be")
  }
}

/// The rule that a test does not sleep. It moves its clock by hand, or waits for its condition.
let noSleepInTests = FileRule(name: "no sleep in tests") { file in
  guard file.isTest else { return [] }
  return file.tokens.filter { $0.kind == .word && ["sleep", "usleep", "nanosleep", "clock_nanosleep"].contains($0.text) }.map {
    Finding(path: file.path, line: $0.line, says: "a test does not sleep; move a clock by hand, or wait for the event")
  }
}

/// The rule that a file has at most ``ModuleTable/linesMax`` lines. A longer file contains a second idea.
let noLongFiles = FileRule(name: "no long files") { file in
  guard file.path.hasSuffix(".swift") else { return [] }
  let lines = file.text.utf8.count { $0 == UInt8(ascii: "\n") }
  return lines > ModuleTable.linesMax
    ? [
      Finding(
        path: file.path, line: ModuleTable.linesMax, says: "\(lines) lines, \(ModuleTable.linesMax) are allowed; look for the second idea")
    ] : []
}

/// The rule that names contain no words without meaning, such as `Manager` or `Helper`.
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

/// Returns the words of a name in camel case. A run of capitals is one word with the letters that follow it: `HTTPServerManager` has the
/// words `HTTPServer` and `Manager`.
private func words(ofName name: String) -> [String] {
  var words: [String] = []
  for character in name {
    if character.isUppercase, words.last?.last?.isUppercase != true || words.isEmpty { words.append("") }
    if words.isEmpty { words.append("") }
    words[words.count - 1].append(character)
  }
  return words
}

/// The rule that a file begins with a comment that states its purpose.
let openingSentence = FileRule(name: "an opening sentence") { file in
  guard file.path.hasSuffix(".swift"), file.name != "Package.swift" else { return [] }
  let first = file.text.prefix { $0 != "\n" }
  let says = "a file opens with a sentence in a comment that says what it is for"
  return first.hasPrefix("// ") && first.count > 10 ? [] : [Finding(path: file.path, line: 1, says: says)]
}

/// The rule that comments contain no banners and no notes about unfinished work.
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

/// The rule that files contain no paths of the machine on which they were written.
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

/// The rule that messages to people have names in “ ”, in the same style in every module.
let oneStyleOfQuotes = FileRule(name: "one style of quotes") { file in
  guard file.isSource, let module = file.module, speakingModules.contains(module) else { return [] }
  var findings: [Finding] = []
  for (at, token) in file.tokens.enumerated() where token.kind == .text {
    let next = at + 1 < file.tokens.count ? file.tokens[at + 1] : nil
    // A token's text ends before its first interpolation. So the text before a name in straight quotes ends with the opening quote.
    let isFollowed = next.map { $0.kind != .mark && $0.line == token.line } ?? false
    let isNamed = token.text.hasSuffix(" \\\"") || (token.text == "\\\"" && isFollowed)
    if token.text.contains("`") || (isNamed && !headerModules.contains(module)) {
      findings.append(Finding(path: file.path, line: token.line, says: "a message names things in “ ”"))
    }
  }
  return findings
}

/// The modules that contain messages to people.
private let speakingModules: Set<String> = [
  "GameConfCore", "GameConfZones", "GameConfFormats", "GameConfEngine", "GameConfStorage", "GameConfHTTP", "gameconfctl", "gameconfd",
]
/// The modules that write ETags of revisions. HTTP demands straight quotes for these.
private let headerModules: Set<String> = ["GameConfHTTP", "gameconfctl"]

/// The types that only drive several state machines, with the number of stored variables that each may have.
let storedVariablesMax = ["WatchLoop": 8]

/// The rule that a type in ``storedVariablesMax`` has no more stored variables than its limit. State belongs in one of its state machines,
/// which has its own tests.
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
