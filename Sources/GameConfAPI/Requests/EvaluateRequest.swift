// The request for values with a body, for a player and attributes that do not fit into a query.

public import GameConfCore

/// Body of the calls that read values by `POST`: all values, one key's value, and the explanation of a value.
public struct EvaluateRequest: WireRequest {
  package var player: String?
  package var context = ObjectValue()
  package var play: String?
  package var keys: [String]?

  /// The maximum number of requested keys, which equals the maximum of parameters in a catalog.
  package static let keysMax = CatalogCheck.parametersMax

  package init() {}

  package init(player: String? = nil, context: ObjectValue = ObjectValue(), play: String? = nil, keys: [String]? = nil) {
    self.player = player
    self.context = context
    self.play = play
    self.keys = keys
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["player": "p1", "context": ["locale": "es", "app_version": "2.1.0"]] }

  /// Returns the predicate's result for the attributes in the request.
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
