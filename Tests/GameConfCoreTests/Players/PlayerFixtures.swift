// A small game with scores, themes and ads, and a player whose clock is moved by hand.

import GameConfCore

/// Parameters as a dictionary.
struct FixedParameters: ParameterLookup {
  var values: [String: Value] = ["forest_at": 50, "ocean_at": 200, "cosmos_at": 300, "every": 3]

  func value(ofParameter key: String) -> Value? { values[key] }
}

extension Catalog {
  /// Where's The Dot in little: three themes by score, one free, one for sale, and the published game's twelve achievements.
  static var dotGame: Catalog {
    var catalog = Catalog(game: "dotGame", title: "Dots", locales: ["en"])
    catalog.modes = ["classic", "arcade", "daily"]
    catalog.events = [
      EventDefinition(name: "game_over", reasons: ["wrongTap", "timeUp"], carriesScore: true), EventDefinition(name: "opened_store"),
    ]
    func milestone(_ id: String, _ metric: Milestone.Metric, _ at: Milestone.Threshold, achievement: Bool = true) -> Milestone {
      Milestone(id: id, metric: metric, threshold: at, isAchievement: achievement)
    }
    // The achievements that wait on a theme stand before it, so that one pass over the list is not enough.
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

/// One player, step by step.
struct Play {
  var catalog = Catalog.dotGame
  var state: PlayerState
  var parameters = FixedParameters()
  var entitlements = EntitlementHistory()
  /// 21 November 2026 at noon UTC.
  var now = Instant(seconds: 1_795_262_400)
  /// The host's time; nil for the player's.
  var host: Instant?
  /// The languages that are wanted; nil for the game's first.
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

  /// Moves the clock, also backwards.
  mutating func wait(seconds: Int64) { now.milliseconds += seconds * 1000 }

  mutating func record(_ event: PlayerEvent) throws(Refusal) -> EventOutcome { try state.record(event, under: terms).0 }

  @discardableResult
  mutating func gameOver(_ score: Value? = nil, mode: String? = "classic", after seconds: Int64 = 0) throws(Refusal) -> EventOutcome {
    wait(seconds: seconds)
    return try record(PlayerEvent(name: "game_over", mode: mode, score: score, reason: "wrongTap"))
  }

  /// What one more game over is answered at the first placement.
  mutating func ad(after seconds: Int64 = 0) throws -> AdDecision {
    let decisions = try gameOver(after: seconds).ads
    guard let first = decisions.first else { throw NoDecision() }
    return first
  }

  mutating func report(_ outcome: AdOutcome, of decision: AdDecision, after seconds: Int64 = 0) throws -> AdReportOutcome {
    wait(seconds: seconds)
    return try state.reportAd(decision.decisionID ?? "", outcome, at: decision.placement, under: terms).0
  }

  /// Begins to hold an entitlement, as a purchase does.
  mutating func buy(_ entitlement: String = "ad_free") {
    state.heedExemptions(under: terms)
    entitlements.held.insert(entitlement)
    state.heedExemptions(under: terms)
  }

  /// Holds it no more, as after a refund.
  mutating func refund(_ entitlement: String = "ad_free") {
    state.heedExemptions(under: terms)
    entitlements.held.remove(entitlement)
    entitlements.lastHeld[entitlement] = Instant(milliseconds: now.milliseconds - 1)
    state.heedExemptions(under: terms)
  }
}

struct NoDecision: Error {}

/// The error of that type a body throws; nil when it throws none.
func fault(_ body: () throws -> Void) -> Refusal? {
  do {
    try body()
    return nil
  } catch {
    return error as? Refusal
  }
}
