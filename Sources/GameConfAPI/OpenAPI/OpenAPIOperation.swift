// One call as an OpenAPI operation.

package import GameConfCore

struct OpenAPIOperation {
  private let endpoint: Endpoint

  init(_ endpoint: Endpoint) { self.endpoint = endpoint }

  var value: Value {
    var operation = ObjectValue([
      ("operationId", .string(endpoint.id)), ("summary", .string(endpoint.summary)),
      // Code generators write an operation once for each of its tags, so it has only one tag.
      ("tags", .list((endpoint.face.map { [$0.tag] } ?? Array(sockets.prefix(1))).map(Value.string))),
    ])
    let parameters =
      endpoint.pathParameters.map(pathParameter) + endpoint.query.map { $0.openAPI(example: endpoint.example.query[$0.name]) }
      + endpoint.example.headers.sorted { $0.key < $1.key }.map(header) + conditions
    if !parameters.isEmpty { operation["parameters"] = .list(parameters) }
    if let body { operation["requestBody"] = body }
    operation["responses"] = .object(responses)
    operation["x-gameconf"] = .object(rules)
    operation["x-codeSamples"] = [["lang": "Shell", "source": .string(endpoint.exampleCommand)]]
    return .object(operation)
  }

  private var sockets: [String] { SocketKind.allCases.filter(endpoint.sockets.contains).map(\.rawValue) }

  /// The facts for which OpenAPI has no keywords: the sockets, the role, the kind of change, and whether the call may be repeated.
  private var rules: ObjectValue {
    var rules = ObjectValue([("sockets", .list(sockets.map(Value.string))), ("needs", .string(endpoint.needs.word))])
    if case .testerWith(let query) = endpoint.needs { rules["needs_with_query"] = .string(query) }
    if let changes = endpoint.changes {
      rules["changes"] = .string(changes.word)
      rules["repeatable"] = .bool(endpoint.isRepeatable)
    }
    return rules
  }

  private func pathParameter(_ name: String) -> Value {
    let variable = PathVariable(name)
    var parameter = ObjectValue([("name", .string(name)), ("in", "path"), ("required", true), ("schema", variable.schema)])
    if let summary = variable.summary { parameter["description"] = .string(summary) }
    if let example = endpoint.example.variable(name) {
      parameter["example"] = name == "id" ? Int64(example).map(Value.integer) ?? .string(example) : .string(example)
    }
    return .object(parameter)
  }

  /// Returns the OpenAPI description of a header without which the call is refused.
  private func header(_ name: String, _ example: String) -> Value {
    ["name": .string(name), "in": "header", "required": true, "schema": ["type": "string", "minLength": 1], "example": .string(example)]
  }

  /// The optional headers that make a call conditional or safe to repeat, such as `If-Match` and `Idempotency-Key`.
  private var conditions: [Value] {
    func header(_ name: String, _ description: String, _ pattern: String) -> Value {
      [
        "name": .string(name), "in": "header", "description": .string(description),
        "schema": ["type": "string", "pattern": .string(pattern)],
      ]
    }
    if endpoint.method == .get {
      return !hasUnchanged ? [] : [header("If-None-Match", "Answers 304 if the body still has that ETag.", "^[ -~]+$")]
    }
    // Changes over the games socket are not in the audit log, so they have no session.
    let session =
      endpoint.sockets.contains(.admin)
      ? [header("Gameconf-Session", "The session of the change, for the audit log and for reverting it.", "^[!-~]{1,64}$")] : []
    let key = header(
      "Idempotency-Key",
      "A call repeated with the same key is done once: for 24 hours, and an event while the key is among its player's newest 64.",
      "^[!-~]{1,255}$")
    switch endpoint.changes {
    case .game:
      return session + [
        key, header("If-Match", "Refuses with 412 unless the game's revision is still this one.", "^(\\*|\"(value-)?[0-9]+\")$"),
      ]
    case .player:
      return session + [
        header(
          "Gameconf-Sequence", "The place in a client's queue as client/number; a repeated call is done once.",
          "^[0-9a-fA-F-]{36}/[0-9]+$"),
        key, header("If-Match", "Refuses with 412 unless the player's revision is still this one.", "^(\\*|\"[0-9]+\")$"),
      ]
    case .template:
      return session + [
        key,
        header("If-Match", "Refuses with 412 unless the newest version is still this one; 0 is before the first.", "^(\\*|\"[0-9]+\")$"),
      ]
    case .playState:
      return session + [
        key,
        header(
          "If-Match", "Refuses with 412 unless the play's state still has this tag; \"\" is before the first.", "^(\\*|\"[0-9a-f]*\")$"),
      ]
    case .scenarios: return [key]
    // These calls take no Idempotency-Key. If a call requires If-Match, it is already among the required headers.
    case .firebaseTemplate, .subscriber, .daemon, nil: return endpoint.changes == .daemon ? session : []
    }
  }

