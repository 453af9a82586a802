// The improvements that events make to rows outside the player's own: bests and leaderboard rows.
public import GameConfCore

/// Bests and leaderboard rows that the events of one write improved.
public struct EventImprovements: Sendable {
  private struct BestKey: Hashable {
    let event: ByteText
    let detail: ByteText

    init(_ event: String, _ detail: String) { (self.event, self.detail) = (ByteText(event), ByteText(detail)) }
  }

  private var named: [BestKey: StoredBest] = [:]
  /// The leaderboard rows that beat the stored ones, by list.
  public private(set) var rows: [BoardList: BoardRow] = [:]
  /// The player's scores on the leaderboards' lists that were looked up or improved.
  public private(set) var scores: [ImprovableScores.BoardPartition: Int64] = [:]
  /// The leaderboards' lists on which the player had no row before.
  public private(set) var firstRows: Set<BoardList> = []
  /// The changed counts of the player's bests, as they are after the events. Milestones that count bests need these counts.
  public var bestCounts: [BestCount: Int64] = [:]
  /// The number of improved bests for whose event and detail the player had no best before.
  public private(set) var newBests = 0

  /// Creates an empty set of improvements.
  public init() {}

  /// The bests that beat the stored ones.
  public var bests: [StoredBest] { Array(named.values) }
  /// True if nothing improved and no list was looked up.
  public var isEmpty: Bool { named.isEmpty && scores.isEmpty }

  /// Returns the best if this write improved it; nil otherwise.
  public func best(_ event: String, _ detail: String) -> StoredBest? { named[BestKey(event, detail)] }

  /// Adds a best that beats the stored one.
  /// - Parameter isNew: True if the store has no best for the same event and detail.
  public mutating func add(_ best: StoredBest, isNew: Bool) {
    named[BestKey(best.event, best.detail)] = best
    if isNew { newBests += 1 }
  }

  /// Caches the player's stored score on a list.
  public mutating func note(_ score: Int64, on place: ImprovableScores.BoardPartition) { scores[place] = score }

  /// Adds a leaderboard row that beats the stored one.
  /// - Parameter isFirst: True if the player has no row on the list.
  public mutating func add(_ row: BoardRow, in list: BoardList, isFirst: Bool) {
    if isFirst { firstRows.insert(list) }
    scores[list.place] = row.score
    rows[list] = row
  }
}
