// Validates lists, objects and texts by locale against a schema.

extension SchemaChecker {
  mutating func checkList(_ node: SchemaNode, _ elements: [Value], _ around: EnclosingObject?) {
    if let least = node.minItems, elements.count < least { report("It must have at least \(least) elements, and has \(elements.count).") }
    if let most = node.maxItems, elements.count > most { report("It must have at most \(most) elements, and has \(elements.count).") }
    if node.hasUniqueItems { refuseRepeats(elements.map(Optional.some)) { "It is the same as element \($0); each may appear once." } }
    if let property = node.uniqueBy {
      refuseRepeats(elements.map { $0[property] }) {
        "Its “\(property)” is the same as that of element \($0); each may appear once."
      }
    }
    if let property = node.risingBy { checkOrder(elements, by: property, wanted: .greater, words: "greater") }
    if let property = node.fallingBy { checkOrder(elements, by: property, wanted: .less, words: "less") }
    let first = node.prefixItems
    guard !first.isEmpty || node.items != nil else { return }
    for (index, element) in elements.enumerated() {
      if isDone { return }
      guard let schema = index < first.count ? first[index] : node.items else { return }
      var inside = around
      if inside?.element == nil { inside?.element = index }
      inElement(index) { $0.check(schema, element, inside) }
    }
  }

  private mutating func refuseRepeats(_ values: [Value?], _ message: (Int) -> String) {
    var firstPlaces: [[UInt8]: Int] = [:]
    spend(values.count)
    for (index, value) in values.enumerated() {
      guard let value, !isDone else { continue }
      var key: [UInt8] = []
      JSONWriter.appendCanonical(value.withPlainNumbers, to: &key)
      if let first = firstPlaces[key] {
        inElement(index) { $0.report(message(first)) }
      } else {
        firstPlaces[key] = index
      }
    }
  }

  private mutating func checkOrder(_ elements: [Value], by property: String, wanted: NumberOrder, words: String) {
    var last: Value?
    spend(elements.count)
    for (index, element) in elements.enumerated() {
      guard let value = element[property] else { continue }
      if let last, let order = last.orderOf(value), order != wanted {
        inElement(index) {
          $0.report("Its “\(property)” must be \(words) than the one before, \(last.shown), and is \(value.shown).")
        }
      }
      if value.orderOf(value) != nil { last = value }
    }
  }

  mutating func checkObject(_ node: SchemaNode, _ object: ObjectValue) {
    for name in node.required where object[name] == nil {
      report("The member “\(JSONPointer.clipped(name, bytesMax: 64))” is missing.")
    }
    if let least = node.minProperties, object.count < least { report("It must have at least \(least) members, and has \(object.count).") }
    if let most = node.maxProperties, object.count > most { report("It must have at most \(most) members, and has \(object.count).") }
    let properties = node.properties
    let others = node.additionalProperties
    guard !properties.isEmpty || others != nil else { return }
    for (position, member) in object.members.enumerated() {
      if isDone { return }
      guard let schema = properties[member.name] ?? others else { continue }
      let isUnknown = properties[member.name] == nil && program.nodes[schema].isNever
      let around = EnclosingObject(object: object, node: node, property: member.name, element: nil)
      inMember(member.name, position) { checker in
        if isUnknown {
          let free = node.propertyNames.filter { object[$0] == nil }
          let shown = JSONPointer.clipped(member.name, bytesMax: 64)
          let known = node.propertyNames.isEmpty ? "" : " Known are \(node.propertyNames.prefix(16).joined(separator: ", "))."
          let hint = NearestNames.hint(for: member.name, among: free)
          checker.report("There is no member “\(shown)” here.\(hint.isEmpty ? known : hint)")
        } else {
          checker.check(schema, member.value, around)
        }
      }
    }
  }

  /// Validates an object of texts by locale. It must have one text for each locale of the game and no other, and each text must satisfy the
  /// keywords for texts.
  mutating func checkLocalized(_ node: SchemaNode, _ value: Value) {
    guard case .object(let texts) = value else {
      let example = locales.first ?? "en"
      return report("It must be text by locale, such as {\"\(example)\": \"…\"}, and is \(value.kindShown).", isOtherForm: true)
    }
    if texts.isEmpty, locales.isEmpty { report("It must have a text in at least one locale.", isOtherForm: true) }
    for locale in locales where texts[locale] == nil { report("The text in “\(locale)” is missing.") }
    for (position, member) in texts.members.enumerated() {
      if isDone { return }
      spend(1)
      inMember(member.name, position) { checker in
        if !SchemaChecker.looksLikeLocale(member.name) {
          let name = JSONPointer.clipped(member.name, bytesMax: 64)
          checker.report("“\(name)” is not a locale; a text by locale has members such as en or pt-BR.", isOtherForm: true)
        } else if !checker.locales.isEmpty, !checker.locales.contains(member.name) {
          checker.report("The game does not have the locale “\(member.name)”; it has \(checker.locales.joined(separator: ", ")).")
        } else if case .string(let text) = member.value {
          checker.checkText(node, text)
        } else {
          checker.report("It must be a text, and is \(member.value.kindShown).", isOtherForm: true)
        }
      }
    }
  }

  /// True if the name has the general form of a language tag (RFC 5646): a language of two to eight letters, optionally followed by subtags
  /// of up to eight letters or digits.
  static func looksLikeLocale(_ name: String) -> Bool {
    let parts = name.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    guard let language = parts.first, (2...8).contains(language.count), language.allSatisfy(isLetter) else { return false }
    return parts.dropFirst().allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
}

extension Value {
  /// The value with each whole double replaced by an integer if that is lossless. Numbers that are equal then have the same JSON bytes.
  fileprivate var withPlainNumbers: Value {
    switch self {
    case .double(let double): double.wholeInteger.map(Value.integer) ?? self
    case .list(let elements): .list(elements.map(\.withPlainNumbers))
    case .object(let object): .object(ObjectValue(object.members.map { ($0.name, $0.value.withPlainNumbers) }))
    default: self
    }
  }

  /// Returns the order of another value relative to this one; nil unless both are numbers or both are texts. Texts are ordered by Unicode
  /// scalars.
  fileprivate func orderOf(_ other: Value) -> NumberOrder? {
    if case .string(let left) = other, case .string(let right) = self {
      if left == right { return .equal }
      return left.utf8.lexicographicallyPrecedes(right.utf8) ? .less : .greater
    }
    return Value.compareNumbers(other, self)
  }
}
