// Renders the outcomes of rules and targeting line by line for a person.

import GameConfCore

enum RuleText {
  /// Returns lines about the rules of one layer: the outcome of each, its conditions and its percentage.
  static func rules(_ rules: [Value]) -> Sentence {
    var text: Sentence = ""
    for (at, rule) in rules.enumerated() {
      let number = rule["rule"]?.integerValue ?? Int64(at) + 1
      let fate = rule["unreached"] == true ? "not looked at: a rule before it matched" : rule["matched"] == true ? "matched" : "no match"
      text += "  \(number). \(fate)\n\(conditions(rule))"
      if let named = rule["template_condition"] { text += template(named) }
      if let percent = rule["percent"] { text += line(percent["in"] == true ? "yes" : "no", share(percent)) }
    }
    return text
  }

  static func targeting(_ targeting: Value) -> Sentence {
    "  \(targeting["why"]?.stringValue ?? "")\n\(conditions(targeting))"
  }

  private static func line(_ outcome: String, _ text: Sentence) -> Sentence {
    "     \(outcome)\(String(repeating: " ", count: max(1, 6 - outcome.count)))\(text)\n"
  }

  private static func conditions(_ traced: Value) -> Sentence {
    var text: Sentence = ""
    for condition in traced["conditions"]?.listValue ?? [] {
      let indent = String(repeating: "  ", count: Int(min(20, max(0, condition["depth"]?.integerValue ?? 0))))
      let said = (condition["expression"] ?? condition["at"])?.stringValue ?? ""
      var notes: [String] = []
      for read in condition["read"]?.objectValue?.members ?? [] {
        let name = read.name
        notes.append(read.value == .null ? "\(name) is absent" : "\(name) = \(SafeText.json(read.value, pretty: false))")
      }
      if let bucket = condition["bucket"], let position = bucket["position"]?.integerValue, let total = bucket["of"]?.integerValue {
        notes.append("place \(position) of \(total)")
      }
      let read = notes.isEmpty ? "" : "   ← " + notes.joined(separator: ", ")
      text += line(outcome(condition["outcome"] ?? .null), "\(indent)\(said)\(read)")
    }
    if traced["conditions_left_out"] == true { text += "     and more conditions\n" }
    if traced["exceeded"] != nil, let why = traced["why"]?.stringValue { text += line("no", "\(why)") }
    return text
  }

  /// Returns lines about a condition of a template: its outcome, and each of its tests with the value that the test read.
  private static func template(_ named: Value) -> Sentence {
    var text = line(outcome(named["outcome"] ?? .null), "condition “\(named["name"]?.stringValue ?? "")”")
    for test in named["tests"]?.listValue ?? [] {
      var said = "  " + (test["test"]?.stringValue ?? "")
      if let bucket = test["bucket"] {
        said += "   ← this one's bucket is \(number(bucket))"
      } else if let read = test["read"]?.stringValue {
        said += "   ← \(read)"
      } else {
        said += "   ← absent"
      }
      text += line(outcome(test["outcome"] ?? .null), "\(said)")
    }
    return text
  }

  private static func outcome(_ value: Value) -> String {
    switch value {
    case .bool(let flag): flag ? "yes" : "no"
    case .null: "null"
    default: SafeText.json(value, pretty: false)
    }
  }

  private static func share(_ percent: Value) -> Sentence {
    var text: Sentence = "\(number(percent["share"])) % of the players, salted with \(percent["seed"]?.stringValue ?? "")"
    if let bucket = percent["bucket"], bucket != .null {
      text += ": this one's bucket is \(number(bucket))"
    } else if let why = percent["why"]?.stringValue {
      text += ": \(why)"
    }
    if let change = percent["next_change_at"]?.stringValue, let instant = try? Instant(parsing: change) {
      text += ", which changes at \(time: instant)"
    }
    return text
  }

  /// Returns a percentage, without a decimal point if it is whole.
  private static func number(_ value: Value?) -> String {
    guard let number = value?.numberValue else { return "?" }
    if let whole = Int64(exactly: number) { return String(whole) }
    return JSONWriter.text(.double(number))
  }
}
