// Converts files of default values (property lists, Android's XML resource, JSON) to and from catalogs.

public import GameConfCore

/// Default values by key, as an app's file has them. Other fields of a catalog are missing.
public struct DefaultsDocument: Sendable, Hashable {
  /// The catalog section for parameters that are in no group of the source document.
  public static let section = "Imported"

  /// The default values by key, in the order of the document.
  public var values: ObjectValue
  /// The report of values that the parser changed or skipped.
  private(set) var report = ConversionReport(of: "parameter")

  /// Creates a document of these values, with an empty report.
  public init(values: ObjectValue) { self.values = values }

  /// Parses a property list, in XML or binary, whose root is a dictionary.
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

  /// Parses Android's `remote_config_defaults.xml`, in which all values are text.
  public init(xml bytes: [UInt8]) throws(FormatFault) {
    try PropertyList.checkLength(bytes)
    var parser = AndroidDefaults()
    try XMLCursor.read(bytes) { (xml: inout XMLCursor) throws(XMLSyntaxError) in try parser.document(&xml) }
    values = parser.values
    for fault in parser.faults { report.leaveOut(fault.name, fault.message) }
  }

  /// Parses a JSON object whose members are the default values by key.
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

  /// Creates a document with the defaults of a catalog. References to other parameters are resolved, and a localized value becomes its text
  /// in the catalog's first locale.
  ///
  /// Secret parameters are left out, because an app must not contain them, and daily hashes, because they change every day.
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

  /// Returns the defaults as Android's XML resource.
  /// - Throws: ``FormatFault`` if a text has a character that XML does not allow.
  public func xml() throws(FormatFault) -> String { try AndroidDefaults.text(of: values) }

  /// Returns the defaults as an XML property list.
  /// - Throws: ``FormatFault`` if a value is null or has a character that XML does not allow.
  public func plist() throws(FormatFault) -> String { try PropertyList.text(of: .object(values)) }

  /// Returns the defaults as indented JSON with a newline at the end.
  public func json() -> String { JSONWriter.text(.object(values), pretty: true) + "\n" }

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

  /// Returns an error message if the value cannot be a parameter's default; otherwise nil.
  static func complaint(about member: ObjectValue.Member, _ names: ForeignNames) -> String? {
    if names.id(of: member.name) == nil { return CatalogNames.complaint(aboutAlias: member.name) }
    if member.value == .null { return "“\(member.name)” is null; a default has a value." }
    if case .object(let object) = member.value, object.count == 1, object["parameter"]?.stringValue != nil {
      return "“\(member.name)” is an object whose only member is “parameter”; a catalog takes that for a reference to another key."
    }
    return nil
  }
}
