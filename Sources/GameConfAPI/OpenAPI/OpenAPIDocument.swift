// The contract as an OpenAPI 3.1 document.

public import GameConfCore

/// Describes calls in OpenAPI's words.
public enum OpenAPIDocument {
  /// The document for these calls.
  public static func build(version: String, endpoints: [Endpoint]) -> Value {
    var paths = ObjectValue()
    for endpoint in endpoints {
      var operations = paths[endpoint.path]?.objectValue ?? ObjectValue()
      operations[endpoint.method.rawValue.lowercased()] = OpenAPIOperation(endpoint).value
      paths[endpoint.path] = .object(operations)
    }
    var faces: [Face] = []
    for face in endpoints.compactMap(\.face) where !faces.contains(where: { $0.tag == face.tag }) { faces.append(face) }
    var responses = ObjectValue([("Problem", problem), ("OFREPFailure", failure), ("FirebaseFailure", firebaseFailure)])
    for face in faces { responses[face.failureName] = face.failure }
    return [
      "openapi": "3.1.0",
      "info": [
        "title": "gameconfd", "version": .string(version),
        "summary":
          "Values, overrides and flags of the games on this host, and the progress and purchases of their players, over a Unix socket.",
      ],
      "servers": [["url": "http://localhost", "description": "Over the games or the admin socket, such as /run/gameconfd/games.sock."]],
      "tags": .list(
        [
          ["name": "games", "description": "Answered on the games socket, and most of it on the admin socket."],
          ["name": "admin", "description": "Answered on the admin socket alone."],
          ["name": "metrics", "description": "Answered on the metrics port."],
        ] + faces.map { ["name": .string($0.tag), "description": .string($0.about)] }),
      "paths": .object(paths),
      "components": [
        "schemas": .object(
          ObjectValue(
            shapes.map { ($0.schemaName, $0.schema) } + foreignBodies.map { ($0.schemaName, $0.schema) } + listed
              + faces.flatMap { $0.schemas.members.map { ($0.name, $0.value) } })),
        "responses": .object(responses),
        "headers": .object(headers),
      ],
    ]
  }

  /// Every component schema.
  package static let shapes: [any WireShape.Type] =
    [
      Problem.self, Problem.Item.self, HealthAnswer.self, Degradation.self, OpenAPIAnswer.self, GamesAnswer.self, GameSummary.self,
      UnservedGameAnswer.self, CatalogAnswer.self, ConfigAnswer.self, ValueAnswer.self, EvaluateRequest.self, ExplainAnswer.self,
      ExplainedLayer.self,
      SimulateRequest.self, SimulateAnswer.self, SimulatedShare.self, WireAuthor.self, WireWindow.self, WireOverride.self, WireInForce.self,
      PutOverride.self, OverrideAnswer.self, OverrideList.self, ClearRequest.self, ClearAnswer.self, ReasonRequest.self, ImportRow.self,
      ImportRequest.self, ImportAnswer.self, ExportAnswer.self, ExportOmission.self, AuditEntry.self, AuditList.self, RevertAnswer.self,
      RevertManyAnswer.self,
      SkippedChange.self,
      StatusAnswer.self,
      StatusCaller.self, StatusClock.self, StatusWatchers.self, StatusGame.self, StatusKillSwitch.self, StatusSocket.self, StatusStore.self,
      StatusFleet.self, StatusHost.self,
      StatusUnreadableRow.self, PlayerRowsAnswer.self, ReloadAnswer.self,
      ReloadedGame.self, StoreCheckAnswer.self, StoreRestoreAnswer.self, StoreCopiesAnswer.self, WireStoreCopy.self, PlayersList.self,
      PlayerSummary.self, PlayerAnswer.self,
      HistoryLine.self, WireScores.self, WireEventCount.self, WireVisits.self, WireUnlocked.self, WireUnlockedItem.self, WireProgress.self,
      ThemeAnswer.self,
      ThemeList.self, MilestoneAnswer.self, MilestoneList.self, SettingAnswer.self, AdCounters.self, WireAdNext.self,
      AdDecisionAnswer.self, AdStatusAnswer.self, AdReportAnswer.self, AdChangeAnswer.self, EventRequest.self, EventAnswer.self,
      PutContext.self, ContextAnswer.self, PutSetting.self, AdReportRequest.self, VisitAnswer.self, PatchPlayer.self, ScoresAnswer.self,
      ForgetAnswer.self, TemplateVersion.self, TemplateVersionsAnswer.self, TemplateRemark.self, StatusTemplate.self, TemplateChange.self,
      TemplateAnswer.self, TemplateActivationRequest.self, TemplateSourceRequest.self, TemplateSourceAnswer.self, TemplateFetchAnswer.self,
      EventBest.self, StoredBest.self, BestsAnswer.self, BestsRemovedAnswer.self,
      BoardRowsRemovedAnswer.self,
      LeaderboardRow.self, LeaderboardStanding.self, LeaderboardAnswer.self, PlayerEventsAnswer.self,
      OpenPlayRequest.self, WirePlay.self, PlayAnswer.self, PutPlayState.self, PlayStateAnswer.self, PlayShown.self, PinnedAnswer.self,
      PlayList.self,
      ForgottenGameAnswer.self, MovedClock.self, PlayerResetAnswer.self, CopyPlayerRequest.self, CopyPlayerAnswer.self,
      ClockResetAnswer.self, ChangedThing.self, ChangesAnswer.self, OverrideRead.self, LiveLine.self, LiveAnswer.self,
      ScenarioRequest.self, ScenarioGame.self, ScenarioPlayer.self, ScenarioPurchase.self, WireScenario.self, WireHold.self,
      WireScenarioStep.self, ScenarioAnswer.self, ScenarioList.self,
    ] + shopShapes

