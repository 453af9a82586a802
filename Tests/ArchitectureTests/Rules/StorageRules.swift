// Rules about the modules that store data: the order of GameConfStorage's folders, no protocols for tables, and how changes are published.

/// The rule that no protocol separates a table from the two transaction types. Such a protocol would repeat each method of a table.
let noTableProtocols = FileRule(name: "no protocol for a table") { file in
  guard file.isSource else { return [] }
  return zip(file.tokens, file.tokens.dropFirst()).filter { keyword, name in
    keyword.isWord("protocol") && ["Reading", "Writing", "Appending"].contains { name.text.hasSuffix($0) }
  }.map { _, name in
    Finding(path: file.path, line: name.line, says: "`\(name.text)` has one implementation; extend ReadTransaction or WriteTransaction")
  }
}

/// The rule that a use case does not publish changes of stored state by hand, because it could forget to. The transaction that writes the
/// state publishes its change.
let writingPublishes = FileRule(name: "writing publishes") { file in
  guard file.path.hasPrefix("Sources/GameConfEngine/") else { return [] }
  return zip(file.tokens, file.tokens.dropFirst(3)).enumerated().compactMap { at, pair in
    let between = file.tokens[(at + 1)..<(at + 3)].map(\.text)
    guard pair.0.isWord("publish"), between == ["(", "."], ["player", "play", "audited"].contains(pair.1.text) else { return nil }
    return Finding(path: file.path, line: pair.1.line, says: "the transaction that writes `.\(pair.1.text)` publishes it")
  }
}

/// The rule that a use case in GameConfEngine is a named method of a service or of the store, and not a type that is called like a
/// function. ReloadCatalogs, an actor, is exempt.
let useCasesHaveNames = FileRule(name: "a use case is a method") { file in
  guard file.path.hasPrefix("Sources/GameConfEngine/"), !file.path.hasSuffix("/ReloadCatalogs.swift") else { return [] }
  return file.tokens.filter { $0.isWord("callAsFunction") }.map { token in
    Finding(path: file.path, line: token.line, says: "a use case is a method of a service or of the store, with a name")
  }
}

/// The folders of GameConfStorage in levels, the lowest level first. A folder may use types of lower levels only.
let storageFolders: [Set<String>] = [["Library"], ["Tables"], ["Shell"], ["SQLite", "Postgres"], ["Moving"]]

/// Returns the places in GameConfStorage where a file names a type of a higher folder, or of another folder on the same level.
func storageFoldersOutOfOrder(files: [SourceFile]) -> [Finding] {
  let ours = files.filter { $0.path.hasPrefix(storagePath) && $0.path.hasSuffix(".swift") }
  var findings: [Finding] = []
  var owners: [String: (folder: String, level: Int)] = [:]
  for file in ours {
    let folder = storageFolder(of: file)
    guard let level = storageFolders.firstIndex(where: { $0.contains(folder) }) else {
      findings.append(Finding(path: file.path, line: 1, says: "`\(folder)` is no folder of the store; they are in `storageFolders`"))
      continue
    }
    for name in file.sharedTypes { owners[name] = (folder, level) }
  }
  for file in ours {
    let folder = storageFolder(of: file)
    guard let level = storageFolders.firstIndex(where: { $0.contains(folder) }) else { continue }
    let own = Set(file.declaredTypes.map(\.name))
    for (previous, token) in zip(file.tokens, file.tokens.dropFirst()) where token.isName && !previous.isMark(".") {
      guard let owner = owners[token.text], owner.folder != folder, owner.level >= level, !own.contains(token.text) else { continue }
      findings.append(
        Finding(path: file.path, line: token.line, says: "`\(token.text)` is in \(owner.folder), which is not below \(folder)"))
    }
  }
  return findings
}

private let storagePath = "Sources/GameConfStorage/"

private func storageFolder(of file: SourceFile) -> String {
  String(file.path.dropFirst(storagePath.count).prefix { $0 != "/" })
}
