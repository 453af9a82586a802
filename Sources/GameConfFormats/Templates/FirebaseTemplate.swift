// Parses Firebase Remote Config templates, for clients and servers: parameters, groups and ordered conditions.

import GameConfCore

/// A parser of the templates that Firebase's console and REST API export.
///
/// A parameter gets the value of the first condition, in the order of the template, that is true and has a value for the parameter. With
/// `useInAppDefault` the parameter has no remote value, so that the catalog's default applies. So it is for personalization, rollouts and
/// experiments, which are stored but not supported.
enum FirebaseTemplate {
  static func read(_ document: Value, into page: inout TemplateDraft) {
    guard let members = page.members(document, at: "", "A template") else { return }
    let conditions = conditions(members["conditions"], into: &page)
    var count = 0
    var seen: Set<String> = []
    let orders = Dictionary(conditions.enumerated().map { ($1.name, $0) }) { first, _ in first }
    parameters(members["parameters"], at: "/parameters", conditions, orders, &count, &seen, into: &page)
    let groups = page.members(members["parameterGroups"], at: "/parameterGroups", "“parameterGroups”")?.members ?? []
    for group in groups {
      let pointer = JSONPointer.appending(group.name, to: "/parameterGroups")
      guard let inside = page.members(group.value, at: pointer, "A group") else { continue }
      parameters(inside["parameters"], at: pointer + "/parameters", conditions, orders, &count, &seen, into: &page)
    }
    if count > Template.parametersMax {
      page.fault("/parameters", "There are \(count) parameters; a template may have \(Template.parametersMax).")
    }
  }

  private static func conditions(_ value: Value?, into page: inout TemplateDraft) -> [NamedCondition] {
    guard let value, value != .null else { return [] }
    guard case .list(let list) = value else {
      page.fault("/conditions", "“conditions” is a list.")
      return []
    }
    if list.count > Template.conditionsMax {
      page.fault("/conditions", "There are \(list.count) conditions; a template may have \(Template.conditionsMax).")
      return []
    }
    var conditions: [NamedCondition] = []
    var names: Set<String> = []
    for (index, element) in list.enumerated() {
      let pointer = "/conditions/\(index)"
      guard let members = page.members(element, at: pointer, "A condition") else { continue }
      guard case .string(let name)? = members["name"], !name.isEmpty else {
        page.fault(pointer + "/name", "A condition needs a name.")
        continue
      }
      if !names.insert(name).inserted { page.fault(pointer + "/name", "The condition “\(name)” is given twice.") }
      if let object = members["condition"] {
        var reader = FirebaseServerCondition()
        let condition = reader.condition(object, at: pointer + "/condition")
        for fault in reader.faults { page.fault(fault.pointer, fault.message) }
        conditions.append(NamedCondition(name: name, condition: condition))
      } else if case .string(let expression)? = members["expression"] {
        do throws(FirebaseExpressionFault) {
          conditions.append(NamedCondition(name: name, condition: try FirebaseExpression.condition(expression, zones: page.zones)))
        } catch {
          page.fault(pointer + "/expression", "\(error.message) (at character \(error.offset + 1))")
          // The faulty condition is added by name and is never true, so that references to it are not reported as faults too.
          conditions.append(NamedCondition(name: name, condition: .constant(false)))
        }
      } else {
        page.fault(pointer, "A condition needs an “expression”, or a “condition” object in a server's template.")
        conditions.append(NamedCondition(name: name, condition: .constant(false)))
      }
    }
    for condition in conditions {
      for gap in condition.condition.gaps {
        let words = "“\(condition.name)” is never fulfilled: \(gap.why)"
        if gap.isOfHost { page.template.missingZones.append(words) }
        page.remark("/conditions", words)
      }
    }
    return conditions
  }

