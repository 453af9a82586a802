// Compiles a JSON schema. It validates every keyword, resolves the references, and reports all faults together.

struct SchemaCompiler {
  private(set) var faults: [Fault] = []
  private var compiled: [SchemaKeywords] = []
  private var pointers: [String] = []
  private var numbers: [String: Int] = [:]
  private var references: [(node: Int, target: String)] = []

  mutating func program(of schema: Value) throws(Faults) -> SchemaProgram {
    _ = compile(schema, at: "", depth: 0)
    for (node, target) in references { resolve(target, for: node) }
    if faults.isEmpty { refuseEndlessChains() }
    guard faults.isEmpty else { throw Faults(faults) }
    let reaching = nodesReachingLocalized()
    return SchemaProgram(nodes: compiled.indices.map { SchemaNode(compiled[$0], reachesLocalized: reaching[$0]) })
  }

  mutating func fault(_ pointer: String, _ message: String) {
    if faults.count < SchemaLimits.violationsMax { faults.append(Fault(message, at: pointer)) }
  }

  /// Compiles a schema and all schemas inside it, and returns its index in the compiled program.
  /// - Parameter depth: The number of schemas that contain this one, which is limited.
  mutating func compile(_ schema: Value, at pointer: String, depth: Int) -> Int {
    let number = compiled.count
    compiled.append(SchemaKeywords())
    pointers.append(pointer)
    numbers[pointer] = number
    if number >= SchemaLimits.schemasMax {
      if number == SchemaLimits.schemasMax { fault(pointer, "One schema may hold \(SchemaLimits.schemasMax) schemas, not more.") }
      return number
    }
    if depth > SchemaLimits.depthMax {
      fault(pointer, "Schemas may nest \(SchemaLimits.depthMax) deep, not deeper; name parts in $defs.")
      return number
    }
    var keywords = SchemaKeywords()
    switch schema {
    case .bool(let admits): keywords.isNever = !admits
    case .object(let object):
      for member in object.members {
        read(member.name, member.value, at: JSONPointer.appending(member.name, to: pointer), into: &keywords, of: number, depth: depth)
      }
      checkSense(of: keywords, object, at: pointer)
    default: fault(pointer, "A schema is an object of keywords, true or false, and not \(schema.kindShown).")
    }
    compiled[number] = keywords
    return number
  }

  private mutating func read(
    _ name: String, _ value: Value, at pointer: String, into keywords: inout SchemaKeywords, of number: Int, depth: Int
  ) {
    switch name {
    case "type": keywords.types = types(value, at: pointer)
    case "enum": keywords.allowed = choices(value, at: pointer)
    case "const": keywords.allowed = [value]
    case "minimum": keywords.minimum = self.number(value, at: pointer)
    case "maximum": keywords.maximum = self.number(value, at: pointer)
    case "exclusiveMinimum": keywords.exclusiveMinimum = self.number(value, at: pointer)
    case "exclusiveMaximum": keywords.exclusiveMaximum = self.number(value, at: pointer)
    case "multipleOf": keywords.multipleOf = step(value, at: pointer)
    case "minLength": keywords.minLength = count(value, at: pointer)
    case "maxLength": keywords.maxLength = count(value, at: pointer)
    case "pattern": keywords.pattern = pattern(value, at: pointer)
    case "items": keywords.items = compile(value, at: pointer, depth: depth + 1)
    case "prefixItems": keywords.prefixItems = schemas(value, at: pointer, depth: depth)
    case "minItems": keywords.minItems = count(value, at: pointer)
    case "maxItems": keywords.maxItems = count(value, at: pointer)
    case "uniqueItems": keywords.hasUniqueItems = flag(value, at: pointer)
    case "properties":
      let named = namedSchemas(value, at: pointer, depth: depth)
      keywords.propertyNames = named.map(\.name)
      keywords.properties = Dictionary(named.map { ($0.name, $0.number) }) { _, last in last }
    case "required": keywords.required = names(value, at: pointer)
    case "additionalProperties": keywords.additionalProperties = compile(value, at: pointer, depth: depth + 1)
    case "minProperties": keywords.minProperties = count(value, at: pointer)
    case "maxProperties": keywords.maxProperties = count(value, at: pointer)
    case "allOf": keywords.allOf = schemas(value, at: pointer, depth: depth)
    case "anyOf": keywords.anyOf = schemas(value, at: pointer, depth: depth)
    case "oneOf": keywords.oneOf = schemas(value, at: pointer, depth: depth)
    case "not": keywords.not = compile(value, at: pointer, depth: depth + 1)
    case "if": keywords.condition = compile(value, at: pointer, depth: depth + 1)
    case "then": keywords.consequence = compile(value, at: pointer, depth: depth + 1)
    case "else": keywords.alternative = compile(value, at: pointer, depth: depth + 1)
    case "$defs": _ = namedSchemas(value, at: pointer, depth: depth)
    case "$ref": if let target = text(value, at: pointer) { references.append((number, target)) }
    case "localized": keywords.isLocalized = flag(value, at: pointer)
    case "index_into": keywords.indexInto = text(value, at: pointer)
    case "same_length_as": keywords.sameLengthAs = text(value, at: pointer)
    case "differs_from": keywords.differsFrom = text(value, at: pointer)
    case "rising_by": keywords.risingBy = text(value, at: pointer)
    case "falling_by": keywords.fallingBy = text(value, at: pointer)
    case "unique_by": keywords.uniqueBy = text(value, at: pointer)
    default: refuseUnknown(name, value, at: pointer, isRoot: number == 0)
    }
  }

