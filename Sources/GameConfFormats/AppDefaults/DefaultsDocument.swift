// Flat defaults of other systems (property lists, Android's resource, JSON) to and from catalogs.

public import GameConfCore

/// Default values by key, in their order, without anything else a catalog knows about them.
public struct DefaultsDocument: Sendable, Hashable {
  /// The section that imported keys are listed under.
  public static let section = "Imported"

  /// The values by key.
  public var values: ObjectValue
  /// The account of what reading changed or left out.
  private(set) var report = ConversionReport(of: "parameter")

  /// Defaults.
  public init(values: ObjectValue) { self.values = values }

  /// The defaults in a property list, in XML or in binary, whose root is a dictionary.
  public init(plist bytes: [UInt8]) throws(FormatFault) {
    let (value, namesOfOthers) = try PropertyList.reading(from: bytes)
    guard case .object(let values) = value else {
      throw FormatFault(line: 1, column: 1, message: "Defaults are a dictionary of keys and values.")
    }
    self.values = values
    for name in namesOfOthers {
      report.change(name, "\(name) is or holds a date or data: the text is the one that Firebase's setDefaults makes of it, in UTC.")
    }
  }

  /// The defaults in Android's `remote_config_defaults.xml`, all of them texts.
  public init(xml bytes: [UInt8]) throws(FormatFault) {
    try PropertyList.checkLength(bytes)
    var parser = AndroidDefaults()
    try XMLCursor.read(bytes) { (xml: inout XMLCursor) throws(XMLSyntaxError) in try parser.document(&xml) }
    values = parser.values
    for fault in parser.faults { report.leaveOut(fault.name, fault.message) }
  }

  /// The defaults in a JSON object.
  public init(json bytes: [UInt8]) throws(FormatFault) {
    let bytes = bytes.withoutByteOrderMark
    var limits = JSONLimits()
    limits.bytesMax = PropertyList.bytesMax
    let value: Value
    do {
      value = try JSONReader.value(from: bytes, limits: limits)
    } catch {
      let before = bytes.prefix(error.offset)
      let lineStart = (before.lastIndex(of: 0x0A) ?? -1) + 1
      throw FormatFault(line: before.count { $0 == 0x0A } + 1, column: error.offset - lineStart + 1, message: error.message)
    }
    guard case .object(let values) = value else {
      throw FormatFault(line: 1, column: 1, message: "Defaults are an object of keys and values.")
    }
    if let complaint = ForeignDocument.complaint(about: values) { throw FormatFault(line: 1, column: 1, message: complaint) }
    self.values = values
  }

  /// The defaults of a catalog, through `{parameter}`; a localized one as its text in the first locale.
  ///
  /// Secret parameters and daily hashes are left out: the first are not for files that games ship with, the second change each day.
  public init(of catalog: Catalog) {
    let defaults = CatalogDefaults(catalog)
    let hashes = Set(catalog.parameters.filter { if case .dailyHash = $0.defaultValue { true } else { false } }.map(\.key))
    values = ObjectValue()
    for parameter in catalog.parameters where !parameter.isSecret && !hashes.contains(parameter.key) {
      guard let value = defaults.value(ofParameter: parameter.key) else { continue }
      let isText = parameter.type == .localized
      values[parameter.foreignName] = isText ? catalog.locales.first.flatMap { value[$0] } ?? value : value
    }
  }

  /// The defaults as Android's resource.
  public func xml() throws(FormatFault) -> String { try AndroidDefaults.text(of: values) }

  /// The defaults as an XML property list.
  public func plist() throws(FormatFault) -> String { try PropertyList.text(of: .object(values)) }

  /// The defaults as JSON, indented.
  public func json() -> String { JSONWriter.text(.object(values), pretty: true) + "\n" }

  /// The type of a parameter that has this default.
  static func parameterType(of value: Value) -> ParameterType {
    switch value {
    case .bool: .boolean
    case .integer: .integer
    case .double: .double
    case .list: .list
    case .object: .object
    case .string, .null: .string
    }
  }

  /// The reason why a value cannot be a default, if it cannot.
  static func complaint(about member: ObjectValue.Member, _ names: ForeignNames) -> String? {
    if names.id(of: member.name) == nil { return CatalogNames.complaint(aboutAlias: member.name) }
    if member.value == .null { return "“\(member.name)” is null; a default has a value." }
    if case .object(let object) = member.value, object.count == 1, object["parameter"]?.stringValue != nil {
      return "“\(member.name)” is an object whose only member is “parameter”; a catalog takes that for a reference to another key."
    }
    return nil
  }
}
