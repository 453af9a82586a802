// Generates a game's keys for C11 and C++11, on top of gameconf.h.

import GameConfCore

struct CCode: CodeGenerator {
  let prefix: String

  func code(of model: CodeModel) -> String {
    let shouted = prefix.uppercased()
    let guardName = shouted + "_GAMECONF_H"
    let functions = CodeNames.unique(
      model.keys.map { "\(prefix)_\(CodeNames.snake($0.key))" }, reserved: Self.reserved.union(["\(prefix)_options", "\(prefix)_defaults"]))
    // Names are made unique together, because all macros of C share one namespace.
    var wanted = ["\(shouted)_GAME"] + model.keys.map { "\(shouted)_KEY_\(CodeNames.shouted($0.key))" }
    for key in model.keys { wanted += key.choices.map { "\(shouted)_\(CodeNames.shouted(key.key))_\(CodeNames.shouted($0))" } }
    for group in model.groups { wanted += group.members.map { "\(shouted)_\(group.noun.uppercased())_\(CodeNames.shouted($0.id))" } }
    var macros = CodeNames.unique(wanted, reserved: Set(functions).union([guardName, "\(prefix)_options", "\(prefix)_defaults"]))[...]
    let game = macros.removeFirst()
    let keys = macros.prefix(model.keys.count)
    macros = macros.dropFirst(model.keys.count)
    var choices: [[String]] = []
    for key in model.keys {
      choices.append(Array(macros.prefix(key.choices.count)))
      macros = macros.dropFirst(key.choices.count)
    }
    var lines = ["/* \(model.headline) */", "#ifndef \(guardName)", "#define \(guardName)", "", "#include <gameconf.h>"]
    lines += ["#include <string.h>", "", "#define \(game) \(Self.literal(model.game))"]
    for group in model.groups {
      lines += ["", "/* The ids of the game's \(group.plural). */"]
      for (member, macro) in zip(group.members, macros) {
        let title = CodeText.lines(member.title).map(Self.comment).joined(separator: " ")
        lines.append("#define \(macro) \(Self.literal(member.id))" + (title.isEmpty ? "" : " /* \(title) */"))
      }
      macros = macros.dropFirst(group.members.count)
    }
    var section = ""
    for (at, (key, macro)) in zip(model.keys, keys).enumerated() {
      lines.append("")
      if key.section != section { lines += Self.block(CodeText.lines(key.section)) + [""] }
      section = key.section
      lines += self.key(key, functions[at], macro, choices[at])
    }
    lines += [""] + defaults(model, game) + ["", "#endif"]
    return lines.joined(separator: "\n") + "\n"
  }

  private func key(_ key: CodeKey, _ function: String, _ macro: String, _ choices: [String]) -> [String] {
    let life = [.string, .json, .dailySeed].contains(key.kind) ? ["The text lives until the next gameconf_update."] : []
    var lines = Self.block(key.notes + life) + ["#define \(macro) \(Self.literal(key.key))"]
    lines += zip(choices, key.choices).map { "#define \($0) \(Self.literal($1))" }
    let (type, call, fallback) = Self.reading(key)
    lines += ["static inline \(type)\(function)(const gameconf *gc) {", "  return \(call)(gc, \(macro), \(fallback));", "}"]
    return lines
  }

  /// Returns a key's C type, the function of the client library that reads it, and its fallback as a literal.
  private static func reading(_ key: CodeKey) -> (String, String, String) {
    switch key.kind {
    case .boolean: ("bool ", "gameconf_bool", CodeText.number(key.fallback))
    case .integer: ("int64_t ", "gameconf_int", integer(key.fallback.integerValue ?? 0))
    case .double: ("double ", "gameconf_double", CodeText.number(key.fallback))
    case .string: ("const char *", "gameconf_string", literal(key.fallback.stringValue ?? ""))
    case .dailySeed: ("const char *", "gameconf_daily_seed", literal(key.fallback.stringValue ?? ""))
    case .json: ("const char *", "gameconf_json", literal(key.json))
    }
  }

