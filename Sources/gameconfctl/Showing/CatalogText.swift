// What commands need to know of a game's catalog as the daemon tells it.

import GameConfAPI
import GameConfCore

extension CatalogAnswer {
  /// The parameters as they are told: a list of objects with `key`, or an object by key.
  var parameters: [(key: String, members: Value)] {
    switch document["parameters"] {
    case .list(let list): list.compactMap { each in each["key"]?.stringValue.map { ($0, each) } }
    case .object(let object): object.members.map { ($0.name, $0.value) }
    default: []
    }
  }

  /// The type a key is declared with.
  func type(of key: String) -> ParameterType? {
    parameters.first { $0.key == key }?.members["type"]?.stringValue.flatMap(ParameterType.init)
  }
}
