// Tests that the schema of each answer says which text players may have written. All other text is listed here with its author.

import GameConfAPI
import GameConfCore
import Testing

@Suite("The origin of text in answers")
struct TextOriginTests {
  /// The members whose text was written by the daemon, the catalog, an operator or the host, by type. `…` is for a whole document.
  ///
  /// A new member that may contain text must be declared `.playersText`, `.parameterValue` or `.changedValue` in its type, or be listed
  /// here.
  private static let others: [String: String] = [
    "AdDecision": "decision_id placement",
    "AdReportAnswer": "decision_id",
    "AdStatus": "event placement",
    "AuditEntry": "action game key reason session window",
    "Author": "name",
    "BehaviourAnswer": "game",
    "Best": "event",
    "BestsAnswer": "game",
    "CatalogAnswer": "…",
    "ChangedThing": "detail key reason what",
    "ChangesAnswer": "game",
    "ClearAnswer": "game",
    "ClockAnswer": "game",
    "ClockResetAnswer": "backup game",
    "ConfigAnswer": "degraded game unknown",
    "Degradation": "code detail game severity title what",
    "Entitlement": "id product transaction",
    "EntitlementsAnswer": "game",
    "EventAnswer": "event game warnings",
    "EventCount": "event",
    "ExplainAnswer": "game",
    "ExplainedLayer": "drop_ins layer reason",
    "ExportAnswer": "game",
    "ExportOmission": "key",
    "ForgottenGameAnswer": "game",
    "GameSummary": "game title",
    "GateVerdict": "gate unlocks_with",
    "HistoryLine": "kind",
    "ImportAnswer": "game",
    "LeaderboardAnswer": "board event game mode parameters",
    "LiveAnswer": "game",
    "LiveLine": "code door game host key reader reason source variant what",
    "MilestoneAnswer": "count milestone name themes",
    "MilestoneList": "game",
    "Offering": "id",
    "OfferingList": "current game",
    "OfferingPackage": "id price product",
    "OpenAPIAnswer": "…",
    "OverrideAnswer": "game",
    "OverrideList": "game",
    "OverrideRead": "by words",
    "OverrideRecord": "key reason",
    "PinnedAnswer": "now_source variant",
    "PlayList": "game next_before",
    "PlayShown": "differs game state_tag",
    "PlayStateAnswer": "play state_tag",
    "PlayerAnswer": "game",
    "PlayerClockAnswer": "game",
    "PlayerEventsAnswer": "game",
    "PlayerRowsAnswer": "game",
    "PlayersList": "game",
    "Premium": "by product transaction",
    "Price": "amount currency",
    "Problem": "code detail pointer title type",
    "ProblemItem": "code detail pointer",
    "Product": "grace_period grants group id name period price store_id",
    "ProductIntro": "period price",
    "ProductList": "error game",
    "ReloadedGame": "faults game",
    "RevertManyAnswer": "game",
    "ScenarioAnswer": "games warnings",
    "SettingAnswer": "key shadowed_by source",
    "SimulateAnswer": "game key",
    "SimulatedShare": "reason source variant",
    "SkippedChange": "code detail",
    "StatusAnswer": "limits settings version warnings",
    "StatusCaller": "name roles",
    "StatusFleet": "database role schema server synchronous_commit",
    "StatusGame": "drop_ins game title",
    "StatusHost": "name version",
    "StatusKillSwitch": "key source",
    "StatusSocket": "origin path",
    "StatusStore": "copies detail put_aside state",
    "StatusTemplate": "file source wrong",
    "StatusUnreadableRow": "game kind name",
    "StatusWatchers": "by_uid looked_at_less_often",
    "StoreActAnswer": "error game locked_themes",
    "StoreCheckAnswer": "faults",
    "StoreCopy": "kind name path",
    "StoreLogAnswer": "game",
    "StoreLogLine": "subject transaction",
    "StoreRestoreAnswer": "put_aside",
    "Subscription": "group next_product original_transaction period product transaction",
    "TemplateAnswer": "game removed unknown_keys",
    "TemplateChange": "key source",
    "TemplateFetchAnswer": "game source",
    "TemplateRemark": "message pointer",
    "TemplateSourceAnswer": "faults game source",
    "TemplateVersion": "origin reason",
    "TemplateVersionsAnswer": "game unknown_keys",
    "ThemeAnswer": "attributes by name theme unlocks_with",
    "ThemeList": "game",
    "Transaction": "acts entitlement group id original_id product unverified",
    "TransactionList": "game",
    "UnlockedItem": "name",
    "UnservedGame": "details faulty_file game",
    "ValueAnswer": "degraded description key metadata section unit variant",
    "ValueInForce": "key",
    "Window": "id",
    "WireHold": "game key window",
    "WirePlay": "play",
    "WireScenario": "id player_prefix reason title",
    "WireScenarioStep": "did game name result",
  ]

