// The languages that a game's keys are written in.

import ArgumentParser

/// Writes a game's keys in one language.
protocol CodeGenerator {
  /// Returns the whole file; it is deterministic for a model.
  func code(of model: CodeModel) -> String
}

enum CodeLanguage: String, ExpressibleByArgument, CaseIterable {
  case swift, c, csharp, lua, python

  /// True if names begin with a prefix that can be chosen.
  var takesPrefix: Bool { self == .swift || self == .c }
  /// True if names lie in a namespace that can be chosen.
  var takesNamespace: Bool { self == .swift || self == .csharp }

  /// - Parameters:
  ///   - prefix: nil for the default: the game's id in C, no prefix in Swift.
  ///   - namespace: nil for the default: the game's id.
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
