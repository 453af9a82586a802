// The request with which an admin sets a player's scores.

public import GameConfCore

/// Body of `PATCH …/players/{player}`: the scores to set. A score whose member is absent stays unchanged.
public struct PatchPlayer: WireRequest {
  package var lifetimeScore: Value?
  package var gamesPlayed: Value?
  package var bestScores = ObjectValue()
  package var reason: String?

  package init() {}

  package init(
    lifetimeScore: Value? = .none, gamesPlayed: Value? = .none, bestScores: ObjectValue = ObjectValue(), reason: String? = nil
  ) {
    self.lifetimeScore = lifetimeScore
    self.gamesPlayed = gamesPlayed
    self.bestScores = bestScores
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["lifetime_score": 500, "best_scores": ["classic": 55]] }

  package static var about: String { "The scores to set; the others stay. Milestones that they reach unlock, and earned ones stay." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("lifetime_score", &lifetimeScore, "The sum of all scores.", .atLeast(0))
    fields.optional("games_played", &gamesPlayed, "The number of games played.", .atLeast(0))
    fields.whenSet("best_scores", &bestScores, "Best scores by mode.", .map(of: ["type": "integer", "format": "int64", "minimum": 0]))
    fields.optional("reason", &reason, "The reason, for the audit log.")
    fields.refuse(
      nil, "the body sets nothing; give lifetime_score, games_played or best_scores",
      if: lifetimeScore == nil && gamesPlayed == nil && bestScores.isEmpty)
  }
}
