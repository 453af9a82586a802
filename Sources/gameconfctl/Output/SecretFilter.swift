// Removes the values of secret parameters from the daemon's responses, for every user of the panel.

import GameConfCore

/// Masks the values of these keys wherever a response contains them.
struct SecretFilter: Equatable, Sendable {
  let keys: Set<String>

  /// The members that contain a value beside a `key`.
  private static let valued: Set<String> = ["value", "before", "after", "default", "effective", "was", "now", "pinned"]

  init(keys: Set<String>) { self.keys = keys }

  /// Reads the secret keys of a catalog's response.
  init(catalog: Value) {
    var keys: Set<String> = []
    for parameter in catalog["parameters"]?.listValue ?? [] where parameter["secret"] == .bool(true) {
      if let key = parameter["key"]?.stringValue { keys.insert(key) }
    }
    self.keys = keys
  }

  /// Returns the value with null in the place of secrets, and `masked` beside it.
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
          // A map by key: of objects that hold a value and its source, or of values.
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
