// Removes the values of secret parameters from the daemon's responses, for the panel and the tools of assistants with any user.

import GameConfCore

/// Hides the values of secret keys wherever a response contains them.
struct SecretFilter: Equatable, Sendable {
  let keys: Set<String>

  /// The names of members that contain a parameter's value in an object with a member `key`.
  ///
  /// The name of a variant may equal its value, and the reason of a quarantine may quote it.
  private static let valued: Set<String> = [
    "value", "before", "after", "default", "effective", "was", "now", "pinned", "variant", "targeting", "rules", "quarantined",
  ]

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
    if keys.isEmpty { return value }
    var hasReadSecret = false
    return walk(value, isSecret: false, &hasReadSecret)
  }

  /// - Parameter hasReadSecret: Becomes true if the value has a condition that read a secret parameter. The outcomes of that condition and of
  ///   the conditions around it may then contain the secret.
  private func walk(_ value: Value, isSecret: Bool, _ hasReadSecret: inout Bool) -> Value {
    switch value {
    case .list(let values): return .list(values.map { walk($0, isSecret: isSecret, &hasReadSecret) })
    case .object(let object):
      let isOwn = isSecret || isAboutSecret(object)
      var hasRead = false
      var out = ObjectValue()
      for member in object.members {
        if isOwn, hasValue(member, in: object) {
          out[member.name] = .null
          out["masked"] = true
        } else if keys.contains(member.name) {
          // The members of this object are named by keys. Each is a value, or an object with a value and its source.
          let isDetailed = member.value["value"] != nil && member.value["source"] != nil
          out[member.name] = isDetailed ? walk(member.value, isSecret: true, &hasRead) : .null
        } else if member.name.hasPrefix(Self.parameterPrefix), keys.contains(String(member.name.dropFirst(Self.parameterPrefix.count))) {
          hasRead = true
          out[member.name] = .null
        } else {
          out[member.name] = walk(member.value, isSecret: isOwn, &hasRead)
        }
      }
      if hasRead {
        hasReadSecret = true
        for name in ["outcome", "result"] where out[name] != nil { out[name] = .null }
      }
      return .object(out)
    default: return value
    }
  }

  /// The beginning of the name by which the trace of a rule says that a condition read a parameter.
  private static let parameterPrefix = "parameter:"

  /// True if an object is about a secret key: it names the key, or it is a step of a scenario that sets the key.
  private func isAboutSecret(_ object: ObjectValue) -> Bool {
    let name = object["key"] ?? (object["did"] == "value" ? object["name"] : nil)
    return name?.stringValue.map(keys.contains) ?? false
  }

  /// True if a member of an object about a secret key may contain the key's value.
  private func hasValue(_ member: ObjectValue.Member, in object: ObjectValue) -> Bool {
    switch member.name {
    case "result": object["did"] != nil
    case "reason": object["action"] == "override.quarantined"
    case "why": member.value.stringValue?.hasPrefix("in quarantine") ?? false
    default: Self.valued.contains(member.name)
    }
  }
}