  private mutating func schemas(_ value: Value, at pointer: String, depth: Int) -> [Int] {
    guard case .list(let elements) = value, !elements.isEmpty else {
      fault(pointer, "This must be a list of at least one schema.")
      return []
    }
    return elements.enumerated().map { compile($1, at: JSONPointer.appending($0, to: pointer), depth: depth + 1) }
  }

  private mutating func namedSchemas(_ value: Value, at pointer: String, depth: Int) -> [(name: String, number: Int)] {
    guard case .object(let object) = value else {
      fault(pointer, "This must be an object of schemas by name.")
      return []
    }
    return object.members.map { ($0.name, compile($0.value, at: JSONPointer.appending($0.name, to: pointer), depth: depth + 1)) }
  }

  /// Reports the keywords of one schema that contradict each other.
  private mutating func checkSense(of keywords: SchemaKeywords, _ source: ObjectValue, at pointer: String) {
    func refuse(_ low: String, above high: String) {
      fault(
        JSONPointer.appending(low, to: pointer),
        "\(low) is greater than \(high), so no value fits; it must be at most \(high).")
    }
    if let low = keywords.minimum, let high = keywords.maximum, Value.compareNumbers(low, high) == .greater {
      refuse("minimum", above: "maximum")
    }
    if let low = keywords.minLength, let high = keywords.maxLength, low > high { refuse("minLength", above: "maxLength") }
    if let low = keywords.minItems, let high = keywords.maxItems, low > high { refuse("minItems", above: "maxItems") }
    if let low = keywords.minProperties, let high = keywords.maxProperties, low > high { refuse("minProperties", above: "maxProperties") }
    if source["const"] != nil, source["enum"] != nil {
      fault(JSONPointer.appending("const", to: pointer), "const and enum exclude each other; keep one.")
    }
    if keywords.condition == nil, keywords.consequence != nil || keywords.alternative != nil {
      let name = keywords.consequence != nil ? "then" : "else"
      fault(JSONPointer.appending(name, to: pointer), "\(name) needs an “if” beside it.")
    }
    if keywords.isLocalized { checkLocalized(keywords, source, at: pointer) }
    checkSiblings(of: keywords, at: pointer)
  }

  private mutating func checkLocalized(_ keywords: SchemaKeywords, _ source: ObjectValue, at pointer: String) {
    for name in source.names where SchemaVocabulary.keywords.contains(name) && !SchemaVocabulary.besideLocalized.contains(name) {
      fault(
        JSONPointer.appending(name, to: pointer),
        "\(name) has no meaning beside localized: a text by locale takes type, minLength, maxLength, pattern and differs_from.")
    }
    if let types = keywords.types, types != .string, types != .object {
      fault(JSONPointer.appending("type", to: pointer), "A localized leaf is text: its type is “string”, or not said.")
    }
  }

