// Converts documents of other systems to catalogs: Firebase templates, flagd flags, and files of default values.

public import GameConfCore

/// A catalog in YAML that was converted from another system's document.
public struct CatalogConversion: Sendable, Hashable {
  /// The catalog in YAML, which ``CatalogReader`` accepts.
  public var yaml: String
  /// The report of the parts that were converted, changed and left out.
  public var report: ConversionReport

  /// Converts a Firebase template. Each parameter is converted with its default value, and the name of its group becomes its section.
  ///
  /// Conditional values are not converted. The template has them, and can be uploaded once the catalog is in use.
  /// - Parameter skippingInvalid: True leaves out invalid parameters instead of rejecting the document.
  public init(firebase bytes: [UInt8], game: String, title: String?, skippingInvalid: Bool = false) throws(Faults) {
    let members = try Self.members(bytes)
    guard TemplateReader.form(of: .object(members)) == .firebase, members["parameters"] != nil || members["parameterGroups"] != nil else {
      throw Faults(messages: ["This is not a template of Firebase: it has no “parameters”."])
    }
    let groups = (members["parameterGroups"]?.objectValue?.members ?? []).map { $0.value["parameters"] }
    let names = ForeignNames(([members["parameters"]] + groups).flatMap { $0?.objectValue?.names ?? [] })
    var draft = CatalogDraft(names, skipsInvalid: skippingInvalid)
    draft.add(firebase: members["parameters"], at: "/parameters", section: DefaultsDocument.section)
    for group in draft.members(of: members["parameterGroups"], at: "/parameterGroups", "groups") {
      draft.add(firebase: group.value["parameters"], at: "/parameterGroups/\(group.name)/parameters", section: group.name)
      for other in group.value.objectValue?.members ?? [] where other.name != "parameters" {
        draft.report.leaveOut(group.name, "“\(other.name)” of the group \(group.name).")
      }
    }
    for member in members.members where !["parameters", "parameterGroups"].contains(member.name) && member.value != .list([]) {
      draft.report.leaveOut(member.name, Self.leftOut(ofTemplate: member))
    }
    self = try draft.catalog(game: game, title: title)
  }

  private static func leftOut(ofTemplate member: ObjectValue.Member) -> String {
    guard member.name == "conditions" else { return "“\(member.name)” of the template." }
    let count = member.value.listValue?.count ?? 0
    return "\(count) condition\(count == 1 ? "" : "s"): push the template itself once the catalog is accepted."
  }

  /// Converts a document of flagd flags. The catalog has each flag in flagd's own format, with shared evaluators and metadata written out.
  /// - Parameter skippingInvalid: True leaves out invalid flags instead of rejecting the document.
  public init(flagd bytes: [UInt8], game: String, title: String?, skippingInvalid: Bool = false) throws(Faults) {
    let value = Value.object(try Self.members(bytes))
    let document: FlagdDocument
    var pruned: FaultFreeDocument?
    if skippingInvalid {
      let found = try FlagdDocument.skippingInvalid(value)
      (document, pruned) = (found.document, found.pruned)
    } else {
      document = try FlagdDocument(value)
    }
    var draft = CatalogDraft(ForeignNames(document.flags.keys.sorted()), skipsInvalid: skippingInvalid)
    for entry in pruned?.changed ?? [] { draft.report.change(entry.name, entry.message) }
    for entry in pruned?.leftOut ?? [] { draft.report.leaveOut(entry.name, entry.message) }
    let others = Self.otherMembers(ofFlagsIn: value)
    for (key, flag) in document.flags.sorted(by: { $0.key < $1.key }) { draft.add(key, flag, document, others: others[key] ?? []) }
    if !document.metadata.isEmpty { draft.report.change("metadata", "The document's metadata are written out in each flag.") }
    for member in document.others.members { draft.report.leaveOut(member.name, "“\(member.name)” of the document.") }
    self = try draft.catalog(game: game, title: title)
  }

  /// Returns for each flag the names of its members that flagd does not define.
  private static func otherMembers(ofFlagsIn document: Value) -> [String: [String]] {
    let flags =
      document["flags"]?.objectValue?.members.map { ($0.name, $0.value) }
      ?? (document["flags"]?.listValue ?? []).compactMap { flag in flag["key"]?.stringValue.map { ($0, flag) } }
    return Dictionary(flags.map { ($0, ($1.objectValue?.names ?? []).filter { !FlagdReader.members.contains($0) }) }) { first, _ in first }
  }

  /// Converts a file of default values. A parameter's type is the type of its value, its section is ``DefaultsDocument/section``, and its
  /// description is its key.
  /// - Parameters:
  ///   - infers: True converts texts that look like booleans or numbers to these types.
  ///   - skippingInvalid: True leaves out invalid values instead of rejecting the document.
  public init(
    defaults document: DefaultsDocument, game: String, title: String? = nil, infers: Bool = false, skippingInvalid: Bool = false
  ) throws(Faults) {
    var draft = CatalogDraft(ForeignNames(document.values.names), skipsInvalid: skippingInvalid, document.report)
    var inference = TextInference(isOn: infers)
    for member in document.values.members {
      draft.add(member.name, default: inference.value(of: member), section: DefaultsDocument.section)
    }
    inference.append(to: &draft.report)
    self = try draft.catalog(game: game, title: title)
  }

  init(yaml: String, report: ConversionReport) { (self.yaml, self.report) = (yaml, report) }

  private static func members(_ bytes: [UInt8]) throws(Faults) -> ObjectValue {
    let value: Value
    let json: [UInt8]
    do throws(FormatFault) { json = try TemplateText.json(of: bytes) } catch { throw Faults(messages: ["\(error)"]) }
    do throws(JSONError) {
      value = try JSONReader.value(from: json, limits: JSONLimits(depthMax: 64, bytesMax: PropertyList.bytesMax))
    } catch { throw Faults(messages: ["byte \(error.offset): \(error.message)"]) }
    guard case .object(let members) = value else { throw Faults(messages: ["This is \(value.described), not an object."]) }
    return members
  }
}
