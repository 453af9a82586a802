// Decides which best scores and leaderboard rows of a player an event improves.
import GameConfCore
import GameConfStorage

extension EventImprovements {
  /// Adds the best score and the leaderboard rows that a player's event improves. The database is read by key, once for each score and row.
  /// - Returns: The player's best score under the event's details; nil if the event stores no best score.
  /// - Throws: `.tooManyBests`, `.tooManyLists`, `.bestDetailTooLong`, ``StoreError``.
  mutating func take(_ event: PlayerEvent, under terms: PlayerTerms, in edit: PlayerEdit) throws -> EventBest? {
    guard let claims = try terms.claims(of: event) else { return nil }
    var gains = self
    let best = try gains.takeBest(claims, of: event.name, in: edit)
    // A player of a scenario (a test run) has best scores, but no rows on leaderboards.
    if ScenarioNames.scenario(ofPlayer: edit.id.player) == nil {
      for place in claims.places { try gains.takeRow(claims.score, on: place, in: edit) }
    }
    self = gains
    return best
  }

  /// Raises the counts that unlock milestones if the event gives the player a best score that was not counted before.
  mutating func count(_ event: PlayerEvent, in terms: inout PlayerTerms, _ edit: PlayerEdit) throws {
    terms.bestCounts.merge(bestCounts) { $1 }
    let counts = terms.rules.bestCounts.filter { $0.event == event.name }
    // An event without the required details is refused later, when it is recorded.
    guard !counts.isEmpty, let claims = try? terms.claims(of: event), let detail = claims.detail else { return }
    let known = try best(event.name, detail) ?? edit.transaction.best(event.name, detail, of: edit.id, at: edit.view.stored.place)
    for count in counts where count.counts(detail, claims.score) && known.map({ count.counts(detail, $0.score) }) != true {
      terms.bestCounts[count, default: 0] += 1
      bestCounts[count] = terms.bestCounts[count]
    }
  }

  private mutating func takeBest(_ claims: ImprovableScores, of event: String, in edit: PlayerEdit) throws -> EventBest? {
    guard let detail = claims.detail else { return nil }
    let stored = edit.view.stored
    let known = try best(event, detail) ?? edit.transaction.best(event, detail, of: edit.id, at: stored.place)
    if let known, (claims.score ?? -1) <= (known.score ?? -1) { return EventBest(detail: detail, score: known.score, isBest: false) }
    if known == nil, try edit.transaction.bestsCount(of: edit.id, at: stored.place) + newBests + 1 > PlayerLimits.bestsMax {
      throw Refusal.tooManyBests
    }
    add(StoredBest(event: event, detail: detail, score: claims.score, at: edit.change.now), isNew: known == nil)
    return EventBest(detail: detail, score: claims.score, isBest: true)
  }

  private mutating func takeRow(_ score: Int64?, on place: ImprovableScores.BoardPartition, in edit: PlayerEdit) throws {
    guard let score else { return }
    let stored = edit.view.stored.place
    if let known = scores[place] ?? stored?.scores[place], score <= known { return }
    let list = BoardList(game: edit.id.game, place: place)
    let known = try scores[place] ?? stored?.scores[place] ?? edit.transaction.row(of: edit.id, at: stored, in: list)?.score
    if let known, score <= known { return note(known, on: place) }
    if known == nil, !place.per.isEmpty, try !edit.transaction.isKnown(list),
      try edit.transaction.listsCount(of: edit.id.game) >= BoardLimits.listsMax
    {
      throw Refusal.tooManyLists(board: place.board)
    }
    add(BoardRow(player: edit.id.player, score: score, at: edit.change.now), in: list, isFirst: known == nil)
  }
}
