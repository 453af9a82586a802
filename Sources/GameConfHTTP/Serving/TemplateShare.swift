// The number of players for whom a template changes something, computed a slice at a time.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

/// A count as far as it has come.
struct TemplateShare: Sendable {
  /// The most values that one count may evaluate, before and after: players times keys.
  static let evaluationsMax: Int64 = 200_000
  /// The prefix of the ids of simulated players; their numbers from 1 follow.
  static let prefix = "player-"

  private let before: GameSnapshot
  private let after: GameSnapshot
  private let keys: [String]
  private let players: Int64
  private let host: Instant
  private var asked: Int64 = 0
  /// The number of players for whom the value of a key is another.
  private(set) var changed: [String: Int64] = [:]

  /// A count of simulated players, who differ by their ids alone.
  /// - Throws: `EVALUATION_TOO_LONG` when it would take more evaluations than it may.
  init(of players: Int64, from before: GameSnapshot, to after: GameSnapshot, keys: [String], host: Instant) throws(Problem) {
    guard players * Int64(max(1, keys.count)) <= Self.evaluationsMax else {
      throw Problem(
        .evaluationTooLong,
        "\(players) players and \(keys.count) keys that may change are more than \(Self.evaluationsMax) values; simulate at most \(Self.evaluationsMax / Int64(max(1, keys.count))) players."
      )
    }
    (self.before, self.after, self.keys, self.players, self.host) = (before, after, keys, players, host)
  }

  var isDone: Bool { asked >= players }

  /// The same some milliseconds of work later.
  func goingOn() throws(Problem) -> TemplateShare {
    var next = self
    let pause = ContinuousClock.now + .milliseconds(SlicedWork.sliceMilliseconds)
    repeat {
      next.asked += 1
      let budget = EvaluationBudget(steps: LogicLimits.requestStepsMax)
      let context = EvaluationContext(player: Self.prefix + String(next.asked))
      let earlier = context.caller(in: before, now: before.now(host: host), within: budget)
      let later = context.caller(in: after, now: after.now(host: host), within: budget)
      for key in keys where before.table.resolve(key, for: earlier)?.value != after.table.resolve(key, for: later)?.value {
        next.changed[key, default: 0] += 1
      }
      if budget.isExceeded { throw BoundedEvaluation.tooLong }
    } while !next.isDone && ContinuousClock.now < pause
    return next
  }
}