  /// - Parameter orders: The index of each condition in the template, by the condition's name.
  private static func parameters(
    _ value: Value?, at pointer: String, _ conditions: [NamedCondition], _ orders: [String: Int], _ count: inout Int,
    _ seen: inout Set<String>, into page: inout TemplateDraft
  ) {
    guard let members = page.members(value, at: pointer, "“parameters”") else { return }
    count += members.count
    if count > Template.parametersMax { return }
    for member in members.members {
      let place = JSONPointer.appending(member.name, to: pointer)
      if !seen.insert(member.name).inserted { page.fault(place, "“\(member.name)” is in two groups.") }
      guard let inside = page.members(member.value, at: place, "A parameter") else { continue }
      let parameter = page.parameter(named: member.name, at: place)
      var rules: [(order: Int, rule: Rule)] = []
      let conditional = page.members(inside["conditionalValues"], at: place + "/conditionalValues", "“conditionalValues”")?.members ?? []
      for each in conditional {
        let at = JSONPointer.appending(each.name, to: place + "/conditionalValues")
        guard let order = orders[each.name] else {
          // The search for similar names is slow, so it is skipped once the limit of faults is reached.
          let hint = page.acceptsFaults ? NearestNames.hint(for: each.name, among: conditions.map(\.name)) : ""
          page.fault(at, "There is no condition “\(each.name)”.\(hint)")
          continue
        }
        guard let source = source(each.value, of: parameter, at: at, into: &page) else { continue }
        rules.append((order, Rule(named: conditions[order], value: source)))
      }
      let plain = inside["defaultValue"].flatMap { source($0, of: parameter, at: place + "/defaultValue", into: &page) }
      guard let parameter else { continue }
      var layer = RemoteLayer(rules: rules.sorted { $0.order < $1.order }.map(\.rule), defaultValue: nil)
      if case .value(let value)? = plain { layer.defaultValue = value }
      page.template.layers[parameter.key] = layer
    }
  }

  /// Parses a conditional or default value. Returns nil, and records a fault, if it is malformed.
  /// - Parameter parameter: The catalog's parameter; nil if the catalog does not have the key, so that only the syntax is checked.
  private static func source(
    _ written: Value, of parameter: Parameter?, at pointer: String, into page: inout TemplateDraft
  ) -> ValueSource? {
    guard let members = page.members(written, at: pointer, "A value") else { return nil }
    if members["useInAppDefault"] == true { return .absent }
    guard let given = members["value"] else {
      if let other = members.members.first(where: { $0.name.hasSuffix("Value") }) {
        page.remark(pointer, "“\(other.name)” is stored, and has no effect here")
        return .absent
      }
      page.fault(pointer, "A value is “value” with a text, or “useInAppDefault”.")
      return nil
    }
    guard case .string(let text) = given else {
      page.fault(pointer + "/value", "Firebase keeps every value as text; this is \(given.described).")
      return nil
    }
    guard let parameter else { return .absent }
    guard let value = value(of: text, as: parameter.type) else {
      page.refuse(
        parameter.key, pointer + "/value",
        "\(parameter.key): \(parameter.isSecret ? "the value" : "“\(text.prefix(60))”") is not of type \(parameter.type.rawValue).")
      return nil
    }
    return page.admitted(value, for: parameter, at: pointer + "/value").map(ValueSource.value)
  }

  private static let truths: Set<String> = ["1", "true", "t", "yes", "y", "on"]
  private static let untruths: Set<String> = ["0", "false", "f", "no", "n", "off", ""]

  /// Converts a text to a value of this type. The words for booleans are those that Firebase's libraries accept.
  static func value(of text: String, as type: ParameterType) -> Value? {
    switch type {
    case .string: return .string(text)
    case .boolean:
      let word = text.lowercased()
      return truths.contains(word) ? true : untruths.contains(word) ? false : nil
    case .integer, .double: return FirebaseNumber.value(of: text)?.coerced(to: type)
    case .list, .object, .localized:
      guard let value = try? JSONReader.value(from: text.utf8) else { return nil }
      return value.coerced(to: type)
    }
  }
}

extension TemplateCondition {
  /// The parts of the condition that are never true on this host, each with the reason. A part that needs a time zone that this host lacks
  /// may be true on another host.
  var gaps: [(why: String, isOfHost: Bool)] {
    switch self {
    case .any(let conditions), .all(let conditions): conditions.flatMap(\.gaps)
    case .notUnderstood(let why): [(why, false)]
    case .zoneMissing(let why): [(why, true)]
    case .percent(let percent): percent.emptiness.map { [($0, false)] } ?? []
    case .constant, .attribute, .time: []
    }
  }
}
