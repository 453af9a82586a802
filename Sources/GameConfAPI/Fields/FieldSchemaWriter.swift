// Writes the JSON Schema of a request or answer from a walk over its members.

package import GameConfCore

/// The rule for a member's value in a JSON Schema, in addition to its type.
package enum FieldValueRule: Sendable {
  /// The schema of the member's type, without a further rule.
  case own
  /// Text that is one of these words. In an answer further words are valid, because a newer daemon may have more.
  case oneOf([String])
  /// A whole number that is at least this one.
  case atLeast(Int64)
  /// An object whose members all have this schema.
  case map(of: Value)
  /// A schema that replaces the schema of the member's type.
  case schema(Value)
  /// Text that a player may have written, or a value that may contain such text.
  case playersText
  /// The value of the parameter that the member `key` names, in the same object or in an outer one. It is a player's text if players choose
  /// the parameter's value.
  case parameterValue
  /// An object with the values of parameters by key.
  case parameterValues
  /// A value before or after a change: a value of the parameter that the member `key` names, or a player's text if the change is about a
  /// player.
  case changedValue

  package static func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> FieldValueRule where Word.RawValue == String {
    .oneOf(Word.allCases.map(\.rawValue))
  }

  fileprivate func schema(of own: Value) -> Value {
    switch self {
    case .own: own
    case .oneOf(let words): ["type": "string", "enum": .list(words.map(Value.string))]
    case .atLeast(let least): ["type": "integer", "format": "int64", "minimum": .integer(least)]
    case .map(let values): ["type": "object", "additionalProperties": values]
    case .schema(let schema): schema
    case .playersText: Self.marked(own, .player)
    case .parameterValue: Self.marked(own, .parameter)
    case .parameterValues: ["type": "object", "additionalProperties": Self.marked([:], .parameter)]
    case .changedValue: Self.marked(own, .change)
    }
  }

  private static func marked(_ schema: Value, _ origin: TextOrigin) -> Value {
    var object = schema.objectValue ?? ObjectValue()
    object[TextOrigin.member] = .string(origin.rawValue)
    return .object(object)
  }
}

/// The origin of text that a player may have written, as a JSON Schema names it. All other text is written by the daemon, the catalog or
/// an operator.
package enum TextOrigin: String, Sendable {
  /// A player may have written the text.
  case player
  /// The text is a parameter's value. A player may have written it if players choose that value.
  case parameter
  /// The text is a value before or after a change.
  case change

  /// The JSON Schema keyword whose value is an origin.
  package static let member = "x-gameconf-text"
}

package struct FieldSchemaWriter: FieldWalker {
  private var properties = ObjectValue()
  private var required: [Value] = []
  private var others: [Value] = []
  private let isClosed: Bool

  /// - Parameter isClosed: True if unknown members, and words that an enumeration does not list, are refused.
  package init(isClosed: Bool) { self.isClosed = isClosed }

  /// - Parameter about: The object's description, in a sentence.
  package func schema(_ about: String) -> Value {
    var schema: ObjectValue = ["type": "object", "description": .string(about)]
    if !required.isEmpty { schema["required"] = .list(required) }
    schema["properties"] = .object(properties)
    if isClosed { schema["additionalProperties"] = false }
    return others.isEmpty ? .object(schema) : ["description": .string(about), "allOf": .list(others + [.object(schema)])]
  }

  private mutating func describe(_ name: StaticString, _ schema: Value, _ about: StaticString, isRequired: Bool) {
    var schema = (isClosed ? schema : Self.opened(schema)).objectValue ?? ObjectValue()
    if schema["description"] == nil { schema["description"] = .string(about.text) }
    properties[name.text] = .object(schema)
    if isRequired { required.append(.string(name.text)) }
  }

  package mutating func field<Member: WireMember>(
    _ name: StaticString, _: inout Member, _ presence: FieldPresence, _ about: StaticString, _ form: () -> FieldValueRule
  ) {
    describe(name, form().schema(of: Member.memberSchema), about, isRequired: presence == .required)
  }

  package mutating func field<Member: WireMember>(
    _ name: StaticString, _: inout Member?, _ null: NullMeaning, _ about: StaticString, _ form: () -> FieldValueRule
  ) {
    let schema = form().schema(of: Member.memberSchema)
    describe(name, null == .written ? Self.orNull(schema) : schema, about, isRequired: null == .written)
  }

  package mutating func written(
    _ name: StaticString, _: @autoclosure () -> Value, _ about: StaticString, _ form: @autoclosure () -> FieldValueRule
  ) {
    describe(name, form().schema(of: String.memberSchema), about, isRequired: true)
  }

  package mutating func ignored(_ name: StaticString, _ about: StaticString, _ form: @autoclosure () -> FieldValueRule) {
    describe(name, form().schema(of: Value.memberSchema), about, isRequired: false)
  }

  package mutating func object(_ name: StaticString, _ about: StaticString, _ inside: (inout FieldSchemaWriter) -> Void) {
    var writer = FieldSchemaWriter(isClosed: isClosed)
    inside(&writer)
    properties[name.text] = writer.schema(about.text)
    required.append(.string(name.text))
  }

  package mutating func part<Part: WirePart>(_: inout Part?, with _: StaticString) {
    let before = required
    var part = Part()
    part.walk(&self)
    required = before
  }

  package mutating func members<Shape: WireObject>(of _: inout Shape) { others.append(Shape.memberSchema) }

  package mutating func refuse(_: StaticString?, _: @autoclosure () -> String, if _: Bool) {}

  /// Returns the schema with each `enum` replaced by ``SchemaFragments/openList``, because generated clients refuse a word that is not in an
  /// `enum`.
  private static func opened(_ schema: Value) -> Value {
    guard case .object(let object) = schema else { return schema }
    return .object(ObjectValue(object.members.map { ($0.name == "enum" ? SchemaFragments.openList : $0.name, opened($0.value)) }))
  }

  private static func orNull(_ schema: Value) -> Value {
    guard var object = schema.objectValue else { return schema }
    if object["$ref"] != nil { return ["oneOf": [schema, ["type": "null"]]] }
    if let type = object["type"] { object["type"] = [type, "null"] }
    return .object(object)
  }
}