  private var body: Value? {
    guard let media = Self.media(endpoint.request, isSent: true, example: endpoint.example.body) else { return nil }
    return ["required": .bool(endpoint.request.isRequired), "content": media]
  }

  /// - Parameter isSent: True for a request. Code generators leave out a call whose request body has no schema.
  private static func media(_ content: Endpoint.BodyContent, isSent: Bool = false, example: Value? = nil) -> Value? {
    var described = ObjectValue()
    let mediaTypes: [String]
    switch content {
    case .none: return nil
    case .json(let schema, _):
      mediaTypes = ["application/json"]
      described["schema"] = ["$ref": .string("#/components/schemas/\(schema)")]
    case .bytes(let type, let other, _):
      mediaTypes = [type] + (other.map { [$0] } ?? [])
      if isSent { described["schema"] = ["type": "string", "format": "binary"] }
    }
    if let example { described["example"] = example }
    return .object(ObjectValue(mediaTypes.map { ($0, .object(described)) }))
  }

  private var responses: ObjectValue {
    var responses = ObjectValue()
    for status in endpoint.statuses {
      var response = ObjectValue([("description", .string(Self.description(of: status)))])
      if ![204, 304].contains(status), let media = Self.media(endpoint.answer) { response["content"] = media }
      if !headers.isEmpty { response["headers"] = .object(headers) }
      responses[String(status)] = .object(response)
    }
    if endpoint.method == .get, hasUnchanged { responses["304"] = ["description": "Not modified: the body still has that ETag."] }
    // OpenFeature's protocol, Google's, and the protocols that other modules serve have their own forms of refusals.
    let refusal =
      endpoint.face?.failureName ?? (endpoint.path.contains("/ofrep/v1/") ? "OFREPFailure" : isFirebase ? "FirebaseFailure" : "Problem")
    for status in refusals { responses[String(status)] = ["$ref": .string("#/components/responses/\(refusal)")] }
    return responses
  }

  private var isFirebase: Bool { endpoint.path.hasPrefix("/v1/projects/") }

  /// True if the call answers 304 to a request with a current ETag. Firebase's paths follow Google's protocol, which has no 304.
  private var hasUnchanged: Bool { hasTag && !isFirebase }

  /// True if successful answers have an ETag. Streams, and bodies that are generated while they are sent, have no ETag.
  private var hasTag: Bool {
    switch endpoint.answer {
    case .none: false
    case .json: true
    case .bytes(let mediaType, _, _): ["application/json", ImageFrame.imageType].contains(mediaType)
    }
  }

  private var headers: ObjectValue {
    var names: [String] = []
    if endpoint.path.hasPrefix("/v1/games/{game}") || endpoint.path.hasPrefix("/v1/projects/{project}") {
      names.append("Gameconf-Revision")
    }
    if endpoint.path.contains("{player}") { names.append("Gameconf-Player-Revision") }
    if endpoint.isRepeatable { names.append("Gameconf-Repeated") }
    return ObjectValue(names.map { ($0, ["$ref": .string("#/components/headers/\($0)")]) })
  }

  private static func description(of status: Int) -> String {
    switch status {
    case 201: "Created; Location is its path."
    case 204: "Done."
    default: "The answer."
    }
  }

