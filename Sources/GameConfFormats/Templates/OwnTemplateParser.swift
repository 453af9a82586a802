// Parses templates in gameconfd's own format: values by key, and rules in the form that catalogs have.

import GameConfCore

/// A parser of templates in gameconfd's own format.
///
/// ```yaml
/// gameconf_template: 1
/// description: Spring week
/// values: {arcade_time_limit_base: 3.0}
/// rules:
///   theme_forest_milestone:
///     - {match: {platform: ios}, percent: 10, from: 2026-12-01T00:00:00Z, until: 2026-12-08T00:00:00Z, value: 20}
/// ```
enum OwnTemplateParser {
  static let version: Int64 = 1
  private static let names: Set<String> = ["gameconf_template", "game", "description", "values", "rules"]
  private static let ruleNames: Set<String> = ["match", "when", "percent", "seed", "from", "until", "value"]

  static func read(_ document: Value, into page: inout TemplateDraft) {
    guard let members = page.members(document, at: "", "A template") else { return }
    if members["gameconf_template"] != .integer(version) {
      page.fault("/gameconf_template", "This program reads version \(version) of the format.")
      return
    }
    for member in members.members where !names.contains(member.name) && !member.name.hasPrefix("x-") {
      page.fault(JSONPointer.appending(member.name, to: ""), "“\(member.name)” is not a field of a template. \(hint(member.name, names))")
    }
    if let game = members["game"], game != .string(page.catalog.game) {
      page.fault("/game", "The template is for another game than \(page.catalog.game).")
    }
    let values = page.members(members["values"], at: "/values", "“values”") ?? ObjectValue()
    let rules = page.members(members["rules"], at: "/rules", "“rules”") ?? ObjectValue()
    if values.count + rules.count > Template.parametersMax {
      page.fault("", "There are \(values.count + rules.count) entries; a template may have \(Template.parametersMax).")
      return
    }
    for member in values.members {
      guard let parameter = page.parameter(member.name) else { continue }
      let pointer = JSONPointer.appending(member.name, to: "/values")
      if let value = page.admitted(member.value, for: parameter, at: pointer) {
        page.template.layers[member.name] = RemoteLayer(defaultValue: value)
      }
    }
    for member in rules.members {
      guard let parameter = page.parameter(member.name) else { continue }
      let pointer = JSONPointer.appending(member.name, to: "/rules")
      guard case .list(let list) = member.value else {
        page.fault(pointer, "The rules of a key are a list.")
        continue
      }
      if list.count > LogicLimits.rulesMax {
        page.fault(pointer, "There are \(list.count) rules; a key may have \(LogicLimits.rulesMax).")
        continue
      }
      let read = list.enumerated().compactMap { rule($1, of: parameter, at: "\(pointer)/\($0)", into: &page) }
      page.template.layers[member.name, default: RemoteLayer(defaultValue: nil)].rules = read
    }
  }

  private static func hint(_ name: String, _ names: Set<String>) -> String {
    let near = NearestNames.hint(for: name, among: names.sorted())
    return near.isEmpty ? "The fields are \(names.sorted().joined(separator: ", "))." : near
  }

  private static func rule(_ value: Value, of parameter: Parameter, at pointer: String, into page: inout TemplateDraft) -> Rule? {
    guard let members = page.members(value, at: pointer, "A rule") else { return nil }
    for member in members.members where !ruleNames.contains(member.name) && !member.name.hasPrefix("x-") {
      page.fault(
        JSONPointer.appending(member.name, to: pointer), "“\(member.name)” is not a field of a rule. \(hint(member.name, ruleNames))")
    }
    guard let given = members["value"] else {
      page.fault(pointer, "A rule needs a “value”.")
      return nil
    }
    var rule = Rule(value: .absent)
    do {
      rule.condition = try MatchCompiler.condition(
        match: members["match"], when: members["when"], options: LogicOptions(fractional: page.catalog.fractional))
    } catch {
      page.fault(pointer + error.pointer, error.message)
    }
    rule.percent = percent(members, at: pointer, into: &page)
    rule.named = window(members, at: pointer, into: &page)
    guard let value = page.admitted(given, for: parameter, at: pointer + "/value") else { return nil }
    rule.value = .value(value)
    return rule
  }

  private static func window(_ members: ObjectValue, at pointer: String, into page: inout TemplateDraft) -> NamedCondition? {
    var tests: [TemplateCondition] = []
    for (name, relation) in [("from", OrderRelation.greaterOrEqual), ("until", .less)] {
      guard let written = members[name] else { continue }
      if let at = instant(written, at: "\(pointer)/\(name)", into: &page) { tests.append(.time(TimeTest(relation, at))) }
    }
    if tests.count == 2, case .time(let from) = tests[0], case .time(let until) = tests[1], until.instant <= from.instant {
      page.remark(pointer, "The rule never applies: its “until” is not after its “from”.")
    }
    return tests.isEmpty ? nil : NamedCondition(name: "window", condition: tests.count == 1 ? tests[0] : .all(tests))
  }

  private static func percent(_ members: ObjectValue, at pointer: String, into page: inout TemplateDraft) -> Percent? {
    guard let written = members["percent"] else {
      if members["seed"] != nil { page.fault(pointer + "/seed", "“seed” salts a percentage, and this rule has no “percent”.") }
      return nil
    }
    var seed: String?
    if let given = members["seed"] {
      guard case .string(let text) = given else {
        page.fault(pointer + "/seed", "A seed is text.")
        return nil
      }
      seed = text
    }
    guard case .object(let moving) = written else {
      return share(written, at: pointer + "/percent", into: &page).map { Percent(seed: seed, from: $0) }
    }
    let parts = (moving["from"], moving["to"], moving["start"], moving["end"])
    guard let from = parts.0, let to = parts.1, let start = parts.2, let end = parts.3 else {
      page.fault(pointer + "/percent", "A moving percentage needs “from”, “to”, “start” and “end”.")
      return nil
    }
    guard let first = share(from, at: pointer + "/percent/from", into: &page),
      let last = share(to, at: pointer + "/percent/to", into: &page),
      let begin = instant(start, at: pointer + "/percent/start", into: &page),
      let finish = instant(end, at: pointer + "/percent/end", into: &page)
    else { return nil }
    if finish <= begin { page.fault(pointer + "/percent/end", "The end is not after the start.") }
    return Percent(seed: seed, from: first, progress: Percent.Progress(to: last, start: begin, end: finish))
  }

  private static func share(_ value: Value, at pointer: String, into page: inout TemplateDraft) -> Int64? {
    guard let number = value.numberValue, number >= 0, number <= 100 else {
      page.fault(pointer, "A percentage is a number from 0 to 100.")
      return nil
    }
    return Int64((number * 1_000_000).rounded())
  }

  private static func instant(_ value: Value, at pointer: String, into page: inout TemplateDraft) -> Instant? {
    if case .string(let text) = value, let instant = try? Instant(parsing: text) { return instant }
    page.fault(pointer, "This is an instant, such as 2026-12-01T00:00:00Z.")
    return nil
  }
}
