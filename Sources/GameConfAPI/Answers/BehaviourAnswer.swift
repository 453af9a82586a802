// The configured behaviour of a player's simulated store.

public import GameConfCore

/// An error that calls of the simulated store return, in StoreKit's words. Without `times`, the calls fail until the error is cleared.
public struct SimulatedFailure: WireRequest {
  package var error = ""
  package var times: Int64?

  package init() {}

  package init(error: String, times: Int64? = nil) {
    self.error = error
    self.times = times
  }

  package static var about: String { "A call that fails." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("error", &error, "The error, in StoreKit's words: not_allowed, network_error, …", .words(SimulatedError.self))
    fields.optional("times", &times, "The number of further calls that fail; absent if all do until it is cleared.")
  }
}

/// The configured faults of the simulated store for one player: failing calls, purchases that wait for approval, failing renewals.
public struct WireBehaviour: WirePart {
  package var fail: [String: SimulatedFailure] = [:]
  package var asksToBuy = false
  package var interruptsPurchases = false
  package var failsBilling = false
  package var grace = ShopBehaviour.Grace.asProduct.rawValue

  package init() {}

  package init(
    fail: [String: SimulatedFailure] = [:], asksToBuy: Bool = false, interruptsPurchases: Bool = false, failsBilling: Bool = false,
    grace: String = ShopBehaviour.Grace.asProduct.rawValue
  ) {
    self.fail = fail
    self.asksToBuy = asksToBuy
    self.interruptsPurchases = interruptsPurchases
    self.failsBilling = failsBilling
    self.grace = grace
  }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.usual("fail", &fail, "The calls that fail: load_products, purchase, verification, restore.")
    fields.usual("ask_to_buy", &asksToBuy, "True if purchases wait for a parent's approval.")
    fields.usual("interrupted", &interruptsPurchases, "True if purchases are interrupted until they are resolved.")
    fields.usual("billing_fails", &failsBilling, "True if renewals fail and go into billing retry.")
    fields.usual("grace", &grace, "Access while billing is retried.", .words(ShopBehaviour.Grace.self))
  }
}

/// Body of `PUT …/players/{player}/store/behaviour`: the new behaviour of the player's simulated store. An absent member means normal
/// behaviour.
public struct PutBehaviour: WireRequest {
  package var behaviour = WireBehaviour()
  package var reason: String?

  package init() {}

  package init(behaviour: WireBehaviour, reason: String? = nil) {
    self.behaviour = behaviour
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["ask_to_buy": true, "fail": ["restore": ["error": "network_error", "times": 2]]] }

  package static var about: String { "The behaviour of the store; a member left out is as usual." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    behaviour.walk(&fields)
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}

/// Answer of `GET` and `PUT …/players/{player}/store/behaviour`: the behaviour of the player's simulated store, after the change in case of
/// `PUT`.
public struct BehaviourAnswer: WireObject {
  package var game = ""
  package var player = ""
  package var playerRevision: Int64 = 0
  package var behaviour = WireBehaviour()
  package var isDryRun = false

  package init() {}

  package init(game: String, player: String, playerRevision: Int64, behaviour: WireBehaviour, isDryRun: Bool = false) {
    self.game = game
    self.player = player
    self.playerRevision = playerRevision
    self.behaviour = behaviour
    self.isDryRun = isDryRun
  }

  package static var about: String { "The behaviour of the simulated store for a player." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.environment()
    fields.required("player_revision", &playerRevision, "The player's revision.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    behaviour.walk(&fields)
  }
}