  /// Returns the members of a schema that may contain text and do not declare its origin.
  private static func undeclared(_ schema: Value, at path: String = "") -> [String] {
    if schema[TextOrigin.member] != nil || schema["enum"] != nil || schema["x-extensible-enum"] != nil || schema["$ref"] != nil
      || schema["format"] == "date-time"
    {
      return []
    }
    var found: [String] = []
    for part in (schema["allOf"]?.listValue ?? []) + (schema["oneOf"]?.listValue ?? []) { found += undeclared(part, at: path) }
    let members = schema["properties"]?.objectValue?.members ?? []
    for member in members { found += undeclared(member.value, at: path.isEmpty ? member.name : path + "." + member.name) }
    if let items = schema["items"] { found += undeclared(items, at: path) }
    if let values = schema["additionalProperties"], values.objectValue != nil { found += undeclared(values, at: path) }
    if schema["additionalProperties"] == true { found.append(path.isEmpty ? "…" : path) }
    let types = schema["type"]?.listValue?.compactMap(\.stringValue) ?? [schema["type"]?.stringValue].compactMap { $0 }
    let isComposed = schema["allOf"] != nil || schema["oneOf"] != nil
    if types.contains("string") || (types.isEmpty && !isComposed) { found.append(path.isEmpty ? "…" : path) }
    return found
  }

  @Test("every member that may contain text declares its origin or is in the list of text by other authors, which has no other members")
  func everyShape() {
    for shape in OpenAPIDocument.shapes where !(shape is any WireRequest.Type) {
      let found = Self.undeclared(shape.schema).sorted()
      let listed = (Self.others[shape.schemaName] ?? "").split(separator: " ").map(String.init).sorted()
      #expect(found == listed, "\"\(shape.schemaName)\": \"\(found.joined(separator: " "))\",")
    }
    let names = Set(OpenAPIDocument.shapes.map { $0.schemaName })
    for name in Self.others.keys { #expect(names.contains(name), "\(name) is no shape") }
  }

  @Test(
    "members that may contain text by players declare the origin of their text",
    arguments: [
      ("PlayerAnswer", "player"), ("PlayerAnswer", "context"), ("PlayShown", "state"), ("PlayShown", "context"), ("HistoryLine", "details"),
      ("PlayersList", "next_after"), ("Best", "detail"), ("PinnedAnswer", "value"), ("PinnedAnswer", "now"), ("SettingAnswer", "value"),
      ("ValueAnswer", "value"), ("ExplainedLayer", "value"), ("AuditEntry", "before"), ("AuditEntry", "after"), ("AuditEntry", "detail"),
      ("Transaction", "transferred_from"), ("SimulatedShare", "value"), ("OverrideRecord", "value"), ("LeaderboardAnswer", "per"),
    ])
  func declared(shape: String, member: String) throws {
    let schema = try #require(OpenAPIDocument.shapes.first { $0.schemaName == shape }).schema
    let parts = [schema] + (schema["allOf"]?.listValue ?? [])
    #expect(parts.contains { $0["properties"]?[member]?[TextOrigin.member] != nil })
  }
}
