// Localizes a value for one caller: each object of texts by locale is replaced by a single text.

struct SchemaLocalizer {
  private let program: SchemaProgram
  private let locales: [String]
  private var checker: SchemaChecker

  init(_ program: SchemaProgram, locales: [String]) {
    self.program = program
    self.locales = locales
    // The checker gets no locales, so that the choice of an alternative does not depend on translations that may be missing.
    self.checker = SchemaChecker(program, locales: [])
  }

  mutating func localizing(_ value: Value) -> Value { localized(value, by: [program.root], nil, depth: 0) ?? value }

  /// Returns the value with its texts by locale replaced by single texts; nil if the schemas declare no localized text in it.
  private mutating func localized(_ value: Value, by nodes: [SchemaNode], _ around: EnclosingObject?, depth: Int) -> Value? {
    let holding = holdingHere(nodes, value, around)
    if holding.isEmpty || depth > SchemaLimits.checkDepthMax { return nil }
    if holding.contains(where: { $0.isLocalized }) { return text(of: value) }
    switch value {
    case .list(var elements):
      var isChanged = false
      for (index, element) in elements.enumerated() {
        let inner = holding.compactMap { index < $0.prefixItems.count ? $0.prefixItems[index] : $0.items }.map { program.nodes[$0] }
        var inside = around
        if inside?.element == nil { inside?.element = index }
        guard let replaced = localized(element, by: inner, inside, depth: depth + 1) else { continue }
        elements[index] = replaced
        isChanged = true
      }
      return isChanged ? .list(elements) : nil
    case .object(let object):
      var changed = object
      var isChanged = false
      for member in object.members {
        let leading = holding.filter { $0.properties[member.name] != nil || $0.additionalProperties != nil }
        guard let first = leading.first else { continue }
        let inner = leading.compactMap { $0.properties[member.name] ?? $0.additionalProperties }.map { program.nodes[$0] }
        let inside = EnclosingObject(object: object, node: first, property: member.name, element: nil)
        guard let replaced = localized(member.value, by: inner, inside, depth: depth + 1) else { continue }
        changed[member.name] = replaced
        isChanged = true
      }
      return isChanged ? .object(changed) : nil
    default: return nil
    }
  }

  /// Returns the schemas that apply to a position of the value and may lead to localized texts. Schemas that these refer to or select are
  /// included.
  private mutating func holdingHere(_ nodes: [SchemaNode], _ value: Value, _ around: EnclosingObject?) -> [SchemaNode] {
    var holding: [SchemaNode] = []
    var waiting = nodes.filter(\.reachesLocalized)
    while let node = waiting.popLast(), holding.count < SchemaLimits.schemasMax {
      holding.append(node)
      var next = [node.reference].compactMap { $0 } + node.allOf
      for form in node.anyOf + node.oneOf where program.nodes[form].reachesLocalized && checker.holds(form, value, around) {
        next.append(form)
      }
      if let condition = node.condition {
        let chosen = checker.holds(condition, value, around) ? node.consequence : node.alternative
        if let chosen { next.append(chosen) }
      }
      waiting += next.map { program.nodes[$0] }.filter(\.reachesLocalized)
    }
    return holding
  }

  private func text(of value: Value) -> Value? {
    guard case .object(let texts) = value else { return nil }
    for locale in locales {
      if let text = texts[locale], text.kind == .string { return text }
    }
    return texts.members.first { $0.value.kind == .string }?.value
  }
}
