// The steps of a scenario, read and checked as far as that needs no store.
public import GameConfCore
public import GameConfStorage

/// Everything a scenario puts in force. Each part knows its place in what was asked, for messages.
public struct ScenarioPlan: Sendable {
  /// An overridden value.
  public struct Forced: Sendable {
    /// The key.
    public var key: String
    /// The value.
    public var value: Value
    /// The place in the request.
    public var pointer: String

    /// A value.
    public init(key: String, value: Value, pointer: String) {
      self.key = key
      self.value = value
      self.pointer = pointer
    }
  }

  /// A purchase, and what happens to it then.
  public struct Purchase: Sendable {
    /// An act on a transaction.
    public struct Act: Sendable {
      /// The name of the act.
      public var word: String
      /// The act for the transaction of that id.
      public var act: @Sendable (String) -> ShopAct

      /// An act.
      public init(word: String, act: @escaping @Sendable (String) -> ShopAct) {
        self.word = word
        self.act = act
      }
    }

    /// The product.
    public var product: String
    /// The currency's code; nil for the storefront's.
    public var currency: String?
    /// The acts on the transaction, in order.
    public var acts: [Act]
    /// The place in the request.
    public var pointer: String

    /// A purchase.
    public init(product: String, currency: String? = nil, acts: [Act] = [], pointer: String) {
      self.product = product
      self.currency = currency
      self.acts = acts
      self.pointer = pointer
    }
  }

  /// A player of the scenario's own.
  public struct Player: Sendable {
    /// The name within the scenario; the id is the scenario's prefix and this.
    public var name: String
    /// The move of the player's clock, before all else.
    public var clock: PlayerClockMove?
    /// The scores.
    public var scores: ScoreChange?
    /// The purchases of the player, in order.
    public var purchases: [Purchase] = []
    /// The behaviour of the store for the player from then on.
    public var behaviour: ShopBehaviour?
    /// The place of the player in the request.
    public var pointer: String

    /// A player.
    public init(name: String, pointer: String) {
      self.name = name
      self.pointer = pointer
    }

    /// The number of things that are done.
    var steps: Int {
      (clock == nil ? 0 : 1) + (scores == nil ? 0 : 1) + (behaviour == nil ? 0 : 1) + purchases.reduce(0) { $0 + 1 + $1.acts.count }
    }
  }

  /// A game of the scenario.
  public struct Game: Sendable {
    /// The game.
    public var game: String
    /// The overridden values, in order.
    public var forced: [Forced] = []
    /// The players that are prepared, in order.
    public var players: [Player] = []
    /// The place of the game in the request.
    public var pointer: String

    /// A game.
    public init(game: String, pointer: String) {
      self.game = game
      self.pointer = pointer
    }
  }

  /// The title of the scenario.
  public var title: String?
  /// True if its values are for the whole of a game, and not for its players alone.
  public var isForGame: Bool
  /// The time for which a lease lasts.
  public var leaseSeconds: Int64
  /// Its games, in order.
  public var games: [Game]

  /// A plan.
  public init(title: String? = nil, isForGame: Bool = false, leaseSeconds: Int64 = ScenarioLimits.leaseSeconds, games: [Game] = []) {
    self.title = title
    self.isForGame = isForGame
    self.leaseSeconds = leaseSeconds
    self.games = games
  }

  /// The number of things that it does.
  public var steps: Int { games.reduce(0) { $0 + $1.forced.count + $1.players.reduce(0) { $0 + $1.steps } } }
}

/// One thing that a scenario did.
public struct ScenarioStep: Sendable, Hashable {
  /// The game.
  public var game: String
  /// The player's id; nil for a value of all players, or of the game.
  public var player: String?
  /// The kind of step, in a word: `value`, `clock`, `scores`, `purchase`, `behaviour`, or an act at the store.
  public var what: String
  /// The key of a value, the product of a purchase.
  public var name: String?
  /// The result: a value, an instant, a transaction's id, scores.
  public var result: Value?
}

/// The outcome of beginning a scenario.
public struct ScenarioStartOutcome: Sendable {
  /// The scenario as it is kept.
  public var scenario: StoredScenario
  /// The steps that were done, in order.
  public var steps: [ScenarioStep]
  /// True if values are in force for whole games.
  public var isForGame: Bool
}

extension ChangeRefusal {
  /// A purchase did not come about, so that nothing can be done with it.
  public static func notBought(product: String, status: String, pointer: String) -> ChangeRefusal {
    refuse(
      .notPurchased, "The purchase of \(product) came to “\(status)” and made no transaction, so nothing can be done to it.", at: pointer)
  }

  /// As many scenarios are live as may be: in all, or of this user.
  public static func tooManyScenarios(max: Int, ofUser: Bool) -> ChangeRefusal {
    refuse(
      .limitReached,
      ofUser ? "This user has begun \(max) scenarios in force, the limit; end one." : "\(max) scenarios are in force, the limit; end one.")
  }

  /// A scenario has more of something than one may have.
  public static func scenarioTooLarge(_ what: String, count: Int, max: Int) -> ChangeRefusal {
    refuse(.valueTooLarge, "The scenario has \(count) \(what); one may have \(max).", at: "/games")
  }
}
