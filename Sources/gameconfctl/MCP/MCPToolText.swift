// Describes a call of the daemon as a tool: its name, its summary, the schema of its arguments, and hints about its effects.

import GameConfAPI
import GameConfCore

struct MCPToolText {
  enum ArgumentLocation: Equatable {
    case path, body
    case query(QueryParameter.Kind)
    case revision
  }

  let endpoint: Endpoint
  let scope: MCPScope

  /// The query parameters that are no arguments of a tool, unless ``isHidden(_:)`` makes an exception. The program sets `dry_run` itself;
  /// with the others a call would wait, or would change more than the tool says.
  private static let hidden: Set<QueryParameter> = [.dryRun, .wait, .known, .force, .allPlayers, .reason]

  /// The arguments of the tool in the schema's order, each with its place in the request, its schema, and true if it is required.
  var arguments: [(name: String, place: ArgumentLocation, schema: Value, isRequired: Bool)] {
    var arguments: [(name: String, place: ArgumentLocation, schema: Value, isRequired: Bool)] = []
    for name in endpoint.pathParameters where fixed[name] == nil {
      let variable = PathVariable(name)
      arguments.append((name, .path, Self.described(variable.schema, variable.summary), true))
    }
    let body = self.body
    for member in body.properties.members {
      arguments.append((member.name, .body, Self.compact(member.value), body.required.contains(member.name)))
    }
    for parameter in endpoint.query where !isHidden(parameter) && body.properties[parameter.name] == nil {
      arguments.append((parameter.name, .query(parameter.kind), Self.described(parameter.kind.schema, parameter.summary), false))
    }
    if endpoint.changes != nil {
      let about = "The revision from the plan's answer; it applies the change. Leave it out to plan."
      arguments.append(("revision", .revision, ["type": "integer", "minimum": 0, "description": .string(about)], false))
    }
    return arguments
  }

  private func isHidden(_ parameter: QueryParameter) -> Bool {
    if Self.hidden.contains(parameter) { return !(parameter == .reason && endpoint.changes != nil) && !isOpenList(parameter) }
    return parameter.name == "player" && (scope.player != nil || endpoint.id == Calls.products.endpoint.id)
  }

  private func isOpenList(_ parameter: QueryParameter) -> Bool { parameter == .allPlayers && scope.player == nil }

  /// The path variables that the command line sets, so that the tool has no arguments for them.
  var fixed: [String: String] {
    var fixed: [String: String] = [:]
    if let game = scope.game { fixed["game"] = game }
    if let player = scope.player { fixed["player"] = player }
    return fixed
  }

  /// The members of the request's body; empty if the body is not a plain object.
  private var body: (properties: ObjectValue, required: Set<String>) {
    guard case .json(let name, let isRequired) = endpoint.request, let schema = Self.schema(name),
      let properties = schema["properties"]?.objectValue
    else { return (ObjectValue(), []) }
    return (properties, isRequired ? Set((schema["required"]?.listValue ?? []).compactMap(\.stringValue)) : [])
  }

  private static func schema(_ name: String) -> Value? {
    guard let schema = OpenAPIDocument.shapes.first(where: { $0.schemaName == name })?.schema else { return nil }
    // If the body may be an event or a list of events, the tool takes a single event.
    return schema["oneOf"]?.listValue?.first.map { inlined($0, depth: 0) } ?? schema
  }

  /// Returns a shorter schema: references are replaced by their schemas, and formats, patterns and bounds of length are left out. The
  /// daemon checks those.
  private static func compact(_ value: Value) -> Value { inlined(value, depth: 0) }

  private static func inlined(_ value: Value, depth: Int) -> Value {
    switch value {
    case .list(let values): return .list(values.map { inlined($0, depth: depth) })
    case .object(let object):
      let prefix = "#/components/schemas/"
      if let reference = object["$ref"]?.stringValue, reference.hasPrefix(prefix) {
        let name = String(reference.dropFirst(prefix.count))
        guard depth < 4, let shape = OpenAPIDocument.shapes.first(where: { $0.schemaName == name }) else { return ["type": "object"] }
        return inlined(shape.schema, depth: depth + 1)
      }
      var out = ObjectValue()
      for member in object.members
      where !(["format", "pattern", "minLength", "maxLength"].contains(member.name) && !isSchema(member.value)) {
        out[member.name] = inlined(member.value, depth: depth)
      }
      return .object(out)
    default: return value
    }
  }

  /// True if the value of a schema's member is an object. A property of the body may have the name of a schema keyword, and its value is
  /// then a schema.
  private static func isSchema(_ value: Value) -> Bool { value.objectValue != nil }

  private static func described(_ schema: Value, _ summary: String?) -> Value {
    var schema = compact(schema).objectValue ?? ObjectValue()
    if let summary { schema["description"] = .string(summary) }
    return .object(schema)
  }

  /// The tool's description in the form in which clients list it.
  var value: Value {
    let arguments = self.arguments
    var input: ObjectValue = ["type": "object"]
    if !arguments.isEmpty { input["properties"] = .object(ObjectValue(arguments.map { ($0.name, $0.schema) })) }
    let required = arguments.filter(\.isRequired).map { Value.string($0.name) }
    if !required.isEmpty { input["required"] = .list(required) }
    input["additionalProperties"] = false
    let reads = endpoint.changes == nil
    var tool: ObjectValue = [
      "name": .string(endpoint.id), "description": .string(endpoint.summary), "inputSchema": .object(input),
      "annotations": [
        "readOnlyHint": .bool(reads), "destructiveHint": .bool(overwrites), "idempotentHint": true, "openWorldHint": false,
      ],
    ]
    if !reads { tool["outputSchema"] = Self.outcome }
    return .object(tool)
  }

  /// True if the call replaces or removes data. A POST only adds data, except for the one that reverts a change.
  private var overwrites: Bool {
    endpoint.changes != nil && (endpoint.method != .post || endpoint.id == Calls.revert.endpoint.id)
  }

  /// The schema of the result of every tool that changes something.
  private static let outcome: Value = [
    "type": "object", "required": ["state", "revision", "answer"],
    "properties": [
      "state": ["enum": ["planned", "applied"]], "revision": ["type": "integer"], "answer": ["type": "object"],
      "audit_id": ["type": "integer"], "can_be_taken_back": ["type": "boolean"], "note": ["type": "string"],
    ],
  ]
}
