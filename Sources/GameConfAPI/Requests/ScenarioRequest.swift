// The request that starts a scenario, with its overrides, players and purchases.

public import GameConfCore

/// The acts on a transaction. The word for an act is the last path segment of the call that performs it.
extension TransactionAct: WireWord {}

/// A purchase by a player of a scenario, and the later acts on its transaction, such as a refund.
public struct ScenarioPurchase: WireRequest {
  package var product = ""
  package var currency: String?
  package var then: [TransactionAct] = []

  package init() {}

  package init(product: String, currency: String? = nil, then: [TransactionAct] = []) {
    self.product = product
    self.currency = currency
    self.then = then
  }

  package static var about: String { "A purchase, and what happens to it afterwards." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("product", &product, "The product, by its id in the game or at the store.")
    fields.optional("currency", &currency, "The currency's ISO 4217 code.")
    fields.whenSet("then", &then, "The later acts on the transaction, in order: billing_retry, cancel, refund, …")
  }
}

/// A player that a scenario creates, with the clock, scores, purchases and store behaviour to set up.
public struct ScenarioPlayer: WireRequest {
  package var clock: PutPlayerClock?
  package var scores: PatchPlayer?
  package var purchases: [ScenarioPurchase] = []
  package var behaviour: PutBehaviour?

  package init() {}

  package init(
    clock: PutPlayerClock? = nil, scores: PatchPlayer? = nil, purchases: [ScenarioPurchase] = [], behaviour: PutBehaviour? = nil
  ) {
    self.clock = clock
    self.scores = scores
    self.purchases = purchases
    self.behaviour = behaviour
  }

  package static var about: String { "A player of the scenario, set up in this order: clock, scores, purchases, behaviour." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("clock", &clock, "The move of the player's clock, done first.")
    fields.optional("scores", &scores, "The scores.")
    fields.whenSet("purchases", &purchases, "The player's purchases, in order.")
    fields.optional("behaviour", &behaviour, "The behaviour of the store for the player afterwards.")
  }
}

/// A scenario's changes in one game; a `clock` in it is refused.
public struct ScenarioGame: WireRequest {
  package var overrides = ObjectValue()
  package var flags = ObjectValue()
  package var milestones = ObjectValue()
  package var players: [String: ScenarioPlayer] = [:]
  private var clock: Value?

  package init() {}

  package init(
    overrides: ObjectValue = ObjectValue(), flags: ObjectValue = ObjectValue(), milestones: ObjectValue = ObjectValue(),
    players: [String: ScenarioPlayer] = [:]
  ) {
    self.overrides = overrides
    self.flags = flags
    self.milestones = milestones
    self.players = players
  }

  package static var about: String { "The changes of a scenario in one game." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.whenSet("overrides", &overrides, "Values by key.")
    fields.whenSet("flags", &flags, "The state of feature flags by key, true for on.")
    fields.whenSet("milestones", &milestones, "The numbers that unlock milestones, by milestone.")
    fields.whenSet("players", &players, "The scenario's players, by their name within the scenario.")
    fields.optionalOrNull("clock", &clock, "Refused: a scenario moves its players' clocks, not the game's.")
    fields.refuse("clock", "a scenario moves its players' clocks; other players use the game's clock", if: clock != nil)
  }
}

/// Body of `POST /v1/scenarios`. The daemon applies the whole scenario or no part of it.
public struct ScenarioRequest: WireRequest {
  package enum Scope: String, WireWord { case players, game }

  /// The name of the schema component. It is not `ScenarioRequest`, because code generators use that name for the operation `scenario`.
  public static var schemaName: String { "NewScenario" }

  package var title: String?
  package var scope: Scope?
  package var leaseSeconds: Int64?
  package var games: [String: ScenarioGame] = [:]
  package var reason: String?

  package init() {}

  package init(
    title: String? = nil, scope: Scope? = nil, leaseSeconds: Int64? = nil, games: [String: ScenarioGame], reason: String? = nil
  ) {
    self.title = title
    self.scope = scope
    self.leaseSeconds = leaseSeconds
    self.games = games
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? {
    [
      "title": "grace period",
      "games": [
        "kidsdoku2": [
          "overrides": ["free_puzzles_per_section": 5],
          "players": [
            "subscriber": ["clock": ["advance": "P1M"], "purchases": [["product": "monthly_sub_2", "then": ["billing_retry"]]]]
          ],
        ]
      ],
    ]
  }

  package static var about: String { "A scenario, applied as a whole or not at all." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("title", &title, "The title; 256 bytes at most.")
    fields.optional(
      "scope", &scope, "The scope of its values: players (its own; the default) or game (every player of its games; admins only).")
    fields.optional("lease_seconds", &leaseSeconds, "The length of a lease in seconds, 1 to 600; default 60.")
    fields.required("games", &games, "Its games, by id.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}
