// The request that begins a scenario, parsed and checked as far as that needs no store.
public import GameConfCore
public import GameConfStorage

/// The contents of a scenario. Each part has its position in the request, for messages.
public struct ScenarioPlan: Sendable {
  /// A value to set for all players of the scenario or for the game.
  public struct Override: Sendable {
    /// The key of the overridden parameter.
    public var key: String
    /// The value, in the type that the catalog declares for the parameter.
    public var value: Value
    /// The position in the request, as a JSON pointer.
    public var pointer: String

    /// Creates an override of a key, for all players of the scenario or for the game.
    public init(key: String, value: Value, pointer: String) {
      self.key = key
      self.value = value
      self.pointer = pointer
    }
  }

  /// A simulated purchase, followed by acts on its store transaction, such as a refund.
  public struct Purchase: Sendable {
    /// A later act on the purchase's store transaction, such as a refund.
    public struct PlannedAct: Sendable {
      /// The act's name in the request and in the audit log, such as `refund`.
      public var word: String
      /// Returns the act on the store transaction with the given id, which is only known after the purchase.
      public var act: @Sendable (String) -> ShopAct

      /// Creates an act that is performed after its purchase.
      public init(word: String, act: @escaping @Sendable (String) -> ShopAct) {
        self.word = word
        self.act = act
      }
    }

    /// The product's id in the catalog.
    public var product: String
    /// The currency's code; nil for the currency of the storefront.
    public var currency: String?
    /// The acts that follow the purchase, in order.
    public var acts: [PlannedAct]
    /// The position in the request, as a JSON pointer.
    public var pointer: String

    /// Creates a purchase, by default in the storefront's currency and without later acts.
    public init(product: String, currency: String? = nil, acts: [PlannedAct] = [], pointer: String) {
      self.product = product
      self.currency = currency
      self.acts = acts
      self.pointer = pointer
    }
  }

  /// A player that the scenario creates.
  public struct Player: Sendable {
    /// The name within the scenario; the id is the scenario's prefix and this name.
    public var name: String
    /// The move of the player's simulated clock, made before all other steps; nil for no move.
    public var clock: PlayerClockMove?
    /// The scores that the player begins with; nil to leave them at 0.
    public var scores: ScoreChange?
    /// The player's purchases, in order.
    public var purchases: [Purchase] = []
    /// The behaviour of the simulated store for the player, set after all other steps; nil for the usual one.
    public var behaviour: ShopBehaviour?
    /// The position in the request, as a JSON pointer.
    public var pointer: String

    /// Creates a player without a clock, scores and purchases of its own.
    public init(name: String, pointer: String) {
      self.name = name
      self.pointer = pointer
    }

    var steps: Int {
      (clock == nil ? 0 : 1) + (scores == nil ? 0 : 1) + (behaviour == nil ? 0 : 1) + purchases.reduce(0) { $0 + 1 + $1.acts.count }
    }
  }

  /// The overrides to set and the players to create in one game.
  public struct Game: Sendable {
    /// The id of the game in the catalog.
    public var game: String
    /// The values to override in this game, in order.
    public var overrides: [Override] = []
    /// The players to create, in order.
    public var players: [Player] = []
    /// The position in the request, as a JSON pointer.
    public var pointer: String

    /// Creates a game without values and players.
    public init(game: String, pointer: String) {
      self.game = game
      self.pointer = pointer
    }
  }

  /// A text for people, shown in lists of scenarios; nil without one.
  public var title: String?
  /// True if the scenario's values apply to whole games, and not only to the scenario's players.
  public var isForGame: Bool
  /// The seconds until the scenario ends, unless its lease is renewed.
  public var leaseSeconds: Int64
  /// The scenario's parts, one for each game, in order.
  public var games: [Game]

  /// Creates a plan, by default for the scenario's own players and with the usual lease.
  public init(title: String? = nil, isForGame: Bool = false, leaseSeconds: Int64 = ScenarioLimits.leaseSeconds, games: [Game] = []) {
    self.title = title
    self.isForGame = isForGame
    self.leaseSeconds = leaseSeconds
    self.games = games
  }

  /// The number of values, and of steps for players, that the scenario performs.
  public var steps: Int { games.reduce(0) { $0 + $1.overrides.count + $1.players.reduce(0) { $0 + $1.steps } } }
}

/// A performed override, clock move, score change, purchase, or act at the simulated store.
public struct ScenarioStep: Sendable, Hashable {
  /// The id of the step's game.
  public var game: String
  /// The player's id; nil for a value of all players or of the game.
  public var player: String?
  /// The kind of step: `value`, `clock`, `scores`, `purchase`, `behaviour`, or the name of an act at the simulated store.
  public var what: String
  /// The key of a value, or the product of a purchase.
  public var name: String?
  /// The result: a value, an instant, a transaction's id, or scores.
  public var result: Value?
}

/// The outcome of beginning a scenario: the scenario as stored, and the result of each step.
public struct ScenarioStartOutcome: Sendable {
  /// The scenario as stored, with its id and the end of its lease.
  public var scenario: StoredScenario
  /// The performed steps, in order.
  public var steps: [ScenarioStep]
  /// True if the scenario's values apply to whole games, and not only to its players.
  public var isForGame: Bool
}

extension ChangeRefusal {
  /// A planned purchase made no store transaction, so the acts that should follow it cannot be performed.
  public static func notBought(product: String, status: String, pointer: String) -> ChangeRefusal {
    refuse(
      .notPurchased, "The purchase of \(product) came to “\(status)” and made no transaction, so nothing can be done to it.", at: pointer)
  }

  /// The number of active scenarios has reached its limit: in total, or of this user.
  public static func tooManyScenarios(max: Int, ofUser: Bool) -> ChangeRefusal {
    refuse(
      .limitReached,
      ofUser ? "This user has begun \(max) scenarios in force, the limit; end one." : "\(max) scenarios are in force, the limit; end one.")
  }

  /// The scenario has more steps or more players than one scenario may have.
  public static func scenarioTooLarge(_ what: String, count: Int, max: Int) -> ChangeRefusal {
    refuse(.valueTooLarge, "The scenario has \(count) \(what); one may have \(max).", at: "/games")
  }
}