  /// The HTTP statuses of all refusals of the call.
  private var refusals: [Int] {
    // Any call may get these refusals: for a browser's request, for a header or request line beyond its limit, for a slow request, for an
    // unknown method, and for a user with too many connections.
    var statuses = endpoint.refusals.union([400, 403, 408, 414, 429, 431, 500, 501, 503])
    // The calls at OpenFeature's own paths name the game in a header.
    if !endpoint.pathParameters.isEmpty || endpoint.path.hasPrefix("/ofrep/") { statuses.insert(404) }
    if endpoint.request != .none { statuses.formUnion([413, 415, 422]) }
    if endpoint.changes != nil { statuses.formUnion([404, 409, 422, 507]) }
    if endpoint.hasPrecondition { statuses.insert(412) }
    if case .testerWith = endpoint.needs { statuses.insert(507) }
    return statuses.sorted()
  }
}

extension Endpoint.RequiredRole {
  package var word: String {
    switch self {
    case .anyone: "anyone"
    case .tester: "tester"
    case .publisher: "publisher"
    case .admin: "admin"
    case .testerForPlayer: "tester_for_player"
    case .asBegun: "as_begun"
    case .testerWith: "tester_with_query"
    }
  }
}

extension Endpoint.ChangedObject {
  fileprivate var word: String {
    switch self {
    case .game: "game"
    case .player: "player"
    case .template: "template"
    case .firebaseTemplate: "firebase_template"
    case .subscriber: "subscriber"
    case .playState: "play_state"
    case .scenarios: "scenarios"
    case .daemon: "daemon"
    }
  }
}

extension Endpoint.BodyContent {
  package var isRequired: Bool {
    switch self {
    case .none: false
    case .json(_, let required), .bytes(_, _, let required): required
    }
  }
}

extension QueryParameter {
  fileprivate func openAPI(example: String?) -> Value {
    var parameter = ObjectValue([("name", .string(name)), ("in", "query"), ("description", .string(summary)), ("schema", kind.schema)])
    // Clients write the keys of a list into one parameter, `keys=a,b`. By default OpenAPI would repeat the parameter for each key.
    if kind == .list { parameter["explode"] = false }
    if let example { parameter["example"] = kind.value(example) }
    return .object(parameter)
  }
}

extension QueryParameter.Kind {
  /// Converts an example's text to the JSON type of the parameter's schema.
  fileprivate func value(_ text: String) -> Value {
    switch self {
    case .flag: .bool(text == "true")
    case .integer: Int64(text).map(Value.integer) ?? .string(text)
    case .list: .list(text.split(separator: ",").map { .string(String($0)) })
    case .word, .text, .instant, .player, .storedPlayer, .locale: .string(text)
    }
  }

  /// The JSON Schema of the query parameter's text.
  package var schema: Value {
    switch self {
    case .flag: return ["type": "boolean"]
    case .integer(let bounds, let usual):
      var schema = ObjectValue([("type", "integer"), ("format", "int64"), ("minimum", .integer(bounds.lowerBound))])
      if bounds.upperBound < Int64.max { schema["maximum"] = .integer(bounds.upperBound) }
      if let usual { schema["default"] = .integer(usual) }
      return .object(schema)
    case .word(let words): return ["type": "string", "enum": .list(words.map(Value.string))]
    case .text(let bytesMax):
      var schema = ObjectValue([("type", "string"), ("minLength", 1)])
      if let bytesMax { schema["maxLength"] = .integer(Int64(bytesMax)) }
      return .object(schema)
    case .instant: return ["type": "string", "format": "date-time"]
    case .player:
      let (first, rest) = ("[^.\\u0000-\\u001F\\u007F-\\u009F]", "[^\\u0000-\\u001F\\u007F-\\u009F]*")
      let pattern = "^(\\.{0,2}\(first)\(rest)|\\.{3}\(rest))$"
      return ["type": "string", "minLength": 1, "maxLength": 256, "pattern": .string(pattern)]
    case .storedPlayer: return ["type": "string", "minLength": 1, "maxLength": 256, "pattern": "^[^\\u0000-\\u001F\\u007F-\\u009F]+$"]
    case .locale(let everyLocale):
      let tag = "[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*"
      return ["type": "string", "pattern": .string(everyLocale ? "^(\\*|\(tag))$" : "^\(tag)$")]
    case .list: return ["type": "array", "items": ["type": "string", "minLength": 1], "minItems": 1]
    }
  }
}
