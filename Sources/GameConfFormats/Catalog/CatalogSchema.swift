// Generates the JSON Schema of catalogs from the same tables of fields that the catalog's reader uses.

public import GameConfCore

/// The JSON Schema (draft 2020-12) of catalogs, for completion and validation in editors.
///
/// It expresses the declarations in the tables of fields. References between parts, ranges and similar rules are checked only by
/// ``CatalogReader``.
public enum CatalogSchema {
  /// The JSON Schema as an object in memory; ``text`` is its JSON.
  public static var value: Value {
    var maker = CatalogSchemaBuilder()
    var root = maker.object(of: CatalogFormat.header)
    root["properties"] = maker.constantVersion(in: root["properties"])
    var schema = ObjectValue()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["$id"] = "urn:gameconf:catalog:1"
    schema["title"] = "gameconfd catalog, format version 1"
    schema["description"] = "One game: its parameters, themes, milestones, products, placements and gates."
    for member in root.members { schema[member.name] = member.value }
    schema["$defs"] = .object(maker.definitions)
    return .object(schema)
  }

  /// The schema as indented JSON, with a newline at the end.
  public static var text: String { JSONWriter.text(value, pretty: true) + "\n" }
}

private struct CatalogSchemaBuilder {
  private(set) var definitions = ObjectValue()

  func constantVersion(in properties: Value?) -> Value? {
    guard case .object(var fields)? = properties else { return properties }
    fields["gameconf"] = ["const": .integer(CatalogFormat.version), "description": "The version of the format."]
    return .object(fields)
  }

  /// Returns the JSON Schema of an object with these fields.
  mutating func object(of place: CatalogFields) -> ObjectValue {
    var properties = ObjectValue()
    for field in place.fields {
      guard case .object(var schema) = schema(of: field.shape) else { continue }
      schema["description"] = .string(field.aboutWithDefault)
      properties[field.name] = .object(schema)
    }
    var object = ObjectValue()
    object["type"] = "object"
    object["properties"] = .object(properties)
    object["patternProperties"] = ["^x-": true]
    object["additionalProperties"] = false
    let required = place.fields.filter { $0.isRequired && $0.isNeededUnless == nil }.map { Value.string($0.name) }
    if !required.isEmpty { object["required"] = .list(required) }
    let conditions = place.fields.compactMap { field in
      field.isNeededUnless.map { other -> Value in ["anyOf": [["required": [.string(field.name)]], ["required": [.string(other)]]]] }
    }
    let types = place.id == CatalogFormat.parameter.id ? typeConditions() : []
    if !conditions.isEmpty || !types.isEmpty { object["allOf"] = .list(conditions + types) }
    if place.exactlyOne {
      object["oneOf"] = .list(place.fields.map { field -> Value in ["required": [.string(field.name)]] })
    }
    return object
  }

  /// Returns the conditional schemas that restrict the field `default` by the field `type`.
  private func typeConditions() -> [Value] {
    let reference: Value = ["$ref": "#/$defs/reference"]
    let types: [(ParameterType, [Value])] = [
      (.boolean, [["type": "boolean"], reference]),
      (.integer, [["type": "integer"], reference]),
      (.double, [["type": "number"], reference]),
      (.string, [["type": "string"], reference, ["type": "object", "required": ["daily_hash"], "maxProperties": 1]]),
      (.list, [["type": "array"], reference]),
      (.object, [["type": "object"]]),
      (.localized, [["type": "object"]]),
    ]
    return types.map { type, choices in
      [
        "if": ["properties": ["type": ["const": .string(type.rawValue)]], "required": ["type"]],
        "then": ["properties": ["default": ["anyOf": .list(choices)]]],
      ]
    }
  }

  private mutating func schema(of shape: CatalogShape) -> Value {
    switch shape {
    case .text: ["type": "string", "minLength": 1]
    case .textOrNull: ["type": ["string", "null"], "minLength": 1]
    case .boolean: ["type": "boolean"]
    case .integer(let least): ["type": "integer", "minimum": .integer(least)]
    case .number: ["type": "number"]
    case .choice(let choices): choices.count == 1 ? ["const": .string(choices[0])] : ["enum": .list(choices.map(Value.string))]
    case .data, .expression: [:]
    case .schema: ["type": ["object", "boolean"]]
    case .list(let element, let isFilled): list(of: element, isFilled)
    case .map(let kind, let value): map(kind, value)
    case .fields(let fields): reference(to: fields)
    case .either(let shapes): ["anyOf": .list(shapes.map { schema(of: $0) })]
    }
  }

  private mutating func list(of element: CatalogShape, _ isFilled: Bool) -> Value {
    var list = ObjectValue()
    list["type"] = "array"
    list["items"] = schema(of: element)
    if isFilled { list["minItems"] = 1 }
    return .object(list)
  }

  private mutating func map(_ kind: CatalogNames.Kind?, _ value: CatalogShape) -> Value {
    var map = ObjectValue()
    map["type"] = "object"
    map["additionalProperties"] = schema(of: value)
    if let kind {
      var names = ObjectValue()
      names["pattern"] = .string(CatalogNames.pattern(kind))
      if kind == .parameter { names["not"] = ["enum": .list(CatalogNames.reserved.sorted().map(Value.string))] }
      map["propertyNames"] = .object(names)
    }
    return .object(map)
  }

  private mutating func reference(to fields: CatalogFields) -> Value {
    if definitions[fields.id] == nil {
      definitions[fields.id] = true
      definitions[fields.id] = .object(object(of: fields))
    }
    return ["$ref": .string("#/$defs/\(fields.id)")]
  }
}
