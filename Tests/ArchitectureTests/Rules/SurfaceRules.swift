// Rules about the code of gameconfctl and GameConfAPI: consoles, completion of arguments, tables, escaping, and lists of calls.

private let commandFolders = ["Commands"] + ModuleTable.commandFaces.values.flatMap { $0 }

/// True for the files of commands, those of the faces among them.
private func hasCommands(_ file: SourceFile) -> Bool {
  commandFolders.contains { file.path.hasPrefix("Sources/gameconfctl/\($0)/") }
}

/// The rule that a command of gameconfctl uses the console that it is given, and opens no other.
let givenConsole = FileRule(name: "the console is given") { file in
  guard hasCommands(file) else { return [] }
  return zip(file.tokens, file.tokens.dropFirst(2)).filter { $0.isWord("connection") && $1.isWord("console") }.map { connection, _ in
    Finding(path: file.path, line: connection.line, says: "conform to DaemonCommand or ChangeCommand, which give `run` its console")
  }
}

/// Returns the places where the code that completes arguments names a command. Instead, a command declares in its own file how its
/// arguments are completed.
func commandsNamedByFill(files: [SourceFile]) -> [Finding] {
  let commands = Set(files.filter(hasCommands).flatMap { $0.declaredTypes.map(\.name) })
  let fill = files.filter { ["ArgumentFill.swift", "FilledCommands.swift"].contains($0.name) && $0.isSource }
  return fill.flatMap { file in
    file.tokens.filter { $0.isName && commands.contains($0.text) }.map {
      Finding(path: file.path, line: $0.line, says: "\($0.text) conforms in its own file, as `struct \($0.text): …, PlacementCommand`")
    }
  }
}

/// Returns the places outside a face of gameconfctl that name a type of the face. Only `Faces.swift` may, so that the face can be removed
/// with its folders.
func commandFacesNamedOutside(files: [SourceFile]) -> [Finding] {
  ModuleTable.commandFaces.flatMap { face, folders in
    func isOfFace(_ file: SourceFile) -> Bool { folders.contains { file.path.hasPrefix("Sources/gameconfctl/\($0)/") } }
    let types = Set(files.filter(isOfFace).flatMap(\.sharedTypes))
    return files.filter { $0.isSource && $0.module == "gameconfctl" && !isOfFace($0) && $0.name != "Faces.swift" }.flatMap { file in
      let own = Set(file.declaredTypes.map(\.name))
      return zip(file.tokens, file.tokens.dropFirst()).filter {
        !$0.isMark(".") && $1.isName && types.contains($1.text) && !own.contains($1.text)
      }
      .map { _, token in
        Finding(path: file.path, line: token.line, says: "`\(token.text)` is of the face \(face); move what is common out of its folders")
      }
    }
  }
}

/// The rule that code declares each column of a table together with its cell. Headings and cells then cannot differ in their order.
let cellBesideColumn = FileRule(name: "a column beside its cell") { file in
  guard file.isSource, file.module == "gameconfctl" else { return [] }
  return zip(zip(file.tokens, file.tokens.dropFirst()), file.tokens.dropFirst(2)).filter {
    $0.0.isWord("add") && $0.1.isMark("(") && $1.isMark("[")
  }.map { pair, _ in
    Finding(path: file.path, line: pair.0.line, says: "write `Table(rows) { Column(\"key\") { $0.key } }`")
  }
}

/// The rule that the type that displays a text from outside escapes it, so that no command escapes text by hand.
let escapedByType = FileRule(name: "escaped by its type") { file in
  let folders = ["Bridge", "Commands", "Exit", "Input", "MCP", "Options", "Output", "Panel"].map { "Sources/gameconfctl/\($0)/" }
  guard folders.contains(where: file.path.hasPrefix), file.name != "Sentence.swift" else { return [] }
  return zip(file.tokens, file.tokens.dropFirst()).filter { $0.isWord("escaped") && $1.isMark("(") }.map { word, _ in
    Finding(path: file.path, line: word.line, says: "write a Sentence, which escapes what is interpolated")
  }
}

/// The rule that no list repeats calls or shapes. The declaration of a call determines its part in the panel, the assistants' tools and the
/// OpenAPI document, and a second list could differ from it.
let listsFromDeclarations = FileRule(name: "lists from the declaration") { file in
  guard file.isSource, file.module == "GameConfAPI" || file.module == "gameconfctl" else { return [] }
  // gameconfctl lists its commands by type (`A.self`), which is no list of shapes.
  let members: Set<String> = file.module == "GameConfAPI" ? ["endpoint", "self"] : ["endpoint"]
  var findings: [Finding] = []
  var open: [(line: Int, count: Int)] = []
  for (previous, token) in zip(file.tokens, file.tokens.dropFirst()) {
    // Members in parentheses are not counted, because a table of pairs says something else about each call.
    if token.isMark("[") || token.isMark("(") { open.append((token.line, 0)) }
    if previous.isMark("."), token.isName, members.contains(token.text), !open.isEmpty { open[open.count - 1].count += 1 }
    if token.isMark(")") { _ = open.popLast() }
    guard token.isMark("]"), let list = open.popLast(), list.count > 3 else { continue }
    findings.append(
      Finding(path: file.path, line: list.line, says: "write `offers:` at the call, and the parts at their shape; Calls.all has the rest"))
  }
  return findings
}

/// Words with the number of files that may contain them. A word names something that one place decides; if many files contained it, a
/// change would have to find all of them.
private let rareWords: [(word: String, folder: String, filesMax: Int, says: String)] = [
  ("acceptPrice", "Sources/", 6, "an act on a transaction is a case of TransactionAct, and its words are made from that"),
  ("mkdtemp", "Tests/", 3, "TemporaryFolder of TestSupport makes a folder, and removes it"),
]

/// Returns the files that contain a word of ``rareWords``, if they are more than the word's limit.
func wordsInTooManyFiles(files: [SourceFile]) -> [Finding] {
  rareWords.flatMap { rare -> [Finding] in
    let naming = files.filter { ($0.isSource || $0.isTest) && $0.path.hasPrefix(rare.folder) && $0.module != "ArchitectureTests" }
      .compactMap { file in
        file.tokens.first { $0.isName && $0.text == rare.word }.map { Finding(path: file.path, line: $0.line, says: rare.says) }
      }
    return naming.count > rare.filesMax ? naming : []
  }
}

/// The rules about the code of gameconfctl and GameConfAPI that check one file at a time.
let surfaceRules: [FileRule] = [givenConsole, cellBesideColumn, escapedByType, listsFromDeclarations]
