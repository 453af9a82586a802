// Validates a value against its parameter: type, range, step, listed values, pattern, length, schema and size.

/// Validates values against the declarations of their parameters. The rules are the same for defaults, overrides, templates and settings,
/// except for themes.
public enum ParameterAdmission {
  /// The largest size of a value as JSON: 256 KiB.
  public static let valueBytesMax = 256 << 10

  /// Converts a value to the parameter's type and validates it.
  /// - Parameters:
  ///   - use: The purpose of the value, which decides which themes are allowed.
  ///   - lookup: The values of parameters that bounds of the range refer to. A bound without a value does not restrict the number.
  /// - Returns: The converted value, or every violation.
  public static func admission(
    of value: Value, for parameter: Parameter, in catalog: Catalog, use: AdmissionUse, lookup: some ParameterLookup
  ) -> AdmissionResult {
    guard var value = value.coerced(to: parameter.type) else {
      let subject = parameter.isSecret ? "The value" : shown(value)
      let message = typeMessage(subject, value, parameter.type, admitted: admittedWords(of: parameter, lookup: lookup))
      return .refused([AdmissionFault(.typeMismatch, message: message)])
    }
    if let fault = sizeFault(of: value) { return .refused([fault]) }
    // A caller may name a product by a store id or a package. Only its product id is stored, so that statistics do not count it under
    // several names.
    if parameter.oneOf == .allProducts, case .string(let name) = value { value = .string(catalog.productID(named: name)) }
    var faults: [AdmissionFault] = []
    if let range = parameter.range { faults += rangeFaults(of: value, range, of: parameter, lookup: lookup) }
    if let allowed = parameter.allowed, !allowed.contains(where: { $0.isWorth(value) }) {
      let message =
        parameter.isSecret ? "The value is not one of those listed." : "\(shown(value)) is not one of \(listed(allowed.map(shown)))."
      faults.append(AdmissionFault(.notListed, message: message))
    }
    if let text = value.stringValue { faults += textFaults(of: text, parameter, catalog, use) }
    if parameter.type == .localized { faults += localeFaults(of: value, catalog.locales) }
    if let schema = parameter.schema {
      faults += schema.violations(of: value, locales: catalog.locales).map {
        AdmissionFault(.schemaViolation, pointer: $0.pointer, message: $0.message)
      }
    }
    if faults.isEmpty { return .admitted(value) }
    return .refused(parameter.isSecret ? faults.map(\.withoutValue) : faults)
  }

  /// Returns a value as messages quote it: its JSON, cut to 60 characters.
  static func shown(_ value: Value) -> String {
    let text = JSONWriter.text(value)
    return text.utf8.count > 60 ? String(text.prefix(60)) + "…" : text
  }

  static func listed(_ names: [String]) -> String {
    names.count > 12 ? names.prefix(12).joined(separator: ", ") + ", …" : names.joined(separator: ", ")
  }

  private static func typeMessage(_ value: Value, _ type: ParameterType) -> String { typeMessage(shown(value), value, type) }

  /// Returns the error message for a value of the wrong type.
  /// - Parameters:
  ///   - subject: The value as the message quotes it.
  ///   - admitted: The range or list of allowed values, in words, which follows the name of the type.
  private static func typeMessage(_ subject: String, _ value: Value, _ type: ParameterType, admitted: String = "") -> String {
    let right =
      switch type {
      case .boolean: "true or false"
      case .integer: "an integer"
      case .double: "a number"
      case .string: "text"
      case .list: "a list"
      case .object: "an object"
      case .localized: "an object of texts by locale"
      }
    return "\(subject) is \(kindWords(value)); this parameter takes \(right)\(admitted)."
  }

  /// Returns the parameter's range or list of allowed values, in words that follow the name of the type; empty if it has neither.
  private static func admittedWords(of parameter: Parameter, lookup: some ParameterLookup) -> String {
    if let allowed = parameter.allowed { return parameter.isSecret ? "" : ", one of \(listed(allowed.map(shown)))" }
    guard let range = parameter.range else { return "" }
    let bounds = [(range.min, "from"), (range.above, "above"), (range.max, range.min == nil ? "up to" : "to"), (range.below, "below")]
    return bounds.map { bound, word in
      switch bound {
      case .number(let number)?: " \(word) \(amount(number, of: parameter))"
      case .parameter(let key)?:
        lookup.isSecret(parameter: key) ? "" : lookup.value(ofParameter: key).map { " \(word) \(amount($0, of: parameter))" } ?? ""
      case nil: ""
      }
    }.joined()
  }

  private static func kindWords(_ value: Value) -> String {
    switch value {
    case .null: "nothing"
    case .bool: "true or false"
    case .integer: "an integer"
    case .double: "a number with a fraction"
    case .string: "text"
    case .list: "a list"
    case .object: "an object"
    }
  }

  private static func sizeFault(of value: Value) -> AdmissionFault? {
    switch value {
    case .string(let text) where text.utf8.count < valueBytesMax / 6: return nil
    case .string, .list, .object: break
    default: return nil
    }
    let size = JSONWriter.bytes(value).count
    if size <= valueBytesMax { return nil }
    return AdmissionFault(.tooLarge, message: "The value takes \(size) bytes of JSON; one value may take \(valueBytesMax) (256 KiB).")
  }

