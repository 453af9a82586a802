// The parameter values that a play pins when it opens. They stay the same for the play even if the catalog or an override changes.

/// The value of one parameter at the moment when a play opened.
public struct PinnedValue: Sendable, Hashable {
  /// The key of the parameter whose value is pinned.
  public var key: String
  /// The type that the parameter had when the play opened.
  public var type: ParameterType
  /// The pinned value, with its localized texts in every language.
  public var value: Value
  /// The positions of localized texts in the value; nil if it has no such text. `true` marks a position whose value is an object of texts
  /// by locale. An object maps the name of a member, or the index of an element, to the positions inside it.
  public var texts: Value?
  /// The layer that gave the value, such as an override or the template.
  public var layer: Layer
  /// The name of the flag variant, if the value came from one.
  public var variant: String?
  /// True if the parameter was secret when the play opened.
  public var isSecret: Bool

  /// Creates a pinned value, by default public and without localized texts.
  public init(
    key: String, type: ParameterType, value: Value, texts: Value? = nil, layer: Layer, variant: String? = nil, isSecret: Bool = false
  ) {
    self.key = key
    self.type = type
    self.value = value
    self.texts = texts
    self.layer = layer
    self.variant = variant
    self.isSecret = isSecret
  }

  /// Returns the value with its localized texts in the reader's language.
  /// - Parameter locales: The languages in order of preference; an empty list returns the texts in all languages.
  public func value(in locales: [String]) -> Value {
    guard let texts, !locales.isEmpty else { return value }
    return Self.choosing(value, at: texts, locales)
  }

  private static func choosing(_ value: Value, at places: Value, _ locales: [String]) -> Value {
    guard let inner = places.objectValue else { return value.objectValue.flatMap { text(of: $0, locales) } ?? value }
    switch value {
    case .object(var object):
      for place in inner.members {
        if let member = object[place.name] { object[place.name] = choosing(member, at: place.value, locales) }
      }
      return .object(object)
    case .list(var elements):
      for place in inner.members {
        guard let at = Int(place.name), elements.indices.contains(at) else { continue }
        elements[at] = choosing(elements[at], at: place.value, locales)
      }
      return .list(elements)
    default: return value
    }
  }

  private static func text(of texts: ObjectValue, _ locales: [String]) -> Value? {
    for locale in locales { if let text = texts[locale], text.kind == .string { return text } }
    return texts.members.first { $0.value.kind == .string }?.value
  }
}

extension Parameter {
  /// Returns the positions of localized texts in a value, in the form of ``PinnedValue/texts``; nil if it has no such text.
  /// - Parameter locales: The game's locales.
  public func places(ofTextsIn value: Value, locales: [String]) -> Value? {
    if type == .localized { return value.objectValue == nil ? nil : true }
    guard let localized = schema?.localizing(value, by: Array(locales.prefix(1))) else { return nil }
    return Self.places(from: value, to: localized)
  }

  /// Compares a value with its localized form, and returns the positions at which localization has replaced an object by a text. Returns
  /// nil if there is no such position.
  private static func places(from whole: Value, to localized: Value) -> Value? {
    switch (whole, localized) {
    case (.object, .string): return true
    case (.object(let before), .object(let after)):
      let inner = before.members.compactMap { member in
        after[member.name].flatMap { places(from: member.value, to: $0) }.map { (member.name, $0) }
      }
      return inner.isEmpty ? nil : .object(ObjectValue(inner))
    case (.list(let before), .list(let after)):
      let inner = zip(before, after).enumerated().compactMap { at, pair in places(from: pair.0, to: pair.1).map { (String(at), $0) } }
      return inner.isEmpty ? nil : .object(ObjectValue(inner))
    default: return nil
    }
  }
}

/// All parameter values that a play pinned. Plays that pinned equal values share one instance.
public final class PinnedValues: Sendable {
  /// The game's locales when the play opened, the fallback first.
  public let locales: [String]
  /// The pinned values, in the order of the catalog.
  public let values: [PinnedValue]
  private let positions: [String: Int]

  /// Creates the set of pinned values. If a key occurs twice, the first value is used.
  public init(_ values: [PinnedValue], locales: [String]) {
    self.locales = locales
    self.values = values
    positions = Dictionary(values.enumerated().map { ($0.element.key, $0.offset) }) { first, _ in first }
  }

  /// Returns the pinned value of a key; nil if it was not pinned.
  public subscript(key: String) -> PinnedValue? { positions[key].map { values[$0] } }
}

extension PinnedValues {
  private static let depthMax = 96

  /// The values as JSON, for the database. Equal values have equal bytes, so the database can store them once for several plays.
  public var encoded: [UInt8] {
    var json = JSONBuilder(reserving: 4_096)
    json.beginObject()
    json.name("l")
    json.value(.list(locales.map(Value.string)))
    json.name("v")
    json.beginList()
    for each in values { each.append(to: &json) }
    json.endList()
    json.endObject()
    return json.bytes
  }

  /// Decodes the JSON of ``encoded``. It may have up to twice the size of ``PlayLimits/pinnedBytesMax``.
  /// - Throws: ``Fault`` for any other text.
  public convenience init(decoding bytes: [UInt8]) throws(Fault) {
    let whole: Value
    do throws(JSONError) {
      whole = try JSONReader.value(from: bytes, limits: JSONLimits(depthMax: Self.depthMax, bytesMax: PlayLimits.pinnedBytesMax * 2))
    } catch { throw Fault("a play's values are not JSON: \(error.message)") }
    guard let locales = whole["l"]?.listValue, let rows = whole["v"]?.listValue else {
      throw Fault("a play's values lack a part")
    }
    var values: [PinnedValue] = []
    values.reserveCapacity(rows.count)
    for row in rows { values.append(try PinnedValue(decoding: row)) }
    self.init(values, locales: locales.compactMap(\.stringValue))
  }
}

extension PinnedValue {
  fileprivate func append(to json: inout JSONBuilder) {
    json.beginList()
    json.string(key)
    json.string(type.rawValue)
    json.string(layer.rawValue)
    json.value(value)
    json.value(variant.map(Value.string) ?? .null)
    json.bool(isSecret)
    json.value(texts ?? .null)
    json.endList()
  }

  fileprivate init(decoding row: Value) throws(Fault) {
    guard let row = row.listValue, row.count == 7, let key = row[0].stringValue,
      let type = row[1].stringValue.flatMap(ParameterType.init(rawValue:)), let layer = row[2].stringValue.flatMap(Layer.init(rawValue:)),
      let isSecret = row[5].boolValue
    else { throw Fault("a play's value lacks a part") }
    self.init(key: key, type: type, value: row[3], layer: layer, variant: row[4].stringValue, isSecret: isSecret)
    // A conditional operator with `nil` would create `Value.null` here, since `Value` can be initialized by a `nil` literal.
    if row[6] != .null { texts = row[6] }
  }
}
