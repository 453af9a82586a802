// Removes the values of secret parameters from the daemon's responses, for the panel and the tools of assistants with any user.

import GameConfCore

/// Hides the values of secret keys wherever a response contains them.
struct SecretFilter: Equatable, Sendable {
  let keys: Set<String>

  /// The names of members that contain a parameter's value in an object with a member `key`.
  private static let valued: Set<String> = ["value", "before", "after", "default", "effective", "was", "now", "pinned"]

  init(keys: Set<String>) { self.keys = keys }

  /// Creates a filter for the secret keys of a catalog.
  /// - Parameter catalog: The daemon's description of the catalog.
  init(catalog: Value) {
    var keys: Set<String> = []
    for parameter in catalog["parameters"]?.listValue ?? [] where parameter["secret"] == .bool(true) {
      if let key = parameter["key"]?.stringValue { keys.insert(key) }
    }
    self.keys = keys
  }

  /// Returns a value in which null replaces each secret, with the member `masked` beside it.
  func masked(_ value: Value) -> Value {
    keys.isEmpty ? value : walk(value, isSecret: false)
  }

  private func walk(_ value: Value, isSecret: Bool) -> Value {
    switch value {
    case .list(let values): return .list(values.map { walk($0, isSecret: isSecret) })
    case .object(let object):
      let isOwn = isSecret || object["key"]?.stringValue.map(keys.contains) ?? false
      var out = ObjectValue()
      for member in object.members {
        if isOwn, Self.valued.contains(member.name) {
          out[member.name] = .null
          out["masked"] = true
        } else if keys.contains(member.name) {
          // The members of this object are named by keys. Each is a value, or an object with a value and its source.
          let isDetailed = member.value["value"] != nil && member.value["source"] != nil
          out[member.name] = isDetailed ? walk(member.value, isSecret: true) : .null
        } else {
          out[member.name] = walk(member.value, isSecret: isOwn)
        }
      }
      return .object(out)
    default: return value
    }
  }
}
