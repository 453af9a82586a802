// Aliases that a person types in the place of keys.

import GameConfAPI
import GameConfCore

extension DaemonClient {
  /// The key of the game's parameter with that alias; nil where there is none.
  func key(withAlias name: String?, in game: String?) async -> String? {
    guard let name, let game else { return nil }
    let keys = await keys([name], in: game)
    return keys == [name] ? nil : keys.first
  }

  /// The same words with keys in the place of aliases.
  func keys(_ words: [String], in game: String) async -> [String] {
    guard let catalog = try? await ask(Calls.catalog, ["game": game]).value else { return words }
    var keys: [String: String] = [:]
    for parameter in catalog["parameters"]?.listValue ?? [] {
      if let alias = parameter["alias"]?.stringValue { keys[alias] = parameter["key"]?.stringValue }
    }
    return words.map { keys[$0] ?? $0 }
  }
}
