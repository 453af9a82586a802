// Tests that each list of words in the OpenAPI document has the words of its Swift type, and is open in answers and closed in requests.

import GameConfAPI
import GameConfCore
import Testing

@Suite("Lists of words in the contract")
struct WordListTests {
  /// The words of each member that is one of a list of words, by schema and member.
  private static let types: [String: [String]] = [
    "HealthAnswer/status": words(HealthAnswer.HealthState.self),
    "ValueAnswer/type": words(ParameterType.self),
    "ValueAnswer/source": words(Layer.self),
    "ValueInForce/source": words(Layer.self),
    "ValueAnswer/reason": words(EvaluationReason.self),
    "ValueAnswer/flag": words(FlagKind.self),
    "ClearRequest/scope": words(ClearRequest.ClearScope.self),
    "ImportRequest/mode": words(ImportRequest.ImportMode.self),
    "ExportOmission/because": words(ExportOmission.OmissionReason.self),
    "StatusSocket/kind": words(SocketKind.self),
    "ReloadedGame/outcome": words(ReloadedGame.Outcome.self),
    "ThemeAnswer/kind": words(ThemeAnswer.ThemeUnlockKind.self),
    "AdNext/blocked_by": words(AdRefusal.self),
    "AdDecision/format": words(Placement.Format.self),
    "AdDecision/reason": words(AdRefusal.self),
    "AdStatus/format": words(Placement.Format.self),
    "AdStatus/reason": words(AdRefusal.self),
    "AdReportAnswer/outcome": words(AdOutcome.self),
    "AdReportRequest/outcome": words(AdOutcome.self),
    "PinnedAnswer/type": words(ParameterType.self),
    "NewScenario/scope": words(ScenarioRequest.Scope.self),
    "ScenarioPurchase/then": words(TransactionAct.self),
    "Product/type": words(Product.Kind.self),
    "ProductIntro/mode": words(Subscription.IntroMode.self),
    "Entitlement/period_type": words(ActiveEntitlement.PeriodType.self),
    "Subscription/state": words(SubscriptionLine.State.self),
    "Subscription/offer": words(Subscription.IntroMode.self),
    "Transaction/type": words(Product.Kind.self),
    "Transaction/reason": words(ShopTransaction.Reason.self),
    "Transaction/state": words(ShopTransaction.State.self),
    "Transaction/revocation": words(ShopTransaction.Revocation.self),
    "Transaction/offer": words(Subscription.IntroMode.self),
    "StoreActAnswer/status": words(ShopOutcome.Status.self),
    "StoreLogLine/event": words(ShopEvent.self),
    "StoreLogLine/notification_type": words(ShopNotification.self),
    "StoreLogLine/subtype": words(ShopNotificationSubtype.self),
    "BillingRetryRequest/grace": words(ShopBehaviour.Grace.self),
    "PutBehaviour/grace": words(ShopBehaviour.Grace.self),
    "BehaviourAnswer/grace": words(ShopBehaviour.Grace.self),
    "SimulatedFailure/error": words(SimulatedError.self),
    "GateVerdict/reason": words(GateDecision.Reason.self),
    "LiveLine/kind": words(LiveLineKind.self),
    "PinnedAnswer/source": Layer.ofTable.map(\.rawValue),
  ]

  /// The lists of words without a Swift type: the marker of simulated answers, the products that a product counts as, and the words of
  /// StoreKit and Firebase.
  private static let others: [String: [String]] = [
    "environment": [ShopTransaction.environment], "includes": ["all"], "ProductList/status": ["success", "failed"],
    "FirebaseTemplateBody/valueType": ["PARAMETER_VALUE_TYPE_UNSPECIFIED", "STRING", "BOOLEAN", "NUMBER", "JSON"],
  ]

  private static func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> [String] where Word.RawValue == String {
    Word.allCases.map(\.rawValue)
  }

  /// A list of words in the OpenAPI document, with its schema and the nearest member around it.
  private struct WordList {
    let schema: String
    let member: String
    let words: [String]
    let isOpen: Bool
  }

  private static func lists(in value: Value, of schema: String, member: String) -> [WordList] {
    switch value {
    case .object(let object):
      return object.members.flatMap { each -> [WordList] in
        if each.name == "enum" || each.name == SchemaFragments.openList {
          let words = each.value.listValue?.compactMap(\.stringValue) ?? []
          return [WordList(schema: schema, member: member, words: words, isOpen: each.name != "enum")]
        }
        let isKeyword = ["properties", "items", "additionalProperties", "allOf", "oneOf", "anyOf"].contains(each.name)
        return lists(in: each.value, of: schema, member: isKeyword ? member : each.name)
      }
    case .list(let parts): return parts.flatMap { lists(in: $0, of: schema, member: member) }
    default: return []
    }
  }

  @Test("each list of words in the OpenAPI document has the words of its Swift type; only in answers may other words occur")
  func types() throws {
    let schemas = OpenAPIDocument.build(version: "1", endpoints: [])["components"]?["schemas"] ?? .null
    let found = schemas.object.members.flatMap { Self.lists(in: $0.value, of: $0.name, member: $0.name) }
    var places: Set<String> = []
    for list in found {
      let place = "\(list.schema)/\(list.member)"
      places.insert(place)
      let expected = Self.types[place] ?? Self.others[place] ?? Self.others[list.member]
      #expect(list.words == expected, "\(place)")
      let isClosed = schemas[list.schema]?["additionalProperties"] == false
      // Only Firebase itself decides whether its lists of words are closed.
      if list.schema != FirebaseTemplateBody.schemaName { #expect(list.isOpen != isClosed, "\(place)") }
    }
    #expect(Set(Self.types.keys).subtracting(places).isEmpty)
    #expect(Self.words(EvaluationReason.self).contains("DISABLED"))
  }
}
