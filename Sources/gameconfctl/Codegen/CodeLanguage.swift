// The programming languages in which code for a game's keys is generated.

import ArgumentParser

/// Generates code for a game's keys in one language.
protocol CodeGenerator {
  /// Returns the content of the generated file. It is deterministic: the same model gives the same bytes.
  func code(of model: CodeModel) -> String
}

enum CodeLanguage: String, ExpressibleByArgument, CaseIterable {
  case swift, c, csharp, lua, python

  /// True if the user can choose a prefix for the generated names.
  var takesPrefix: Bool { self == .swift || self == .c }
  /// True if the user can choose a namespace for the generated names.
  var takesNamespace: Bool { self == .swift || self == .csharp }

  /// Returns the generator for this language.
  /// - Parameters:
  ///   - prefix: The prefix of names; nil for the default, which is the game's id in C and no prefix in Swift.
  ///   - namespace: The namespace of names; nil for the default, which is the game's id.
  func generator(of game: String, prefix: String?, namespace: String?) -> any CodeGenerator {
    switch self {
    case .swift: SwiftCode(prefix: prefix ?? "", namespace: namespace ?? CodeNames.pascal(game) + "Config")
    case .c: CCode(prefix: prefix ?? CodeNames.snake(game))
    case .csharp: CSharpCode(namespace: namespace ?? CodeNames.pascal(game))
    case .lua: LuaCode()
    case .python: PythonCode()
    }
  }
}
