// Finds the position in a file at which a part of the catalog is written.

import GameConfCore

struct CatalogPositionFinder {
  let root: YAMLNode
  /// The positions of list elements that were not decoded. The catalog's indices do not count them.
  var leftOut: Set<TextPosition> = []

  func place(of finding: CatalogFinding) -> TextPosition {
    if let key = finding.reference, let node = node(at: finding.path.steps), let place = reference(to: key, in: node) { return place }
    return place(of: finding.path.steps, isAboutName: finding.isAboutName)
  }

  /// Returns the position of the node at a path. If the path leads nowhere, it returns the position of the last name on the path that
  /// exists.
  func place(of steps: [String], isAboutName: Bool = false) -> TextPosition {
    var node = root
    var name = root.place
    for (index, step) in steps.enumerated() {
      switch node.content {
      case .mapping:
        guard let entry = node[step] else { return index == 0 ? node.place : name }
        (node, name) = (entry.value, entry.namePlace)
      case .list(let elements):
        guard let element = element(step, of: elements) else { return name }
        (node, name) = (element, element.place)
      default: return node.place
      }
    }
    return isAboutName ? name : node.place
  }

  private func node(at steps: [String]) -> YAMLNode? {
    var node = root
    for step in steps {
      switch node.content {
      case .mapping:
        guard let entry = node[step] else { return node }
        node = entry.value
      case .list(let elements):
        guard let element = element(step, of: elements) else { return node }
        node = element
      default: return node
      }
    }
    return node
  }

  private func element(_ step: String, of elements: [YAMLNode]) -> YAMLNode? {
    let remaining = leftOut.isEmpty ? elements : elements.filter { !leftOut.contains($0.place) }
    return Int(step).flatMap { remaining.indices.contains($0) ? remaining[$0] : nil }
  }

  /// Returns the position of a reference `{parameter: key}` in the node or below it; nil if there is no such reference.
  private func reference(to key: String, in node: YAMLNode) -> TextPosition? {
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
