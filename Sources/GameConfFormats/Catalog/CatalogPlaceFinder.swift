// From a path in the catalog to the place in a file where it is written.

import GameConfCore

enum CatalogPlaceFinder {
  /// Where a finding is to be shown.
  static func place(of finding: CatalogFinding, in root: YAMLNode) -> TextPlace {
    if let key = finding.reference, let node = node(at: finding.path.steps, from: root), let place = reference(to: key, in: node) { return place }
    return place(of: finding.path.steps, from: root, isAboutName: finding.isAboutName)
  }

  /// The place of a path's end; of the nearest name on the way when it leads nowhere.
  static func place(of steps: [String], from root: YAMLNode, isAboutName: Bool) -> TextPlace {
    var node = root
    var name = root.place
    for (index, step) in steps.enumerated() {
      switch node.content {
      case .mapping:
        guard let entry = node[step] else { return index == 0 ? node.place : name }
        (node, name) = (entry.value, entry.namePlace)
      case .list(let elements):
        guard let at = Int(step), elements.indices.contains(at) else { return name }
        (node, name) = (elements[at], elements[at].place)
      default: return node.place
      }
    }
    return isAboutName ? name : node.place
  }

  private static func node(at steps: [String], from root: YAMLNode) -> YAMLNode? {
    var node = root
    for step in steps {
      switch node.content {
      case .mapping:
        guard let entry = node[step] else { return node }
        node = entry.value
      case .list(let elements):
        guard let at = Int(step), elements.indices.contains(at) else { return node }
        node = elements[at]
      default: return node
      }
    }
    return node
  }

  /// Where `{parameter: key}` stands inside a node.
  private static func reference(to key: String, in node: YAMLNode) -> TextPlace? {
    switch node.content {
    case .mapping(let entries):
      for entry in entries {
        if entry.name == "parameter", case .scalar(key, _) = entry.value.content { return entry.value.place }
        if let place = reference(to: key, in: entry.value) { return place }
      }
    case .list(let elements):
      for element in elements {
        if let place = reference(to: key, in: element) { return place }
      }
    case .scalar, .refused: break
    }
    return nil
  }
}