  private static let shopShapes: [any WireShape.Type] = [
    ProductList.self, WireProduct.self, ProductIntro.self, OfferingList.self, WireOffering.self, OfferingPackage.self,
    EntitlementsAnswer.self, WireEntitlement.self, WirePremium.self, WireSubscription.self, TransactionList.self, WireTransaction.self,
    ShopPrice.self,
    ShopActAnswer.self, ShopLogAnswer.self, ShopLogLine.self, PurchaseRequest.self, RestoreRequest.self, GrantRequest.self,
    BillingRetryRequest.self, PriceChangeRequest.self, PremiumRequest.self, PutBehaviour.self, BehaviourAnswer.self, SimulatedFailure.self,
    EventsRequest.self, EventsAnswer.self, DoneAnswer.self, ListedEventAnswer.self, WireSequence.self, GateRequest.self, GateCheck.self,
    GateAnswer.self, GateVerdict.self, PutClock.self, ClockAnswer.self, PutPlayerClock.self,
    PlayerClockAnswer.self,
  ]

  private static let foreignBodies: [any ForeignBody.Type] = [
    OFREPRequest.self, FirebaseFetchRequest.self, FirebaseInvalidationsRequest.self, FirebaseTemplateBody.self,
    FirebaseRollbackRequest.self, TemplateDocument.self, OwnTemplateBody.self, FlagdTemplateBody.self,
  ]

  private static let listed: [(String, Value)] = ([EventRequest.self, GateCheck.self, GateVerdict.self] as [any WireObject.Type]).map {
    shape in
    ("Listed\(shape.schemaName)", ["description": "An element of a list.", "allOf": [shape.memberSchema]])
  }

  private static let headers = ObjectValue([
    (
      "ETag",
      header("A hash of the body; a weak one, without the time of the request, if the body contains that time.", SchemaText.string)
    ),
    ("Gameconf-Ignored", header("“locale” if it names no language and was ignored.", SchemaText.string)),
    ("Gameconf-Revision", header("The game's revision.", SchemaText.integer)),
    ("Gameconf-Player-Revision", header("The player's revision.", SchemaText.integer)),
    ("Gameconf-Repeated", header("true if the call was repeated and this is its first answer.", ["type": "boolean"])),
  ])

  private static func header(_ description: String, _ schema: Value) -> Value {
    ["description": .string(description), "schema": schema]
  }

  /// Refusals of OpenFeature's remote evaluation protocol.
  private static let failure: Value = [
    "description": "Refused, in the words of OpenFeature's remote evaluation protocol.",
    "content": [
      "application/json": [
        "schema": [
          "type": "object", "required": ["errorCode", "errorDetails"],
          "properties": [
            "key": SchemaText.string,
            "errorCode": [
              "type": "string",
              SchemaText.openList: ["FLAG_NOT_FOUND", "PARSE_ERROR", "INVALID_CONTEXT", "TARGETING_KEY_MISSING", "GENERAL"],
            ],
            "errorDetails": SchemaText.string,
          ],
        ]
      ]
    ],
  ]

  /// Refusals of Firebase's API: `Status` in Google's reference.
  private static let firebaseFailure: Value = [
    "description": "Refused, in the words of Google's own API.",
    "content": [
      "application/json": [
        "schema": [
          "type": "object", "required": ["error"],
          "properties": [
            "error": [
              "type": "object", "required": ["code", "message", "status"],
              "properties": ["code": SchemaText.integer, "message": SchemaText.string, "status": SchemaText.string],
            ]
          ],
        ]
      ]
    ],
  ]

  private static let problem: Value = [
    "description": "Refused; the code names the reason, and the detail says what to do.",
    "content": [Problem.mediaType: ["schema": SchemaText.ref(Problem.self)]],
  ]
}
