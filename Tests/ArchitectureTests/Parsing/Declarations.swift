// Extracts the imports of a Swift file, and the names that the file declares and exports.

/// An `import` declaration in a Swift file.
struct Import: Hashable, Sendable {
  let module: String
  let line: Int
  /// True for an import with `@testable`, which also gives access to internal names.
  var isTestable = false
}

extension SourceFile {
  /// The imports of the file in their order, with all attributes and access levels.
  var imports: [Import] {
    var found: [Import] = []
    for (index, token) in tokens.enumerated() where token.isWord("import") {
      if index > 0, tokens[index - 1].isMark(".") { continue }
      var next = index + 1
      if next + 1 < tokens.count, Self.importKinds.contains(tokens[next].text), tokens[next + 1].isName { next += 1 }
      guard next < tokens.count, tokens[next].kind == .word, tokens[next].line == token.line else { continue }
      let isTestable = tokens[..<index].suffix(2).contains { $0.isWord("testable") && $0.line == token.line }
      found.append(Import(module: tokens[next].text, line: token.line, isTestable: isTestable))
    }
    return found
  }

  /// All names in the file outside of its imports.
  var mentionedNames: Set<String> {
    let importLines = Set(imports.map(\.line))
    return Set(tokens.lazy.filter { $0.isName && !importLines.contains($0.line) }.map(\.text))
  }

  /// The names of all types that the file declares, nested types included, with their lines.
  var declaredTypes: [(name: String, line: Int)] {
    zip(tokens, tokens.dropFirst()).compactMap { keyword, name in
      Self.typeKinds.contains(keyword.text) && keyword.kind == .word && name.isName && name.text != "func" && name.text != "var"
        ? (name.text, name.line) : nil
    }
  }

  /// The names of the file's top-level types that other files can use: all that are not private.
  var sharedTypes: Set<String> {
    var (names, depth): (Set<String>, Int) = ([], 0)
    for (at, token) in tokens.enumerated() where token.kind == .mark || depth == 0 {
      if token.isMark("{") { depth += 1 }
      if token.isMark("}") { depth -= 1 }
      guard depth == 0, token.kind == .word, Self.typeKinds.contains(token.text), at + 1 < tokens.count, tokens[at + 1].isName else {
        continue
      }
      let isPrivate = tokens[..<at].suffix(2).contains { ($0.isWord("private") || $0.isWord("fileprivate")) && $0.line == token.line }
      if !isPrivate { names.insert(tokens[at + 1].text) }
    }
    return names
  }

  /// The names that the file declares, of any kind and visibility.
  var declaredNames: Set<String> { declarations(publicOnly: false) }

  /// The names that other modules can use: public and package declarations, and all cases of enumerations.
  var exportedNames: Set<String> { declarations(publicOnly: true) }

  private func declarations(publicOnly: Bool) -> Set<String> {
    var names: Set<String> = []
    var isPublic = false
    for (index, token) in tokens.enumerated().dropLast() where token.kind == .word {
      let next = tokens[index + 1]
      if token.text == "public" || token.text == "open" || token.text == "package" {
        isPublic = true
      } else if Self.typeKinds.contains(token.text) || Self.memberKinds.contains(token.text) {
        // A case has no access modifier of its own, so every case counts as exported.
        if next.isName, isPublic || !publicOnly || token.text == "case" { names.insert(next.text) }
        if token.text != "class" || next.text != "func" { isPublic = false }
      } else if token.text == "init" || token.text == "subscript" || token.text == "extension" || token.text == "import" {
        isPublic = false
      }
    }
    return names
  }

  private static let importKinds: Set<String> = ["struct", "class", "enum", "protocol", "typealias", "func", "var", "let"]
  private static let typeKinds: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
  private static let memberKinds: Set<String> = ["func", "var", "let", "case", "macro"]
}
