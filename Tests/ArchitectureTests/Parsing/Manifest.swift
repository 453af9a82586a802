// Parses Package.swift for the rules: the targets with their dependencies, and the required versions of packages.

/// A target that Package.swift declares, with its dependencies.
struct ManifestTarget: Hashable, Sendable {
  enum Kind: String, Sendable { case target, executableTarget, testTarget, systemLibrary, plugin, macro, binaryTarget }
  let kind: Kind
  let name: String
  /// The names of the targets and products on which the target depends.
  let dependencies: [String]
  /// The labels of the arguments in the target's declaration, such as `swiftSettings`.
  let labels: Set<String>
  let line: Int
}

/// The targets and the package dependencies that Package.swift declares.
struct Manifest: Sendable {
  let targets: [ManifestTarget]
  /// The package dependencies: the address, and the labels of the arguments, such as `url` and `exact`.
  let packages: [(address: String, labels: Set<String>, line: Int)]

  init(text: String) {
    let tokens = Tokenizer.tokens(of: text)
    let lists = Self.lists(in: tokens)
    var targets: [ManifestTarget] = []
    var packages: [(address: String, labels: Set<String>, line: Int)] = []
    for index in tokens.indices where index + 2 < tokens.count && tokens[index].isMark(".") && tokens[index + 2].isMark("(") {
      let name = tokens[index + 1].text
      let arguments = Self.arguments(of: Self.balanced(tokens, from: index + 2))
      if name == "package" {
        packages.append((arguments["url"]?.first?.text ?? "", Set(arguments.keys), tokens[index].line))
      } else if let kind = ManifestTarget.Kind(rawValue: name), let own = arguments["name"]?.first(where: { $0.kind == .text }),
        arguments.count > 1 || !Self.isInDependencies(tokens, index)
      {
        targets.append(
          ManifestTarget(
            kind: kind, name: own.text, dependencies: Self.dependencies(arguments["dependencies"] ?? [], lists: lists),
            labels: Set(arguments.keys), line: tokens[index].line))
      }
    }
    self.targets = targets
    self.packages = packages
  }

  /// True if the innermost open bracket before a token is that of `dependencies: [`. There, `.target(name: "X")` is a dependency and not a
  /// declaration.
  private static func isInDependencies(_ tokens: [Token], _ index: Int) -> Bool {
    var depth = 0
    for before in stride(from: index - 1, through: 1, by: -1) {
      if tokens[before].isMark("]") || tokens[before].isMark(")") { depth += 1 }
      if tokens[before].isMark("[") || tokens[before].isMark("(") {
        depth -= 1
        if depth < 0 { return before >= 2 && tokens[before - 2].isWord("dependencies") }
      }
    }
    return false
  }

  /// Returns the lists of dependencies that Package.swift declares as constants, by the constant's name.
  private static func lists(in tokens: [Token]) -> [String: [Token]] {
    var lists: [String: [Token]] = [:]
    for (index, token) in tokens.enumerated() where token.isWord("let") && index + 1 < tokens.count {
      if tokens[index + 1].isWord("package") { break }
      guard let equals = tokens[index...].firstIndex(where: { $0.isMark("=") }) else { continue }
      let end = tokens[equals...].firstIndex { $0.isWord("let") } ?? tokens.endIndex
      lists[tokens[index + 1].text] = Array(tokens[(equals + 1)..<end])
    }
    return lists
  }

  /// Returns the tokens between the bracket at `start` and its matching bracket.
  private static func balanced(_ tokens: [Token], from start: Int) -> ArraySlice<Token> {
    var depth = 0
    for index in start..<tokens.count {
      if ["(", "["].contains(tokens[index].text), tokens[index].kind == .mark { depth += 1 }
      if [")", "]"].contains(tokens[index].text), tokens[index].kind == .mark {
        depth -= 1
        if depth == 0 { return tokens[(start + 1)..<index] }
      }
    }
    return tokens[(start + 1)...]
  }

  /// Returns the tokens of each argument of a call, by the argument's label.
  private static func arguments(of tokens: ArraySlice<Token>) -> [String: [Token]] {
    var depth = 0
    var label = ""
    var arguments: [String: [Token]] = [:]
    for (index, token) in zip(tokens.indices, tokens) {
      if token.kind == .mark, ["(", "["].contains(token.text) { depth += 1 }
      if token.kind == .mark, [")", "]"].contains(token.text) { depth -= 1 }
      if depth == 0, token.kind == .word, index + 1 < tokens.endIndex, tokens[index + 1].isMark(":") {
        label = token.text
        arguments[label] = []
      } else if depth > 0 || !token.isMark(":") && !token.isMark(",") {
        arguments[label, default: []].append(token)
      }
    }
    return arguments
  }

  private static func dependencies(_ tokens: [Token], lists: [String: [Token]]) -> [String] {
    var names: [String] = []
    for (index, token) in tokens.enumerated() {
      // In `.product(name: "X", package: "Y")` the second string is the name of a package, and not a dependency.
      let label = index >= 2 && tokens[index - 1].isMark(":") ? tokens[index - 2].text : ""
      if token.kind == .text, label == "" || label == "name" { names.append(token.text) }
      if token.kind == .word, let list = lists[token.text], index == 0 || !tokens[index - 1].isMark(".") {
        names += dependencies(list, lists: lists)
      }
    }
    return names
  }
}
