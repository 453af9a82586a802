// An OpenAPI document as a flat list of leaves, so that two documents can be compared.

import GameConfCore

struct OpenAPISnapshot {
  /// The leaves of the document, by path. An element of an unordered list is identified by its content, not by its index.
  private(set) var leaves: [String: Value] = [:]

  init(_ document: Value) { collect(document, at: "") }

  private mutating func collect(_ value: Value, at place: String) {
    switch value {
    case .object(let object):
      if object.members.isEmpty { leaves[place] = value }
      for member in object.members { collect(member.value, at: place + "/" + member.name.replacing("/", with: "~1")) }
    case .list(let list):
      for (index, element) in list.enumerated() { collect(element, at: place + "/" + Self.name(of: element, at: index)) }
      if list.isEmpty { leaves[place] = value }
    default: leaves[place] = value
    }
  }

  /// Returns the identity of a list's element: location and name for a parameter, the text itself for a string, otherwise the index.
  private static func name(of element: Value, at index: Int) -> String {
    if let name = element["name"]?.stringValue { return (element["in"]?.stringValue ?? "name") + ":" + name }
    return element.stringValue.map { "=" + $0.replacing("/", with: "~1") } ?? String(index)
  }

  /// Returns the paths of leaves that differ between two documents.
  static func differences(from before: OpenAPISnapshot, to after: OpenAPISnapshot) -> [String] {
    let places = Set(before.leaves.keys).union(after.leaves.keys)
    return places.filter { before.leaves[$0] != after.leaves[$0] }.sorted()
  }
}

/// An intended difference between two documents, with its reason.
struct MeantDifference {
  /// The path of the leaf, in which `*` matches any text.
  let place: String
  let reason: String

  func covers(_ place: String) -> Bool {
    let parts = self.place.split(separator: "*", omittingEmptySubsequences: false)
    var rest = place[...]
    for (index, part) in parts.enumerated() {
      if index == 0 {
        guard rest.hasPrefix(part) else { return false }
        rest = rest.dropFirst(part.count)
      } else if index == parts.count - 1 {
        return part.isEmpty || rest.hasSuffix(part)
      } else {
        guard let found = rest.firstRange(of: part) else { return false }
        rest = rest[found.upperBound...]
      }
    }
    return rest.isEmpty
  }
}
