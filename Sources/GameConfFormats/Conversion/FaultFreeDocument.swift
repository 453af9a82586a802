// Removes the invalid parts of another system's document, so that the other parts can be converted.

public import GameConfCore

/// A template or configuration without its invalid flags, parameters, conditions or products.
///
/// If flagd would evaluate a flag despite its fault, the flag stays, and its rule is rewritten to an equivalent valid rule.
public struct FaultFreeDocument: Sendable {
  /// The document without its invalid parts.
  public private(set) var value: Value
  /// The notes about flags whose rule was rewritten, each with the flag's first fault.
  public private(set) var changed: [ConversionReport.ConversionNote] = []
  /// The notes about removed parts, each with the part's first fault.
  public private(set) var leftOut: [ConversionReport.ConversionNote] = []

  /// Creates a document from which nothing has been removed yet.
  public init(_ value: Value) { self.value = value }

  /// True if the document has no part left that could give a value.
  public var isEmpty: Bool {
    ["flags", "parameters", "parameterGroups", "values", "rules", "products", "nonRenewingSubscriptions", "subscriptionGroups"]
      .allSatisfy { name in
        switch value[name] {
        case .object(let members)?: members.isEmpty
        case .list(let elements)?: elements.isEmpty
        default: true
        }
      }
  }

  /// Removes the parts that contain these faults.
  /// - Returns: False if a fault is in no part that can be removed. Nothing is removed in that case.
  public mutating func remove(_ faults: [(pointer: String, message: String)]) -> Bool {
    var parts: [[String]: String] = [:]
    var order: [[String]] = []
    var hasMended = false
    for fault in faults {
      let steps = JSONPointer.steps(of: fault.pointer) ?? []
      guard let part = Self.part(at: steps) else { return false }
      if let mended = FlagdRuleRewriter.mended(value, at: steps) {
        value = mended
        hasMended = true
        addChange(part, fault)
        continue
      }
      let message = fault.pointer.isEmpty ? fault.message : "\(fault.pointer): \(fault.message)"
      if parts.updateValue(parts[part] ?? message, forKey: part) == nil { order.append(part) }
    }
    let removed = Set(order.map { name(of: $0) })
    changed.removeAll { removed.contains($0.name) }
    leftOut += order.map { ConversionReport.ConversionNote(name: name(of: $0), message: parts[$0] ?? "") }
    var paths = order
    // In gameconfd's own format, a key's value and its rules are removed together.
    for part in order where ["values", "rules"].contains(part[0]) { paths.append([part[0] == "values" ? "rules" : "values", part[1]]) }
    value = Self.without(value, paths.map { $0[...] })
    return hasMended || !order.isEmpty
  }

  private mutating func addChange(_ part: [String], _ fault: (pointer: String, message: String)) {
    let name = name(of: part)
    if changed.contains(where: { $0.name == name }) { return }
    changed.append(
      ConversionReport.ConversionNote(
        name: name, message: "\(fault.pointer): \(fault.message) The flag stays, with this part as flagd evaluates it."))
  }

  private static let parts: Set<String> = [
    "flags", "$evaluators", "parameters", "conditions", "values", "rules", "products", "nonRenewingSubscriptions",
  ]
  /// The document's members that contain groups, by name. Each value is the name of a group's member that contains the group's parts.
  private static let groups = ["parameterGroups": "parameters", "subscriptionGroups": "subscriptions"]

  private static func part(at steps: [String]) -> [String]? {
    guard steps.count > 1 else { return nil }
    if parts.contains(steps[0]) { return Array(steps.prefix(2)) }
    guard let inner = groups[steps[0]] else { return nil }
    return Array(steps.prefix(steps.count > 3 && steps[2] == inner ? 4 : 2))
  }

  /// Returns the name of a part. An element of a list is named by its key, product id or name.
  private func name(of part: [String]) -> String {
    var element = value
    var isOfList = false
    for step in part {
      isOfList = element.listValue != nil
      element = element[step] ?? Int(step).flatMap { at in element.listValue?.dropFirst(at).first } ?? .null
    }
    let own = ["key", "productID", "name"].lazy.compactMap { element[$0]?.stringValue }.first
    return isOfList ? own ?? "/" + part.joined(separator: "/") : part[part.count - 1]
  }

  private static func without(_ value: Value, _ paths: [ArraySlice<String>]) -> Value {
    let removed = Set(paths.filter { $0.count == 1 }.compactMap(\.first))
    let deeper = Dictionary(grouping: paths.filter { $0.count > 1 }) { $0.first ?? "" }
    func remaining(_ name: String, _ each: Value) -> Value? {
      removed.contains(name) ? nil : deeper[name].map { without(each, $0.map { $0.dropFirst() }) } ?? each
    }
    switch value {
    case .object(let members):
      return .object(ObjectValue(members.members.compactMap { member in remaining(member.name, member.value).map { (member.name, $0) } }))
    case .list(let elements): return .list(elements.enumerated().compactMap { remaining(String($0), $1) })
    case .null, .bool, .integer, .double, .string: return value
    }
  }
}
