// Scores that an admin sets.

public import GameConfCore

/// Body of `PATCH p`; what is not there stays.
public struct PatchPlayer: WireShape {
  /// The sum of all scores, as it was written.
  public var lifetimeScore: Value?
  /// How many games were played.
  public var gamesPlayed: Value?
  /// Best scores by mode.
  public var bestScores: ObjectValue
  /// Why, for the audit log.
  public var reason: String?

  /// A request.
  public init(
    lifetimeScore: Value? = .none, gamesPlayed: Value? = .none, bestScores: ObjectValue = ObjectValue(), reason: String? = nil
  ) {
    self.lifetimeScore = lifetimeScore
    self.gamesPlayed = gamesPlayed
    self.bestScores = bestScores
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value {
    let bestScores: Value? = bestScores.isEmpty ? .none : .some(.object(bestScores))
    return .object(
      ObjectValue().with("lifetime_score", lifetimeScore).with("games_played", gamesPlayed).with("best_scores", bestScores)
        .with("reason", reason))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["lifetime_score", "games_played", "best_scores", "reason"])
    lifetimeScore = members.optional("lifetime_score")
    gamesPlayed = members.optional("games_played")
    bestScores = try members.object("best_scores")
    reason = try members.optionalString("reason")
    if lifetimeScore == nil, gamesPlayed == nil, bestScores.isEmpty {
      throw WireFault(
        pointer: pointer, message: "nothing is to be set; say lifetime_score, games_played or best_scores")
    }
  }

  /// Its JSON Schema.
  public static var schema: Value {
    let score: Value = ["type": "integer", "format": "int64", "minimum": 0]
    return SchemaText.object(
      "Scores to set; what is not there stays. What they reach unlocks, and what was earned stays.",
      optional: [
        "lifetime_score": score, "games_played": score, "best_scores": SchemaText.described(SchemaText.map(score), "By mode."),
        "reason": SchemaText.string,
      ], closed: true)
  }
}
