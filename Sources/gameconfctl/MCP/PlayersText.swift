// Marks and cuts texts that players wrote, because an assistant that reads them acts with the rights of its user (prompt injection).

import GameConfAPI
import GameConfCore

/// Marks the texts of players in responses about a game. The schemas of the responses declare the members that contain such texts.
struct PlayersText {
  /// The name of the member in which a player's text is wrapped.
  static let mark = "players_text"
  /// The maximum length of a text in characters; longer ones are cut. A player's id is never cut.
  static let charactersMax = 256

  private static let schemas = Dictionary(
    OpenAPIDocument.shapes.map { ($0.schemaName, $0.schema) }, uniquingKeysWith: { first, _ in first })

  /// For each key, true if players may choose its value. A key of an earlier catalog is missing here and is treated as one that players may
  /// choose.
  private let isChosen: [String: Bool]

  /// Reads from the catalog's description which keys players may choose.
  init(catalog: Value = [:]) {
    let parameters = (catalog["parameters"]?.listValue ?? []).compactMap { parameter in
      parameter["key"]?.stringValue.map { ($0, parameter["player_setting"] == true) }
    }
    isChosen = Dictionary(parameters, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a response in which each text that may be a player's is cut and wrapped in an object with the single member ``mark``.
  /// - Parameters:
  ///   - shape: The name of the response's schema.
  ///   - key: The parameter that the call is about, for a response that does not name it.
  ///   - isFull: True if the response contains for each key an object with the value and its source.
  func marked(_ value: Value, as shape: String, key: String? = nil, isFull: Bool = false) -> Value {
    marked(value, Self.schemas[shape] ?? [:], ValuePosition(key: key, isFull: isFull))
  }

  private struct ValuePosition {
    /// The key of the parameter to which the value belongs.
    var key: String?
    var isFull: Bool
    /// The object of which the value is a member.
    var around = ObjectValue()
  }

  private func marked(_ value: Value, _ schema: Value, _ place: ValuePosition) -> Value {
    if let origin = schema[TextOrigin.member]?.stringValue {
      // With `detail=full` the response has for each key an object in the form of ``ValueAnswer``.
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
    // A schema without members does not describe the object's contents: the object is a document of the catalog or of the daemon, not a
    // player's.
    guard !members.properties.isEmpty || members.others != nil else { return object }
    var inside = place
    inside.key = object["key"]?.stringValue ?? place.key
    inside.around = object
    return ObjectValue(
      object.members.map { member in
        if let property = members.properties[member.name] { return (member.name, marked(member.value, property, inside)) }
        guard let others = members.others else {
          // The schema does not know this member, so a newer daemon has sent it. It may be a player's text, and is wrapped.
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
  /// Resolves the references in a schema. Of several alternative schemas, returns the first that fits the value.
  private static func resolved(_ schema: Value, for value: Value) -> Value {
    if let name = schema["$ref"]?.stringValue?.split(separator: "/").last { return resolved(schemas[String(name)] ?? [:], for: value) }
    guard let choices = schema["oneOf"]?.listValue else { return schema }
    let fitting = choices.map { resolved($0, for: value) }.filter { fits(value, $0) }
    return fitting.first ?? [:]
  }

  /// True if a value has the kind and the members that a schema requires.
  private static func fits(_ value: Value, _ schema: Value) -> Bool {
    switch value {
    case .list: return schema["type"] == "array"
    case .object(let object):
      let required = members(of: schema).required
      return schema["type"] != "array" && schema["type"] != "null" && required.allSatisfy { object[$0] != nil }
    default: return true
    }
  }

  /// Returns the members that an object's schema declares, the schema of all other members, and true if undeclared members come from the
  /// daemon itself.
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

  /// Wraps a value as a player's text if it contains text. Numbers, Booleans and null are harmless.
  private static func wrapped(_ value: Value) -> Value { holdsText(value) ? [mark: cut(value)] : value }

  private static func holdsText(_ value: Value) -> Bool {
    switch value {
    case .string: true
    case .list(let values): values.contains(where: holdsText)
    case .object(let object): !object.isEmpty
    default: false
    }
  }

  /// Returns a value in which every text and every member's name is cut to ``charactersMax``.
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
