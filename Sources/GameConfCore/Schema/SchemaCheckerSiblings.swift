// Validates the keywords that compare a value with another member (a sibling) of the same object.

extension SchemaChecker {
  mutating func checkSiblings(_ node: SchemaNode, _ value: Value, _ around: EnclosingObject?) {
    guard node.indexInto != nil || node.sameLengthAs != nil || node.differsFrom != nil else { return }
    guard let around else { return report("It must be in an object: its schema names a member beside it.") }
    if let sibling = node.indexInto { checkIndex(value, into: sibling, around) }
    if let sibling = node.sameLengthAs, case .list(let elements) = value { checkLength(elements, as: sibling, around) }
    if let sibling = node.differsFrom { checkDifference(node, value, from: sibling, around) }
  }

  private mutating func checkIndex(_ value: Value, into sibling: String, _ around: EnclosingObject) {
    guard let list = around.object[sibling]?.listValue else {
      return report("There is no list “\(sibling)” beside it that it could be an index into.")
    }
    func check(_ index: Value, _ checker: inout SchemaChecker) {
      if let number = index.losslessInteger, list.indices.contains(Int(number)) { return }
      if list.isEmpty { return checker.report("It must be an index into “\(sibling)”, which is empty.") }
      checker.report("It must be an index into “\(sibling)”, from 0 to \(list.count - 1), and is \(index.shown).")
    }
    guard case .list(let indices) = value else { return check(value, &self) }
    spend(indices.count)
    for (at, index) in indices.enumerated() where !isDone { inElement(at) { check(index, &$0) } }
  }

  private mutating func checkLength(_ elements: [Value], as sibling: String, _ around: EnclosingObject) {
    guard let list = around.object[sibling]?.listValue else {
      return report("There is no list “\(sibling)” beside it to be as long as.")
    }
    if elements.count != list.count {
      report("It must have as many elements as “\(sibling)”, \(list.count), one for each, and has \(elements.count).")
    }
  }

  private mutating func checkDifference(_ node: SchemaNode, _ value: Value, from sibling: String, _ around: EnclosingObject) {
    guard let other = around.object[sibling] else { return }
    let pointed = list(pointedAtBy: around.node.properties[sibling], around)
    let others = meanings(other, pointed?.list)
    let ownPositions = pointed?.name == around.property ? Set(indices(other)) : []
    let own = node.indexInto.flatMap { around.object[$0]?.listValue }
    func check(_ element: Value, at position: Int?, _ checker: inout SchemaChecker) {
      if let position, ownPositions.contains(position) { return }
      checker.spend(others.count)
      for meaning in checker.meanings(element, own) {
        guard !checker.isDone, let same = others.first(where: { checker.clashes(meaning, $0) }) else { continue }
        return checker.report("It must differ from “\(sibling)”, and is the same: \(same.shown).")
      }
    }
    guard case .list(let elements) = value else { return check(value, at: around.element, &self) }
    for (at, element) in elements.enumerated() where !isDone { inElement(at) { check(element, at: at, &$0) } }
  }

  /// Returns the list to which a member's index refers. The member's schema names the list with the keyword `index_into`, also through
  /// `$ref`, `items` and `allOf`. Returns nil if there is no such list.
  private func list(pointedAtBy number: Int?, _ around: EnclosingObject) -> (name: String, list: [Value])? {
    var waiting = [number].compactMap { $0 }
    var looked = 0
    while let next = waiting.popLast(), looked < SchemaLimits.chainMax {
      looked += 1
      let node = program.nodes[next]
      if let name = node.indexInto, let list = around.object[name]?.listValue { return (name, list) }
      waiting += [node.reference, node.items].compactMap { $0 } + node.allOf
    }
    return nil
  }

  private func indices(_ value: Value) -> [Int] {
    switch value {
    case .list(let elements): elements.compactMap { $0.losslessInteger.map(Int.init) }
    default: value.losslessInteger.map { [Int($0)] } ?? []
    }
  }

  /// Returns the values that `differs_from` compares: the elements to which indices refer, else the elements of a list, else the value
  /// itself.
  private func meanings(_ value: Value, _ pointed: [Value]?) -> [Value] {
    if let pointed { return indices(value).compactMap { pointed.indices.contains($0) ? pointed[$0] : nil } }
    return value.listValue ?? [value]
  }

  /// True if both values could look the same to a player: the values are equal, or their texts in one of the game's locales are equal.
  private func clashes(_ left: Value, _ right: Value) -> Bool {
    if left.isWorth(right) { return true }
    return locales.contains { locale in
      guard let left = text(of: left, in: locale), let right = text(of: right, in: locale) else { return false }
      return left == right
    }
  }

  private func text(of value: Value, in locale: String) -> String? {
    switch value {
    case .string(let text): text
    case .object(let texts): texts[locale]?.stringValue
    default: nil
    }
  }
}