  /// Writes an integer. C has no literal for the smallest one, which is therefore written as a difference.
  private static func integer(_ number: Int64) -> String {
    number == .min ? "(-INT64_C(\(Int64.max)) - 1)" : number < 0 ? "-INT64_C(\(number.magnitude))" : "INT64_C(\(number))"
  }

  private func defaults(_ model: CodeModel, _ game: String) -> [String] {
    var lines: [String] = []
    if !model.image.isEmpty {
      lines += [
        "/* The keys' defaults as an image. */", "#if defined(__GNUC__) || defined(__clang__)", "__attribute__((aligned(8), unused))",
        "#endif",
        "static const unsigned char \(prefix)_defaults[\(model.image.count)] = {",
      ]
      lines += CodeText.packed(model.image.lazy.map { "\($0)," }, lineLength: 120).map { "  " + $0 } + ["};", ""]
    }
    lines += [
      "/* What the game is opened with: add the player and the rest. */", "static inline gameconf_options \(prefix)_options(void) {",
    ]
    lines += ["  gameconf_options options;", "  memset(&options, 0, sizeof options);", "  options.size = sizeof options;"]
    lines.append("  options.game = \(game);")
    if !model.image.isEmpty {
      lines += ["  options.defaults = \(prefix)_defaults;", "  options.defaults_size = sizeof \(prefix)_defaults;"]
    }
    return lines + ["  return options;", "}"]
  }

  private static func block(_ lines: [String]) -> [String] {
    lines.enumerated().map { at, line in
      let text = comment(line)
      return (at == 0 ? "/*" : " *") + (text.isEmpty ? "" : " " + text) + (at == lines.count - 1 ? " */" : "")
    }
  }

  /// Returns a line for a C comment. It neither ends nor begins a comment, contains no trigraph, and does not continue on the next line.
  private static func comment(_ line: String) -> String {
    var previous = UInt8(ascii: " ")
    var bytes: [UInt8] = []
    for byte in line.utf8 {
      let pair = (previous, byte)
      if pair == (UInt8(ascii: "*"), UInt8(ascii: "/")) || pair == (UInt8(ascii: "/"), UInt8(ascii: "*"))
        || pair == (UInt8(ascii: "?"), UInt8(ascii: "?"))
      {
        bytes.append(UInt8(ascii: " "))
      }
      bytes.append(byte)
      previous = byte
    }
    if bytes.last == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: ".")) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a C string literal in ASCII, which compilers read in the same way with every source encoding. It is split into pieces that are
  /// no longer than compilers accept.
  static func literal(_ text: String) -> String {
    let pieces = text.utf8.map { byte -> String in
      switch byte {
      case UInt8(ascii: "\""): "\\\""
      case UInt8(ascii: "\\"): "\\\\"
      case UInt8(ascii: "?"): "\\?"
      case UInt8(ascii: "\n"): "\\n"
      case 0x20..<0x7F: String(decoding: [byte], as: UTF8.self)
      default: "\\" + CodeText.digits(byte, radix: 8, count: 3)
      }
    }
    let parts = CodeText.packed(pieces, lineLength: 100)
    return parts.isEmpty ? "\"\"" : parts.map { "\"\($0)\"" }.joined(separator: " ")
  }

  /// Reserved words of C that a prefix and a key may form together.
  private static let reserved: Set<String> = [
    "and_eq", "char16_t", "char32_t", "char8_t", "const_cast", "dynamic_cast", "not_eq", "or_eq", "reinterpret_cast", "static_assert",
    "static_cast", "thread_local", "wchar_t", "xor_eq", "size_t", "ptrdiff_t", "max_align_t", "intmax_t", "intptr_t", "uintmax_t",
    "uintptr_t", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
  ]
}
