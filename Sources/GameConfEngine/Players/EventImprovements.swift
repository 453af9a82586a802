// The rows that events improve beside their player: bests, and rows of leaderboards.
public import GameConfCore

/// The improvements of the events of one write.
public struct EventImprovements: Sendable {
  /// Names one best of a player.
  struct BestKey: Hashable {
    var event: ByteText
    var detail: ByteText
  }

  private var named: [BestKey: StoredBest] = [:]
  private var lists: [BoardList: BoardRow] = [:]
  /// The scores on the lists that were looked up or are better now.
  public private(set) var scores: [EventBestCandidates.Place: Int64] = [:]
  /// The lists on which the player had no row before.
  public private(set) var firstRows: Set<BoardList> = []
  /// The number of the bests that are the first of their details.
  public private(set) var newBests = 0

  /// Nothing yet.
  public init() {}

  /// The bests that are better than what is stored.
  public var bests: [StoredBest] { Array(named.values) }
  /// The rows that are better than what is stored, by their lists.
  public var rows: [BoardList: BoardRow] { lists }
  /// True if nothing is better, and nothing was looked up.
  public var isEmpty: Bool { named.isEmpty && scores.isEmpty }

  /// Adds what an event improves; reads the store by key, once for each best and list.
  /// - Returns: the best that the event's details name; nil where the event keeps none.
  /// - Throws: `.tooManyBests`, `.tooManyLists`, `.bestDetailTooLong`, ``StoreError``.
  mutating func take(_ event: PlayerEvent, under terms: PlayerTerms, in edit: PlayerEdit) throws -> EventBest? {
    guard let claims = try terms.claims(of: event) else { return nil }
    var gains = self
    let best = try gains.takeBest(claims, of: event.name, in: edit)
    // A score of a test run counts for its own bests, and appears on no leaderboard.
    if ScenarioNames.scenario(ofPlayer: edit.id.player) == nil {
      for place in claims.places { try gains.takeRow(claims.score, on: place, in: edit) }
    }
    self = gains
    return best
  }

  private mutating func takeBest(_ claims: EventBestCandidates, of event: String, in edit: PlayerEdit) throws -> EventBest? {
    guard let detail = claims.detail else { return nil }
    let name = BestKey(event: ByteText(event), detail: ByteText(detail))
    let stored = edit.view.stored
    let known = try named[name] ?? edit.transaction.best(event, detail, of: edit.id, at: stored.place)
    if let known, (claims.score ?? -1) <= (known.score ?? -1) { return EventBest(detail: detail, score: known.score, isBest: false) }
    if known == nil {
      newBests += 1
      if try edit.transaction.bestsCount(of: edit.id, at: stored.place) + newBests > PlayerLimits.bestsMax { throw Refusal.tooManyBests }
    }
    named[name] = StoredBest(event: event, detail: detail, score: claims.score, at: edit.change.now)
    return EventBest(detail: detail, score: claims.score, isBest: true)
  }

  private mutating func takeRow(_ score: Int64?, on place: EventBestCandidates.Place, in edit: PlayerEdit) throws {
    guard let score else { return }
    let stored = edit.view.stored.place
    if let known = scores[place] ?? stored?.scores[place], score <= known { return }
    let list = BoardList(game: edit.id.game, place: place)
    let known = try scores[place] ?? stored?.scores[place] ?? edit.transaction.row(of: edit.id, at: stored, in: list)?.score
    if let known, score <= known {
      scores[place] = known
      return
    }
    if known == nil, !place.per.isEmpty, try !edit.transaction.isKnown(list),
      try edit.transaction.listsCount(of: edit.id.game) >= BoardLimits.listsMax
    {
      throw Refusal.tooManyLists(board: place.board)
    }
    if known == nil { firstRows.insert(list) }
    scores[place] = score
    lists[list] = BoardRow(player: edit.id.player, score: score, at: edit.change.now)
  }
}