  /// Reports a keyword that refers to a sibling which no valid object can have. If further schemas apply to the same object, they may
  /// declare the sibling, so nothing is reported.
  private mutating func checkSiblings(of keywords: SchemaKeywords, at pointer: String) {
    guard let others = keywords.additionalProperties, compiled[others].isNever, keywords.inPlace.isEmpty else { return }
    for name in keywords.propertyNames {
      guard let child = keywords.properties[name] else { continue }
      let pairs = [
        ("index_into", compiled[child].indexInto), ("same_length_as", compiled[child].sameLengthAs),
        ("differs_from", compiled[child].differsFrom),
      ]
      for case (let keyword, let sibling?) in pairs where keywords.properties[sibling] == nil {
        let hint = NearestNames.hint(for: sibling, among: keywords.propertyNames)
        fault(
          JSONPointer.appending(keyword, to: JSONPointer.appending(name, to: JSONPointer.appending("properties", to: pointer))),
          "There is no property “\(JSONPointer.clipped(sibling, bytesMax: 64))” beside “\(JSONPointer.clipped(name, bytesMax: 64))”.\(hint)"
        )
      }
    }
  }

  private mutating func resolve(_ target: String, for node: Int) {
    let pointer = JSONPointer.appending("$ref", to: pointers[node])
    let shown = JSONPointer.clipped(target, bytesMax: 128)
    guard target.unicodeScalars.first == "#", let fragment = SchemaVocabulary.percentDecoded(target.dropFirst()),
      let steps = JSONPointer.steps(of: fragment)
    else { return fault(pointer, "“\(shown)” is not a place in this schema; write it as #/$defs/NAME.") }
    if let number = numbers[steps.reduce("") { JSONPointer.appending($1, to: $0) }] {
      compiled[node].reference = number
    } else {
      let known = numbers.keys.filter { $0.hasPrefix("/$defs/") && !$0.dropFirst(7).contains("/") }.sorted().map { "#" + $0 }
      fault(pointer, "There is no schema at “\(shown)”.\(NearestNames.hint(for: target, among: known))")
    }
  }

  /// Reports a cycle of schemas that all apply to the same position of a value, because validation would not terminate (depth-first
  /// search). A cycle through lists or objects is admitted, because each step goes deeper into the value, which is finite.
  private mutating func refuseEndlessChains() {
    var heights = [Int?](repeating: nil, count: compiled.count)
    var isOpen = [Bool](repeating: false, count: compiled.count)
    for start in compiled.indices where heights[start] == nil {
      var stack: [(node: Int, next: Int)] = [(start, 0)]
      isOpen[start] = true
      while let top = stack.last {
        let edges = compiled[top.node].inPlace
        if top.next < edges.count {
          stack[stack.count - 1].next += 1
          let next = edges[top.next]
          if isOpen[next] {
            let name = compiled[top.node].reference == next ? "$ref" : ""
            let pointer = name.isEmpty ? pointers[top.node] : JSONPointer.appending(name, to: pointers[top.node])
            return fault(pointer, "This leads back to itself without going into a list or an object first, and would never end.")
          }
          if heights[next] == nil {
            isOpen[next] = true
            stack.append((next, 0))
          }
        } else {
          let height = 1 + (edges.compactMap { heights[$0] }.max() ?? 0)
          if height > SchemaLimits.chainMax {
            return fault(pointers[top.node], "More than \(SchemaLimits.chainMax) schemas hold at one place, each through the one before.")
          }
          heights[top.node] = height
          isOpen[top.node] = false
          stack.removeLast()
        }
      }
    }
  }

  private func nodesReachingLocalized() -> [Bool] {
    var users = [[Int]](repeating: [], count: compiled.count)
    for (node, keywords) in compiled.enumerated() {
      for next in keywords.choosable + keywords.inside + [keywords.reference].compactMap({ $0 }) { users[next].append(node) }
    }
    var reaching = compiled.map(\.isLocalized)
    var waiting = compiled.indices.filter { reaching[$0] }
    while let node = waiting.popLast() {
      for user in users[node] where !reaching[user] {
        reaching[user] = true
        waiting.append(user)
      }
    }
    return reaching
  }
}
