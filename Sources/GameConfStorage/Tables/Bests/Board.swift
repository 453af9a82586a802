// The types of bests, which are a player's best scores by event and detail, and of leaderboards.
public import GameConfCore

/// A selection of a player's bests by their event and the beginning of their detail.
public struct BestSelection: Sendable, Hashable {
  /// The event of the selected bests; nil for bests of any event.
  public var event: String?
  /// The text with which the details of the selected bests begin; nil for any details.
  public var prefix: String?

  /// Creates a selection, by default of every best.
  public init(event: String? = nil, prefix: String? = nil) {
    self.event = event
    self.prefix = prefix
  }

  /// True if a best has the event and the prefix, compared byte by byte.
  public func contains(_ best: StoredBest) -> Bool {
    event.map { $0.utf8.elementsEqual(best.event.utf8) } ?? true && prefix.map { best.detail.utf8.starts(with: $0.utf8) } ?? true
  }
}

/// A selection of a player's rows on one leaderboard.
public struct BoardSelection: Sendable, Hashable {
  /// The id of the leaderboard.
  public var board: String
  /// The name of one of the leaderboard's lists, as in ``ImprovableScores/BoardPartition/per``; nil for every list.
  public var per: String?

  /// Creates a selection of the rows on a leaderboard, by default on all its lists.
  public init(board: String, per: String? = nil) {
    self.board = board
    self.per = per
  }
}

/// The name of one list of a game's leaderboard. A leaderboard may have a list for each combination of some parameters' values.
public struct BoardList: Sendable, Hashable {
  /// The id of the game that the leaderboard belongs to.
  public var game: String
  /// The id of the leaderboard, and the name of the list within it.
  public var place: ImprovableScores.BoardPartition

  /// Creates the name of a list, whether the list exists or not.
  public init(game: String, place: ImprovableScores.BoardPartition) {
    self.game = game
    self.place = place
  }
}

/// A player's row on a leaderboard's list.
public struct BoardRow: Sendable, Hashable {
  /// The id of a player of the list's game.
  public var player: String
  /// The player's best score on the list.
  public var score: Int64
  /// The instant of the score by the host's clock. Of equal scores, the earlier ranks higher.
  public var at: Instant

  /// Creates a row without a rank, which depends on the list's other rows.
  public init(player: String, score: Int64, at: Instant) {
    self.player = player
    self.score = score
    self.at = at
  }
}

/// An approximate ranking: for sampled scores, the number of rows above each.
public struct BoardHistogram: Sendable, Hashable {
  /// The most sampled scores.
  public static let stepsMax = 1_024
  /// Sampled scores, highest first, each with the number of rows above it.
  public private(set) var steps: [(score: Int64, above: Int64)] = []
  /// The number of rows in the list.
  public private(set) var count: Int64 = 0
  private let stride: Int64
  private var next: Int64 = 0

  /// Creates an empty histogram for a leaderboard's list with this number of rows.
  public init(rows: Int64) { stride = max(1, rows / Int64(Self.stepsMax / 2)) }

  /// Adds the rows of one score. Scores must come in descending order.
  public mutating func add(score: Int64, rows: Int64) {
    if count >= next, steps.count < Self.stepsMax {
      steps.append((score, count))
      next = count + stride
    }
    count += rows
  }

  /// Returns a lower bound of the number of rows above a score.
  public func above(_ score: Int64) -> Int64 {
    // Binary search for the lowest sampled score that is not below this one: rows above the sample are above the score too.
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if steps[middle].score >= score { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? 0 : steps[low - 1].above
  }

  /// True if the counts and the samples are equal.
  public static func == (left: BoardHistogram, right: BoardHistogram) -> Bool {
    left.count == right.count && left.steps.elementsEqual(right.steps) { $0 == $1 }
  }

  /// Hashes the number of rows.
  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

/// The limits of stored bests and leaderboards, and of one request for them.
public enum BoardLimits {
  /// The greatest rank that is counted exactly.
  public static let exactRankMax = 10_000
  /// The most lists that the leaderboards of a game may have.
  public static let listsMax = 10_000
  /// The most lists for which a player's score is cached.
  public static let scoresKnownMax = 64
  /// The timeout of one read of a leaderboard.
  public static let deadlineMilliseconds = 1_000
  /// The greatest age at which a cached histogram is used: 60 s.
  public static let histogramMilliseconds: Int64 = 60_000
  /// The most histograms that are cached.
  public static let histogramsMax = 256
  /// The timeout of a histogram's computation, including the wait in the queue.
  public static let histogramDeadlineMilliseconds = 5_000
  /// The most bests in one page of a player's bests.
  public static let bestsListedMax = 1_000
}
