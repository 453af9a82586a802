// Infers booleans and numbers from default values that are texts, because consoles and Android's resource have only texts.

import GameConfCore

/// The conversion of texts that look like booleans or numbers. If the conversion is off, it only counts such texts.
struct TextInference {
  let isOn: Bool
  private var booleans = 0
  private var numbers = 0
  private var changes: [(name: String, message: String)] = []
  /// The numbers whose text differs from the usual notation of the number, such as 1.10. They stay text.
  private var inexact: [String] = []

  init(isOn: Bool) { self.isOn = isOn }

  /// Returns the value of a default, which is converted if the conversion is on.
  mutating func value(of member: ObjectValue.Member) -> Value {
    guard case .string(let text) = member.value else { return member.value }
    let value: Value
    switch text.lowercased() {
    case "true": value = true
    case "false": value = false
    default:
      guard case .number(let number) = YAMLScalar.number(text) else { return member.value }
      guard JSONWriter.text(number) == text else {
        inexact.append("“\(text)” of \(member.name)")
        return member.value
      }
      value = number
    }
    if case .bool = value { booleans += 1 } else { numbers += 1 }
    guard isOn else { return member.value }
    changes.append((member.name, "\(member.name) is the \(value.kind.rawValue) \(JSONWriter.text(value)), no longer a text."))
    return value
  }

  /// Adds to a report how many texts were converted, or could be.
  func append(to report: inout ConversionReport) {
    for change in changes { report.change(change.name, change.message) }
    let kinds = [(booleans, "boolean"), (numbers, "number")].filter { $0.0 > 0 }
      .map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: " and ")
    switch (booleans + numbers, isOn) {
    case (0, _): break
    case (1, true): report.remark("1 text was read as \(kinds).")
    case (1, false): report.remark("1 text looks like \(kinds); --infer reads it so.")
    case (let count, true): report.remark("\(count) texts were read as \(kinds).")
    case (let count, false): report.remark("\(count) texts look like \(kinds); --infer reads them so.")
    }
    if isOn, !inexact.isEmpty {
      report.remark("Left a text, since the number would be written otherwise: \(inexact.joined(separator: ", ")).")
    }
  }
}
