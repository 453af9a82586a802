// Bests and leaderboards, as they are stored.
public import GameConfCore

/// A selection of a player's bests.
public struct BestSelection: Sendable, Hashable {
  /// Only those of this event.
  public var event: String?
  /// Only those whose details begin so.
  public var prefix: String?

  /// All of them unless said.
  public init(event: String? = nil, prefix: String? = nil) {
    self.event = event
    self.prefix = prefix
  }

  /// True if a best is meant.
  public func contains(_ best: StoredBest) -> Bool {
    event.map { $0.utf8.elementsEqual(best.event.utf8) } ?? true && prefix.map { best.detail.utf8.starts(with: $0.utf8) } ?? true
  }
}

/// A selection of a player's rows of leaderboards.
public struct BoardSelection: Sendable, Hashable {
  /// Only those of this board.
  public var board: String
  /// Only that of this list; nil for every list of the board.
  public var per: String?

  /// The rows of a board, or of one list of it.
  public init(board: String, per: String? = nil) {
    self.board = board
    self.per = per
  }
}

/// A list of a game's leaderboard.
public struct BoardList: Sendable, Hashable {
  /// The game.
  public var game: String
  /// The board and the value that the list is for.
  public var place: EventBestCandidates.Place

  /// A list.
  public init(game: String, place: EventBestCandidates.Place) {
    self.game = game
    self.place = place
  }
}

/// A player's row of a list.
public struct BoardRow: Sendable, Hashable {
  /// The player's id.
  public var player: String
  /// The best score.
  public var score: Int64
  /// The instant when it was made, by the host's clock; of equal scores the earlier stands first.
  public var at: Instant

  /// A row.
  public init(player: String, score: Int64, at: Instant) {
    self.player = player
    self.score = score
    self.at = at
  }
}

/// About how many rows of a list have more than a score.
public struct BoardHistogram: Sendable, Hashable {
  /// The most steps that it has.
  public static let stepsMax = 1_024
  /// Scores, the highest first, each with how many rows have more.
  public private(set) var steps: [(score: Int64, above: Int64)] = []
  /// The number of rows that the list has.
  public private(set) var count: Int64 = 0
  private let stride: Int64
  private var next: Int64 = 0

  /// An empty one, for so many rows.
  public init(rows: Int64) { stride = max(1, rows / Int64(Self.stepsMax / 2)) }

  /// Adds the rows of a score that is lower than all before.
  public mutating func add(score: Int64, rows: Int64) {
    if count >= next, steps.count < Self.stepsMax {
      steps.append((score, count))
      next = count + stride
    }
    count += rows
  }

  /// The least number of rows that have more than that score.
  public func above(_ score: Int64) -> Int64 {
    // The lowest step that is not below the score: whoever is above it is above the score too.
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].score >= score { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : steps[low - 1].above
  }

  /// True if both say the same.
  public static func == (left: BoardHistogram, right: BoardHistogram) -> Bool {
    left.count == right.count && left.steps.elementsEqual(right.steps) { $0 == $1 }
  }

  /// Feeds the count.
  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

/// The limits of stored bests and leaderboards, and of one request for them.
public enum BoardLimits {
  /// Up to which place a rank is counted.
  public static let exactRankMax = 10_000
  /// The most lists that the leaderboards of a game may have.
  public static let listsMax = 10_000
  /// Of how many lists memory knows a player's score.
  public static let scoresKnownMax = 64
  /// The longest time that showing a board may take before it is given up.
  public static let deadlineMilliseconds = 1_000
  /// The greatest age of a histogram: 60 s.
  public static let histogramMilliseconds: Int64 = 60_000
  /// The number of histograms that are kept in memory.
  public static let histogramsMax = 256
  /// The longest time that one may take to be made, with the wait for those before it.
  public static let histogramDeadlineMilliseconds = 5_000
  /// The number of bests that are listed at once.
  public static let bestsListedMax = 1_000
}
