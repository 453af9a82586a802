// The player and the attributes for which values are evaluated, if a query does not suffice.

public import GameConfCore

/// Body of the POST forms of config, one key and explain.
public struct EvaluateRequest: WireRequest {
  package var player: String?
  package var context = ObjectValue()
  package var play: String?
  package var keys: [String]?

  /// The limit of the number of keys, which is also that of a catalog.
  package static let keysMax = CatalogCheck.parametersMax

  package init() {}

  package init(player: String? = nil, context: ObjectValue = ObjectValue(), play: String? = nil, keys: [String]? = nil) {
    self.player = player
    self.context = context
    self.play = play
    self.keys = keys
  }

  /// The example in the OpenAPI document.
  public static var example: Value? { ["player": "p1", "context": ["locale": "es", "app_version": "2.1.0"]] }

  /// True if the predicate is true of the request's attributes.
  public func hasContext(_ isMeant: (ObjectValue) -> Bool) -> Bool { isMeant(context) }

  package static var about: String { "The caller for whom values are read." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("player", &player, "The player; must equal context.targetingKey when both are given.")
    fields.whenSet("context", &context, "Attributes of the caller: targetingKey, locale, platform, app_version, country, …")
    fields.optional("play", &play, "The play whose pinned values are read.")
    fields.optional(
      "keys", &keys,
      "The requested keys, each named once; all if absent. Unknown keys are listed as unknown. For a whole config only.")
  }
}
