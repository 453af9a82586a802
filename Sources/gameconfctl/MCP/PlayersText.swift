// Marks and cuts text that players wrote, because an assistant that reads it has its user's rights.

import GameConfAPI
import GameConfCore

/// Marks players' text in the answers about a game, in the members whose schemas declare such text.
struct PlayersText {
  /// The member that contains the text.
  static let mark = "players_text"
  /// The limit of a piece in characters. A player's id is never cut.
  static let charactersMax = 256

  private static let schemas = Dictionary(
    OpenAPIDocument.shapes.map { ($0.schemaName, $0.schema) }, uniquingKeysWith: { first, _ in first })

  /// True for a key whose value players choose. A key that is missing may have been one, in an earlier catalog.
  private let isChosen: [String: Bool]

  /// Reads the parameters of a catalog's answer.
  init(catalog: Value = [:]) {
    let parameters = (catalog["parameters"]?.listValue ?? []).compactMap { parameter in
      parameter["key"]?.stringValue.map { ($0, parameter["player_setting"] == true) }
    }
    isChosen = Dictionary(parameters, uniquingKeysWith: { first, _ in first })
  }

  /// Returns an answer in which every possible text of a player is cut, and is the only member of an object.
  /// - Parameters:
  ///   - shape: The name of the answer's shape.
  ///   - key: The parameter that the call is about, for an answer that does not name it.
  ///   - isFull: True if the values by key are objects that name each value's source.
  func marked(_ value: Value, as shape: String, key: String? = nil, isFull: Bool = false) -> Value {
    marked(value, Self.schemas[shape] ?? [:], ValuePosition(key: key, isFull: isFull))
  }

  private struct ValuePosition {
    /// The parameter that the value is about.
    var key: String?
    var isFull: Bool
    /// The object that contains the value.
    var around = ObjectValue()
  }

  private func marked(_ value: Value, _ schema: Value, _ place: ValuePosition) -> Value {
    if let origin = schema[TextOrigin.member]?.stringValue {
      // With detail=full the values by key have the shape of ``ValueAnswer``.
      if place.isFull, origin == TextOrigin.parameter.rawValue, value.objectValue?["value"] != nil, let full = Self.schemas["ValueAnswer"] {
        return marked(value, full, ValuePosition(key: place.key, isFull: false))
      }
      return holdsPlayers(TextOrigin(rawValue: origin), place) ? Self.wrapped(value) : value
    }
    switch value {
    case .list(let values):
      let items = Self.resolved(schema, for: value)["items"] ?? [:]
      return .list(values.map { marked($0, items, place) })
    case .object(let object): return .object(marked(object, Self.resolved(schema, for: value), place))
    default: return value
    }
  }

  private func marked(_ object: ObjectValue, _ schema: Value, _ place: ValuePosition) -> ObjectValue {
    let members = Self.members(of: schema)
    // A shape without members does not describe the object: it is a document of the catalog or the daemon.
    guard !members.properties.isEmpty || members.others != nil else { return object }
    var inside = place
    inside.key = object["key"]?.stringValue ?? place.key
    inside.around = object
    return ObjectValue(
      object.members.map { member in
        if let property = members.properties[member.name] { return (member.name, marked(member.value, property, inside)) }
        guard let others = members.others else {
          // A member that only a newer daemon knows may be players' text.
          return (member.name, members.isOpen ? member.value : Self.wrapped(member.value))
        }
        var named = inside
        named.key = member.name
        return (member.name, marked(member.value, others, named))
      })
  }

  private func holdsPlayers(_ origin: TextOrigin?, _ place: ValuePosition) -> Bool {
    switch origin {
    case .player, nil: return true
    case .parameter: return place.key.flatMap { isChosen[$0] } ?? true
    case .change:
      let action = place.around["action"] ?? place.around["what"]
      if action?.stringValue?.hasPrefix("player.") ?? false { return true }
      return place.around["key"]?.stringValue.map { isChosen[$0] ?? true } ?? false
    }
  }
}

extension PlayersText {
  /// Returns a schema without references; of alternatives, the one that fits the value.
  private static func resolved(_ schema: Value, for value: Value) -> Value {
    if let name = schema["$ref"]?.stringValue?.split(separator: "/").last { return resolved(schemas[String(name)] ?? [:], for: value) }
    guard let choices = schema["oneOf"]?.listValue else { return schema }
    let fitting = choices.map { resolved($0, for: value) }.filter { fits(value, $0) }
    return fitting.first ?? [:]
  }

  /// True if a value has the members or elements that a schema requires.
  private static func fits(_ value: Value, _ schema: Value) -> Bool {
    switch value {
    case .list: return schema["type"] == "array"
    case .object(let object):
      let required = members(of: schema).required
      return schema["type"] != "array" && schema["type"] != "null" && required.allSatisfy { object[$0] != nil }
    default: return true
    }
  }

  /// Returns the members that an object's schema declares, the schema of all others, and whether others are the daemon's own.
  private static func members(of schema: Value) -> (properties: ObjectValue, others: Value?, isOpen: Bool, required: [String]) {
    var properties = schema["properties"]?.objectValue ?? ObjectValue()
    var required = (schema["required"]?.listValue ?? []).compactMap(\.stringValue)
    let others = schema["additionalProperties"]
    var isOpen = others == true || schema["description"] == schemas[Problem.schemaName]?["description"]
    for part in schema["allOf"]?.listValue ?? [] {
      let more = members(of: resolved(part, for: [:]))
      for member in more.properties.members { properties[member.name] = member.value }
      required += more.required
      isOpen = isOpen || more.isOpen
    }
    return (properties, others?.objectValue.map(Value.object), isOpen, required)
  }

  /// Returns the value as players' text, unless it has no text: numbers, Booleans and null are harmless.
  private static func wrapped(_ value: Value) -> Value { holdsText(value) ? [mark: cut(value)] : value }

  private static func holdsText(_ value: Value) -> Bool {
    switch value {
    case .string: true
    case .list(let values): values.contains(where: holdsText)
    case .object(let object): !object.isEmpty
    default: false
    }
  }

  /// Returns the value with every text and name cut.
  private static func cut(_ value: Value) -> Value {
    switch value {
    case .string(let text): .string(cut(text))
    case .list(let values): .list(values.map(cut))
    case .object(let object): .object(ObjectValue(object.members.map { (cut($0.name), cut($0.value)) }))
    default: value
    }
  }

  private static func cut(_ text: String) -> String {
    text.unicodeScalars.count <= charactersMax ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(charactersMax))) + "…"
  }
}
