// Generates a game's keys for Swift, on top of the module GameConfClient.

import GameConfCore

struct SwiftCode: CodeGenerator {
  /// The prefix of the generated names of keys; may be empty.
  let prefix: String
  /// The name of the generated enumeration without cases that contains everything but the keys.
  let namespace: String

  func code(of model: CodeModel) -> String {
    var lines = [
      "// \(model.headline)", "// swift-format-ignore-file", "", "import GameConfClient", "",
      "/// The game's id, defaults and further ids.",
      "enum \(namespace) {", "  /// The game's id.", "  static let game = \(Self.literal(model.game))",
    ]
    if !model.image.isEmpty {
      lines += ["  /// The keys' defaults, for the game's “defaults”.", "  static let defaults = Game.image(", "    base64: \"\"\""]
      lines += CodeText.base64(model.image, lineLength: 120).map { "      " + $0 } + ["      \"\"\")"]
    }
    let choosing = model.keys.filter { !$0.choices.isEmpty }
    let groupNames = model.groups.map { CodeNames.pascal($0.plural) }
    let types = CodeNames.unique(
      choosing.map { CodeNames.pascal($0.key) }, reserved: Self.reserved.union(Self.takenTypes).union(groupNames))
    for (key, type) in zip(choosing, types) { lines += ["", "  /// What \(key.key) admits."] + cases(key.choices, type) }
    for (group, name) in zip(model.groups, groupNames) { lines += [""] + self.group(group, name) }
    lines += ["}"]
    let names = CodeNames.unique(
      model.keys.map { prefix.isEmpty ? CodeNames.camel($0.key) : prefix + CodeNames.pascal($0.key) }, reserved: Self.reserved)
    let typed = [String: String](zip(choosing.map(\.key), types), uniquingKeysWith: { first, _ in first })
    for kind in CodeKey.Kind.allCases {
      let keys = zip(model.keys, names).filter { $0.0.kind == kind && typed[$0.0.key] == nil }
      if keys.isEmpty { continue }
      lines += ["", "extension Key<\(Self.type(kind))> {"]
      var section = ""
      for (at, (key, name)) in keys.enumerated() {
        if at > 0 { lines.append("") }
        if key.section != section { lines += CodeText.lines(key.section).map { "  // \($0)" } + [""] }
        section = key.section
        lines += Self.declaration(key, name, default: Self.fallback(key))
      }
      lines.append("}")
    }
    for (key, name) in zip(model.keys, names) {
      guard let type = typed[key.key] else { continue }
      lines += ["", "extension Key<\(namespace).\(type)> {"]
      lines += Self.declaration(key, name, default: ".\(choice(key))") + ["}"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func declaration(_ key: CodeKey, _ name: String, default fallback: String) -> [String] {
    key.notes.map { $0.isEmpty ? "  ///" : "  /// \($0)" } + [
      "  static var \(name): Key { Key(\(literal(key.key)), default: \(fallback)) }"
    ]
  }

  private func cases(_ choices: [String], _ type: String) -> [String] {
    let names = Self.caseNames(choices)
    return ["  enum \(type): String, GameValue, CaseIterable {"]
      + zip(names, choices).map { "    case \($0) = \(Self.literal($1))" } + ["  }"]
  }

  private func choice(_ key: CodeKey) -> String {
    let at = key.choices.firstIndex(of: key.fallback.stringValue ?? "") ?? 0
    return Self.caseNames(key.choices)[at]
  }

  private static func caseNames(_ choices: [String]) -> [String] {
    CodeNames.unique(choices.map(CodeNames.camel), reserved: reserved.union(takenCases))
  }

  private func group(_ group: CodeGroup, _ name: String) -> [String] {
    var lines = ["  /// The ids of the game's \(group.plural).", "  enum \(name) {"]
    let names = CodeNames.unique(group.members.map { CodeNames.camel($0.id) }, reserved: Self.reserved)
    for (member, name) in zip(group.members, names) {
      lines += CodeText.lines(member.title).map { "    /// \($0)" } + ["    static let \(name) = \(Self.literal(member.id))"]
    }
    return lines + ["  }"]
  }

  private static func type(_ kind: CodeKey.Kind) -> String {
    switch kind {
    case .boolean: "Bool"
    case .integer: "Int64"
    case .double: "Double"
    case .string: "String"
    case .json: "JSONText"
    case .dailySeed: "DailySeed"
    }
  }

  private static func fallback(_ key: CodeKey) -> String {
    switch key.kind {
    case .boolean, .integer: CodeText.number(key.fallback)
    case .double: double(key.fallback)
    case .string: literal(key.fallback.stringValue ?? "")
    case .json: "JSONText(\(literal(key.json)))"
    case .dailySeed: "DailySeed(salt: \(literal(key.fallback.stringValue ?? "")))"
    }
  }

  /// Writes a double. Swift's compiler refuses a literal below the least normal double, so such a value is written by its bits.
  private static func double(_ value: Value) -> String {
    guard case .double(let number) = value, number.isSubnormal else { return CodeText.number(value) }
    return "Double(bitPattern: 0x\(String(number.bitPattern, radix: 16, uppercase: true)))"
  }

  static func literal(_ text: String) -> String {
    CodeText.quoted(text) { SafeText.isDangerous($0) ? "\\u{\(String($0.value, radix: 16, uppercase: true))}" : nil }
  }

  /// Words of Swift that need backticks, or that cannot be members at all.
  private static let reserved: Set<String> = [
    "Any", "Protocol", "Self", "Type", "_", "as", "associatedtype", "async", "await", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if",
    "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
    "repeat", "rethrows", "return", "self", "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while", "any", "open",
  ]
  /// The types that the generated file itself names, so that no enumeration may have such a name.
  private static let takenTypes: Set<String> = [
    "Bool", "CaseIterable", "DailySeed", "Double", "Game", "GameValue", "Int64", "JSONText", "Key", "String", "UInt8",
  ]
  /// The members that an enumeration of choices has already, so that no case may have such a name.
  private static let takenCases: Set<String> = ["allCases", "hash", "hashValue", "rawValue", "read"]
}
