// Generates a game's keys for Lua, on top of gameconf.lua, which calls the client library by LuaJIT's ffi.

import GameConfCore

struct LuaCode: CodeGenerator {
  func code(of model: CodeModel) -> String {
    let names = CodeNames.unique(
      model.keys.map { CodeNames.snake($0.key) }, reserved: Self.keywords.union(Self.events).union(["_game"]))
    var lines = [
      "-- \(model.headline)", "--", "--   local config = require \"…\"",
      "--   local game = gameconf.open{game = config.game, player = \"p1\"\(model.image.isEmpty ? "" : ", defaults = config.defaults")}",
      "--   local values = config.new(game)", "",
      "local Config = {}", "Config.__index = Config", "local module = {game = \(Self.literal(model.game))}", "",
      "-- The values of a game that gameconf.open opened.", "function module.new(game) return setmetatable({_game = game}, Config) end",
    ]
    var section = ""
    for (key, name) in zip(model.keys, names) {
      lines.append("")
      if key.section != section { lines += CodeText.lines(key.section).map { "-- \($0)" } + [""] }
      section = key.section
      lines += key.notes.map { $0.isEmpty ? "---" : "--- \($0)" }
      let (call, fallback) = Self.reading(key)
      lines.append("function Config:\(name)() return self._game:\(call)(\(Self.literal(key.key)), \(fallback)) end")
    }
    let choosing = zip(model.keys, names).filter { !$0.0.choices.isEmpty }
    if !choosing.isEmpty {
      lines += ["", "-- The values that keys admit.", "module.values = {"]
      for (key, name) in choosing {
        lines.append("  \(name) = {")
        lines += table(key.choices.map { CodeGroup.Member(id: $0, title: "") }, indent: "    ") + ["  },"]
      }
      lines.append("}")
    }
    for group in model.groups {
      lines += ["", "-- The ids of the game's \(group.plural).", "module.\(group.plural) = {"] + table(group.members, indent: "  ") + ["}"]
    }
    if !model.image.isEmpty {
      lines += ["", "-- The keys' defaults as an image.", "module.defaults = table.concat{"]
      lines += CodeText.packed(Self.escapes(model.image), lineLength: 120).map { "  \"\($0)\"," } + ["}"]
    }
    return (lines + ["", "return module"]).joined(separator: "\n") + "\n"
  }

  private func table(_ members: [CodeGroup.Member], indent: String) -> [String] {
    let names = CodeNames.unique(members.map { CodeNames.snake($0.id) }, reserved: Self.keywords)
    return zip(members, names).map { member, name in
      let title = CodeText.lines(member.title).joined(separator: " ")
      return "\(indent)\(name) = \(Self.literal(member.id))," + (title.isEmpty ? "" : " -- \(title)")
    }
  }

  /// Returns the method of the client library that reads a key, and the key's fallback as a literal.
  private static func reading(_ key: CodeKey) -> (String, String) {
    switch key.kind {
    case .boolean: ("bool", CodeText.number(key.fallback))
    case .integer: ("int", integer(key.fallback.integerValue ?? 0))
    case .double: ("double", CodeText.number(key.fallback))
    case .string: ("string", literal(key.fallback.stringValue ?? ""))
    case .dailySeed: ("daily_seed", literal(key.fallback.stringValue ?? ""))
    case .json: ("json", literal(key.json))
    }
  }

  /// Writes an integer. Lua's numbers are doubles, and beyond 2⁵³ only LuaJIT's 64-bit integers are exact.
  private static func integer(_ number: Int64) -> String {
    if number.magnitude <= 1 << 53 { return String(number) }
    return number == .min ? "-\(Int64.max)LL - 1" : "\(number)LL"
  }

  static func literal(_ text: String) -> String {
    CodeText.quoted(text) { scalar in
      SafeText.isDangerous(scalar) ? String(scalar).utf8.map { "\\" + CodeText.digits($0, radix: 10, count: 3) }.joined() : nil
    }
  }

  /// Escapes bytes for a string literal. Every escape has three digits, because a digit after a shorter escape would be read as a part of
  /// the escape.
  private static func escapes(_ bytes: [UInt8]) -> [String] {
    bytes.map { byte in
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(decoding: [byte], as: UTF8.self)
      case 0x20..<0x7F: String(decoding: [byte], as: UTF8.self)
      default: "\\" + CodeText.digits(byte, radix: 10, count: 3)
      }
    }
  }

  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local", "nil", "not", "or", "repeat",
    "return", "then", "true", "until", "while",
  ]
  /// The members of a metatable that have a meaning in Lua, so that a key with such a name gets another one.
  private static let events: Set<String> = [
    "__add", "__call", "__close", "__concat", "__div", "__eq", "__gc", "__idiv", "__index", "__ipairs", "__le", "__len", "__lt",
    "__metatable", "__mod", "__mode", "__mul", "__name", "__new", "__newindex", "__pairs", "__pow", "__sub", "__tostring", "__unm",
  ]
}
