// The rows that events improve beside their player: bests, and rows of leaderboards.
public import GameConfCore

/// The improvements of the events of one write.
public struct EventImprovements: Sendable {
  /// Names one best of a player.
  private struct BestKey: Hashable {
    let event: ByteText
    let detail: ByteText

    init(_ event: String, _ detail: String) { (self.event, self.detail) = (ByteText(event), ByteText(detail)) }
  }

  private var named: [BestKey: StoredBest] = [:]
  /// The rows that are better than what is stored, by their lists.
  public private(set) var rows: [BoardList: BoardRow] = [:]
  /// The scores on the lists that were looked up or are better now.
  public private(set) var scores: [EventBestCandidates.Place: Int64] = [:]
  /// The lists on which the player had no row before.
  public private(set) var firstRows: Set<BoardList> = []
  /// The numbers of the player's bests after the events, by what milestones count, where the events changed them.
  public var bestCounts: [BestCount: Int64] = [:]
  /// The number of the bests that are the first of their details.
  public private(set) var newBests = 0

  /// Nothing yet.
  public init() {}

  /// The bests that are better than what is stored.
  public var bests: [StoredBest] { Array(named.values) }
  /// True if nothing is better, and nothing was looked up.
  public var isEmpty: Bool { named.isEmpty && scores.isEmpty }

  /// The best of these that has that event and detail.
  public func best(_ event: String, _ detail: String) -> StoredBest? { named[BestKey(event, detail)] }

  /// Adds a best that is better than what is stored.
  /// - Parameter isNew: True if none of its detail is stored.
  public mutating func add(_ best: StoredBest, isNew: Bool) {
    named[BestKey(best.event, best.detail)] = best
    if isNew { newBests += 1 }
  }

  /// Notes the player's score on a list, as the store has it.
  public mutating func note(_ score: Int64, on place: EventBestCandidates.Place) { scores[place] = score }

  /// Adds a row that is better than what is stored.
  /// - Parameter isFirst: True if the player has no row on the list.
  public mutating func add(_ row: BoardRow, in list: BoardList, isFirst: Bool) {
    if isFirst { firstRows.insert(list) }
    scores[list.place] = row.score
    rows[list] = row
  }
}
