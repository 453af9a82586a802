// Resolves aliases of parameters, which a person may type instead of keys.

import GameConfAPI
import GameConfCore

extension DaemonClient {
  /// Returns the key of the game's parameter that has the alias; nil if no parameter has it.
  func key(withAlias name: String?, in game: String?) async -> String? {
    guard let name, let game else { return nil }
    let keys = await keys([name], in: game)
    return keys == [name] ? nil : keys.first
  }

  /// Returns the words of a command line with each alias replaced by its key.
  func keys(_ words: [String], in game: String) async -> [String] {
    guard let catalog = try? await ask(Calls.catalog, ["game": game]).value else { return words }
    var keys: [String: String] = [:]
    for parameter in catalog["parameters"]?.listValue ?? [] {
      if let alias = parameter["alias"]?.stringValue { keys[alias] = parameter["key"]?.stringValue }
    }
    return words.map { keys[$0] ?? $0 }
  }
}
