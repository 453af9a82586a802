// A small game with scores, themes and ads, and a player whose clock the tests set.

import GameConfCore

/// A lookup of parameters in a dictionary.
struct FixedParameters: ParameterLookup {
  var values: [String: Value] = ["forest_at": 50, "ocean_at": 200, "cosmos_at": 300, "every": 3]

  func value(ofParameter key: String) -> Value? { values[key] }
}

extension Catalog {
  /// A small version of Where's The Dot: three themes for scores, a free one, one for sale, and the twelve achievements of the published
  /// game.
  static var dotGame: Catalog {
    var catalog = Catalog(game: "dotGame", title: "Dots", locales: ["en"])
    catalog.modes = ["classic", "arcade", "daily"]
    catalog.events = [
      EventDefinition(name: "game_over", reasons: ["wrongTap", "timeUp"], carriesScore: true), EventDefinition(name: "opened_store"),
    ]
    func milestone(_ id: String, _ metric: Milestone.Metric, _ at: Milestone.Threshold, achievement: Bool = true) -> Milestone {
      Milestone(id: id, metric: metric, threshold: at, isAchievement: achievement)
    }
    // The achievements that depend on a theme's milestone come before it, so that a single pass over the list cannot unlock them.
    catalog.milestones =
      ["forest", "ocean", "cosmos"].map { milestone("got_\($0)", .unlocked(milestone: $0), .number(1)) }
      + ["forest", "ocean", "cosmos"].map { milestone($0, .lifetimeScore, .parameter("\($0)_at"), achievement: false) }
      + [10, 25, 50, 100].map { milestone("score\($0)", .bestScore(mode: "classic"), .number($0)) }
      + [10, 25, 50].map { milestone("arcade\($0)", .bestScore(mode: "arcade"), .number($0)) }
      + [milestone("first_dot", .lifetimeScore, .number(1)), milestone("play_10", .gamesPlayed, .number(10))]
    catalog.themes =
      [Theme(id: "neon", name: [:], unlock: .free)]
      + ["forest", "ocean", "cosmos"].map { Theme(id: $0, name: [:], unlock: .milestone($0)) }
      + [Theme(id: "aurora", name: [:], unlock: .entitlement("theme.aurora")), Theme(id: "dark", name: [:], unlock: .parameter("dark"))]
    var placement = Placement(id: "game_over", format: .interstitial, event: "game_over", every: .parameter("every"))
    placement.exempt = ["ad_free"]
    catalog.placements = [placement]
    return catalog
  }
}

/// A player with a game, a clock and parameters, for tests step by step.
struct Play {
  var catalog = Catalog.dotGame
  var state: PlayerState
  var parameters = FixedParameters()
  var entitlements = EntitlementHistory()
  /// 21 November 2026, noon UTC.
  var now = Instant(seconds: 1_795_262_400)
  /// The present by the host's clock; nil if it equals the player's.
  var host: Instant?
  /// The requested languages; nil for the game's first locale.
  var locales: [String]?
  let player: String

  init(_ player: String = "p1", placement change: (inout Placement) -> Void = { _ in }) {
    self.player = player
    state = PlayerState(createdAt: now)
    change(&catalog.placements[0])
  }

  var terms: PlayerTerms {
    PlayerTerms(
      rules: PlayerRules(catalog), player: player, parameters: parameters, entitlements: entitlements, now: now, host: host,
      locales: locales)
  }

  /// Moves the clock; negative seconds move it back.
  mutating func wait(seconds: Int64) { now.milliseconds += seconds * 1000 }

  mutating func record(_ event: PlayerEvent) throws(Refusal) -> EventOutcome { try state.record(event, under: terms).0 }

  @discardableResult
  mutating func gameOver(_ score: Value? = nil, mode: String? = "classic", after seconds: Int64 = 0) throws(Refusal) -> EventOutcome {
    wait(seconds: seconds)
    return try record(PlayerEvent(name: "game_over", mode: mode, score: score, reason: "wrongTap"))
  }

  /// Records a game over and returns the decision of the first placement.
  mutating func ad(after seconds: Int64 = 0) throws -> AdDecision {
    let decisions = try gameOver(after: seconds).ads
    guard let first = decisions.first else { throw NoDecision() }
    return first
  }

  mutating func report(_ outcome: AdOutcome, of decision: AdDecision, after seconds: Int64 = 0) throws -> AdReportOutcome {
    wait(seconds: seconds)
    return try state.reportAd(decision.decisionID ?? "", outcome, at: decision.placement, under: terms).0
  }

  /// Grants an entitlement to the player, like a purchase.
  mutating func buy(_ entitlement: String = "ad_free") {
    state.applyExemptions(under: terms)
    entitlements.held.insert(entitlement)
    state.applyExemptions(under: terms)
  }

  /// Removes an entitlement from the player, like a refund.
  mutating func refund(_ entitlement: String = "ad_free") {
    state.applyExemptions(under: terms)
    entitlements.held.remove(entitlement)
    entitlements.lastHeld[entitlement] = Instant(milliseconds: now.milliseconds - 1)
    state.applyExemptions(under: terms)
  }
}

struct NoDecision: Error {}

/// Returns the error of this type that the body throws; nil if it throws none.
func fault(_ body: () throws -> Void) -> Refusal? {
  do {
    try body()
    return nil
  } catch {
    return error as? Refusal
  }
}