  /// Returns a number with the parameter's unit: `10.0 s`, `1 point`, `5 points`.
  private static func amount(_ number: Value, of parameter: Parameter) -> String {
    guard var unit = parameter.unit else { return shown(number) }
    // A unit that is a word is in the plural, so 1 needs the singular. Symbols such as `s` and `ms` have no plural.
    if number.numberValue == 1, unit.utf8.count > 3, unit.hasSuffix("s"), !unit.hasSuffix("ss") { unit.removeLast() }
    return "\(shown(number)) \(unit)"
  }

  static func rangeFaults(
    of value: Value, _ range: NumericRange, of parameter: Parameter, lookup: some ParameterLookup
  ) -> [AdmissionFault] {
    guard value.numberValue != nil else { return [] }
    let subject = parameter.isSecret ? "The value" : shown(value)
    var faults: [AdmissionFault] = []
    func check(_ bound: NumericRange.Bound?, _ isBroken: (NumberOrder) -> Bool, _ words: String) {
      guard let bound else { return }
      let (limit, name): (Value?, String?) =
        switch bound {
        case .number(let number): (number, nil)
        case .parameter(let key): (lookup.value(ofParameter: key), key)
        }
      guard let limit, let order = Value.compareNumbers(value, limit), isBroken(order) else { return }
      let end =
        switch name {
        case nil: amount(limit, of: parameter)
        case let name? where lookup.isSecret(parameter: name): "“\(name)”, which is secret"
        case let name?: "\(amount(limit, of: parameter)) (“\(name)”)"
        }
      faults.append(AdmissionFault(.outOfRange, message: "\(subject) \(words) \(end)."))
    }
    check(range.min, { $0 == .less }, "is below the minimum of")
    check(range.above, { $0 != .greater }, "must be above")
    check(range.max, { $0 == .greater }, "is above the maximum of")
    check(range.below, { $0 != .less }, "must be below")
    if let step = range.step, !value.isMultiple(of: step) {
      faults.append(AdmissionFault(.offStep, message: "\(subject) is not a multiple of the step \(amount(step, of: parameter))."))
    }
    return faults
  }

  private static func textFaults(of text: String, _ parameter: Parameter, _ catalog: Catalog, _ use: AdmissionUse) -> [AdmissionFault] {
    var faults: [AdmissionFault] = []
    if let lengthMax = parameter.lengthMax, text.unicodeScalars.count > lengthMax {
      let message = "The text has \(text.unicodeScalars.count) characters; at most \(lengthMax) are admitted."
      faults.append(AdmissionFault(.tooLong, message: message))
    }
    if let pattern = parameter.pattern, !pattern.matches(in: text) {
      faults.append(AdmissionFault(.patternMismatch, message: "\(shown(.string(text))) does not match \(pattern.source)."))
    }
    if let oneOf = parameter.oneOf, let fault = memberFault(of: text, oneOf, catalog, use) { faults.append(fault) }
    return faults
  }

  private static func memberFault(of id: String, _ oneOf: OneOf, _ catalog: Catalog, _ use: AdmissionUse) -> AdmissionFault? {
    if oneOf == .allProducts {
      if catalog.products.contains(where: { $0.id == id }) { return nil }
      return AdmissionFault(
        .unknownProduct, message: "\(shown(.string(id))) is not a product; there are \(listed(catalog.products.map(\.id))).")
    }
    guard let theme = catalog.themes.first(where: { $0.id == id }) else {
      return AdmissionFault(
        .unknownTheme, message: "\(shown(.string(id))) is not a theme; there are \(listed(catalog.themes.map(\.id))).")
    }
    switch (oneOf, use) {
    case (.freeThemes, _) where theme.unlock != .free:
      let free = catalog.themes.filter { $0.unlock == .free }.map(\.id)
      return AdmissionFault(.themeNotFree, message: "The theme \(id) is not always unlocked; those are \(listed(free)).")
    case (.earnableThemes, _) where !theme.unlock.isEarnable:
      let earnable = catalog.themes.filter(\.unlock.isEarnable).map(\.id)
      return AdmissionFault(
        .themeNotFree,
        message: "The theme \(id) is neither always unlocked nor unlocked by a milestone; those are \(listed(earnable)).")
    case (.unlockedThemes, .playerSetting(let unlocked)) where !unlocked.contains(id):
      return AdmissionFault(.themeLocked, message: "The theme \(id) is locked for this player.")
    default: return nil
    }
  }

  private static func localeFaults(of value: Value, _ locales: [String]) -> [AdmissionFault] {
    guard let object = value.objectValue, !locales.isEmpty else { return [] }
    var faults: [AdmissionFault] = []
    for locale in locales where object[locale] == nil {
      faults.append(AdmissionFault(.missingLocale, message: "The text for the locale \(locale) is missing."))
    }
    for member in object.members {
      let pointer = JSONPointer.appending(member.name, to: "")
      if !locales.contains(member.name) {
        let message = "“\(member.name)” is not one of the game's locales: \(locales.joined(separator: ", "))."
        faults.append(AdmissionFault(.missingLocale, pointer: pointer, message: message))
      } else if member.value.stringValue == nil {
        faults.append(AdmissionFault(.typeMismatch, pointer: pointer, message: typeMessage(member.value, .string)))
      }
    }
    return faults
  }
}
