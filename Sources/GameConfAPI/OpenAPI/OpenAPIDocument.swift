// The contract as an OpenAPI 3.1 document.

public import GameConfCore

/// Describes calls in OpenAPI's words.
public enum OpenAPIDocument {
  /// The document for these calls.
  public static func build(version: String, endpoints: [Endpoint] = Endpoints.all) -> Value {
    var paths = ObjectValue()
    for endpoint in endpoints {
      var operations = paths[endpoint.path]?.objectValue ?? ObjectValue()
      operations[endpoint.method.rawValue.lowercased()] = operation(endpoint)
      paths[endpoint.path] = .object(operations)
    }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "gameconfd", "version": .string(version),
        "summary": "Values, overrides and flags of the games on this host, and what their players did and may, over a Unix socket.",
      ],
      "servers": [["url": "http://localhost", "description": "Over the games or the admin socket, such as /run/gameconfd/games.sock."]],
      "tags": [
        ["name": "games", "description": "Answered on the games socket."],
        ["name": "admin", "description": "Answered on the admin socket."],
        ["name": "metrics", "description": "Answered on the metrics port."],
      ],
      "paths": .object(paths),
      "components": [
        "schemas": .object(ObjectValue(shapes.map { ($0.schemaName, $0.schema) })),
        "responses": ["Problem": problem],
        "headers": .object(headers),
      ],
    ]
  }

  /// Every component schema.
  package static let shapes: [any WireShape.Type] =
    [
      Problem.self, Problem.Item.self, HealthAnswer.self, Degradation.self, OpenAPIAnswer.self, GamesAnswer.self, GameSummary.self,
      CatalogAnswer.self, ConfigAnswer.self, ValueAnswer.self, EvaluateRequest.self, ExplainAnswer.self, ExplainedLayer.self,
      SimulateRequest.self, SimulateAnswer.self, SimulatedShare.self, WireAuthor.self, WireWindow.self, OverrideRecord.self,
      PutOverride.self, OverrideAnswer.self, OverrideList.self, ClearRequest.self, ClearAnswer.self, ReasonRequest.self, ImportRow.self,
      ImportRequest.self, ImportAnswer.self, ExportAnswer.self, ExportOmission.self, AuditEntry.self, AuditList.self, RevertAnswer.self,
      StatusAnswer.self,
      StatusClock.self, StatusGame.self, StatusKillSwitch.self, StatusSocket.self, StatusStore.self, ReloadAnswer.self,
      ReloadedGame.self, StoreCheckAnswer.self, StoreRestoreAnswer.self, StoreCopiesAnswer.self, StoreCopyRecord.self, PlayersList.self,
      PlayerSummary.self, PlayerAnswer.self,
      HistoryLine.self, WireScores.self, WireEventCount.self, WireVisits.self, WireUnlocked.self, WireProgress.self, ThemeAnswer.self,
      ThemeList.self, MilestoneAnswer.self, MilestoneList.self, SettingAnswer.self, WireAdCounters.self, WireAdNext.self,
      AdDecisionAnswer.self, AdStatusAnswer.self, AdReportAnswer.self, AdChangeAnswer.self, EventRequest.self, EventAnswer.self,
      PutContext.self, ContextAnswer.self, PutSetting.self, AdReportRequest.self, VisitAnswer.self, PatchPlayer.self, ScoresAnswer.self,
      ForgetAnswer.self,
    ] + storeSimulatorShapes

  private static let storeSimulatorShapes: [any WireShape.Type] = [
    ProductList.self, ProductRecord.self, ProductIntro.self, OfferingList.self, OfferingRecord.self, OfferingPackage.self,
    EntitlementsAnswer.self, EntitlementRecord.self, SubscriptionRecord.self, TransactionList.self, TransactionRecord.self, WirePrice.self,
    StoreActAnswer.self, StoreLogAnswer.self, StoreLogLine.self, PurchaseRequest.self, RestoreRequest.self, GrantRequest.self,
    BillingRetryRequest.self, PriceChangeRequest.self, PremiumRequest.self, PutBehaviour.self, BehaviourAnswer.self, SimulatedFailure.self,
    EventsRequest.self, EventsAnswer.self, DoneAnswer.self, ListedEventAnswer.self, WireSequence.self, GateRequest.self, GateCheck.self,
    GateAnswer.self, GateVerdict.self, PutClock.self, ClockAnswer.self, PutPlayerClock.self,
    PlayerClockAnswer.self,
  ]

  private static let headers = ObjectValue([
    ("ETag", header("A strong hash of the body.", SchemaText.string)),
    ("Gameconf-Revision", header("The game's revision.", SchemaText.integer)),
    ("Gameconf-Player-Revision", header("The player's revision.", SchemaText.integer)),
  ])

  private static func header(_ description: String, _ schema: Value) -> Value {
    ["description": .string(description), "schema": schema]
  }

  private static let problem: Value = [
    "description": "Refused; the code says why and the detail what to do.",
    "content": [Problem.mediaType: ["schema": SchemaText.ref(Problem.self)]],
  ]

  private static func operation(_ endpoint: Endpoint) -> Value {
    var operation = ObjectValue([
      ("operationId", .string(endpoint.id)), ("summary", .string(endpoint.summary)),
      ("tags", .list(SocketKind.allCases.filter(endpoint.sockets.contains).map { .string($0.rawValue) })),
    ])
    let parameters = endpoint.pathParameters.map(pathParameter) + endpoint.query.map(queryParameter) + conditions(endpoint)
    if !parameters.isEmpty { operation["parameters"] = .list(parameters) }
    if let body = body(endpoint.request) { operation["requestBody"] = body }
    operation["responses"] = .object(responses(endpoint))
    return .object(operation)
  }

  private static func pathParameter(_ name: String) -> Value {
    ["name": .string(name), "in": "path", "required": true, "schema": name == "id" ? SchemaText.integer : SchemaText.string]
  }

  private static func queryParameter(_ parameter: Endpoint.QueryParameter) -> Value {
    [
      "name": .string(parameter.name), "in": "query", "description": .string(parameter.summary),
      "schema": ["type": "string", "minLength": 1],
    ]
  }

  /// The headers that make a call conditional or safe to repeat.
  private static func conditions(_ endpoint: Endpoint) -> [Value] {
    func header(_ name: String, _ description: String) -> Value {
      ["name": .string(name), "in": "header", "description": .string(description), "schema": SchemaText.string]
    }
    if endpoint.method == .get {
      return endpoint.answer == .none ? [] : [header("If-None-Match", "Answers 304 when the body still has that ETag.")]
    }
    guard endpoint.query.contains(Query.dryRun) else { return [] }
    let whose = Endpoints.playerCalls.contains(endpoint) ? "player's" : "game's"
    let queued = [header("Gameconf-Sequence", "The place in a client's queue as client/number: done once, however often it is sent.")]
    return (Endpoints.playerCalls.contains(endpoint) ? queued : []) + [
      header("Idempotency-Key", "Repeating the call with the same key does it once."),
      header("If-Match", "Refuses with 412 when the \(whose) revision is no longer that one."),
    ]
  }

  private static func body(_ content: Endpoint.Content) -> Value? {
    guard let media = media(content) else { return nil }
    var required = true
    if case .json(_, let isRequired) = content { required = isRequired }
    return ["required": .bool(required), "content": media]
  }

  private static func media(_ content: Endpoint.Content) -> Value? {
    switch content {
    case .none: nil
    case .json(let schema, _): ["application/json": ["schema": ["$ref": .string("#/components/schemas/\(schema)")]]]
    case .bytes(let mediaType): .object(ObjectValue([(mediaType, .object(ObjectValue()))]))
    }
  }

  private static func responses(_ endpoint: Endpoint) -> ObjectValue {
    var responses = ObjectValue()
    for status in endpoint.statuses {
      var response = ObjectValue([("description", .string(description(of: status)))])
      if status != 204, let media = media(endpoint.answer) { response["content"] = media }
      if endpoint.path.hasPrefix("/v1/games/{game}") {
        var headers: ObjectValue = ["Gameconf-Revision": ["$ref": "#/components/headers/Gameconf-Revision"]]
        if endpoint.path.contains("{player}") {
          headers["Gameconf-Player-Revision"] = ["$ref": "#/components/headers/Gameconf-Player-Revision"]
        }
        response["headers"] = .object(headers)
      }
      responses[String(status)] = .object(response)
    }
    if endpoint.method == .get { responses["304"] = ["description": "The body still has the ETag that was given."] }
    responses["default"] = ["$ref": "#/components/responses/Problem"]
    return responses
  }

  private static func description(of status: Int) -> String {
    switch status {
    case 201: "Created; Location tells where it is."
    case 204: "Done."
    default: "The answer."
    }
  }
}
