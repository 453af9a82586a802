// Detects parameters whose values depend on each other in a cycle, and chains of references that are too long.

extension CatalogCheck {
  private struct ParameterReference {
    var key: String
    var path: CatalogPath
  }

  /// Searches the references between parameters depth first. The search has an explicit stack, since a chain of 3 000 parameters would
  /// exhaust the thread's stack.
  mutating func checkCycles() {
    let edges = Dictionary(catalog.parameters.map { ($0.key, references(of: $0)) }, uniquingKeysWith: { first, _ in first })
    var isDone: [String: Bool] = [:]
    var depths: [String: Int] = [:]
    for parameter in catalog.parameters where isDone[parameter.key] == nil {
      var stack: [(key: String, next: Int)] = [(parameter.key, 0)]
      isDone[parameter.key] = false
      while let top = stack.last {
        let onward = edges[top.key] ?? []
        guard top.next < onward.count else {
          isDone[top.key] = true
          stack.removeLast()
          let depth = 1 + (onward.map { depths[$0.key] ?? 0 }.max() ?? 0)
          depths[top.key] = depth
          // Only the first parameter beyond the limit is reported, not every one after it in the same chain.
          if depth == Self.referenceDepthMax + 2, !cyclic.contains(top.key) { reportDepth(of: top.key) }
          continue
        }
        stack[stack.count - 1].next += 1
        let edge = onward[top.next]
        guard parameters[edge.key] != nil else { continue }
        switch isDone[edge.key] {
        case nil:
          isDone[edge.key] = false
          stack.append((edge.key, 0))
        case false?: report(cycle: stack.map(\.key).drop { $0 != edge.key }, closing: edge)
        case true?: break
        }
      }
    }
  }

  private mutating func report(cycle keys: ArraySlice<String>, closing edge: ParameterReference) {
    cyclic.formUnion(keys)
    if faults.count >= Self.suggestionsMax { return fault(edge.path, "This closes another circle.", reference: edge.key) }
    let shown = keys.count > 12 ? Array(keys.prefix(12)) + ["…"] : Array(keys)
    let circle = (shown + [edge.key]).joined(separator: " → ")
    fault(edge.path, "These parameters depend on each other in a circle: \(circle).", reference: edge.key)
  }

  private mutating func reportDepth(of key: String) {
    fault(
      ["parameters", key],
      "This value, or a condition or bound of it, depends on more than \(Self.referenceDepthMax) parameters one after another.",
      aboutName: true)
  }

  private func references(of parameter: Parameter) -> [ParameterReference] {
    let path: CatalogPath = ["parameters", parameter.key]
    var edges: [ParameterReference] = []
    func add(_ source: ValueSource, _ path: CatalogPath) {
      if case .parameter(let key) = source { edges.append(ParameterReference(key: key, path: path)) }
    }
    func add(_ expression: LogicExpression?, _ path: CatalogPath) {
      for key in expression?.reads.parameters.sorted() ?? [] { edges.append(ParameterReference(key: key, path: path)) }
    }
    add(parameter.defaultValue, path.appending("default"))
    if let range = parameter.range {
      for (name, bound) in [("min", range.min), ("max", range.max), ("above", range.above), ("below", range.below)] {
        if case .parameter(let key) = bound { edges.append(ParameterReference(key: key, path: path.appending("range", name))) }
      }
    }
    for (index, rule) in parameter.rules.enumerated() {
      add(rule.value, path.appending("rules", String(index), "value"))
      add(rule.condition, path.appending("rules", String(index)))
    }
    add(parameter.flagd?.targeting, path.appending("flagd", "targeting"))
    return edges
  }
}
