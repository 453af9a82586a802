// Counts the simulated players for whom a template would change a value, in slices that yield to other work.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

/// The number of simulated players for whom a template would change a value, with the number of players evaluated so far.
struct TemplateImpactCount: Sendable {
  /// The maximum product of players and keys. Each value is evaluated before and after the change.
  static let evaluationsMax: Int64 = 200_000
  /// The beginning of the simulated players' ids, which a number from 1 follows.
  static let prefix = "player-"

  private let before: GameSnapshot
  private let after: GameSnapshot
  private let keys: [String]
  private let players: Int64
  private let host: Instant
  private var done: Int64 = 0
  /// The number of players whose value would change, by key.
  private(set) var changed: [String: Int64] = [:]

  /// Creates a count over simulated players, who differ only in their ids.
  /// - Throws: `EVALUATION_TOO_LONG` if the players and keys exceed ``evaluationsMax``.
  init(of players: Int64, from before: GameSnapshot, to after: GameSnapshot, keys: [String], host: Instant) throws(Problem) {
    guard players * Int64(max(1, keys.count)) <= Self.evaluationsMax else {
      throw Problem(
        .evaluationTooLong,
        "\(players) players and \(keys.count) keys that may change are more than \(Self.evaluationsMax) values; simulate at most \(Self.evaluationsMax / Int64(max(1, keys.count))) players."
      )
    }
    (self.before, self.after, self.keys, self.players, self.host) = (before, after, keys, players, host)
  }

  var isDone: Bool { done >= players }

  /// Returns the count after one more slice, which takes some milliseconds.
  func goingOn() throws(Problem) -> TemplateImpactCount {
    var next = self
    let pause = ContinuousClock.now + .milliseconds(SlicedWork.sliceMilliseconds)
    repeat {
      next.done += 1
      let budget = EvaluationBudget(steps: LogicLimits.requestStepsMax)
      let context = EvaluationContext(player: Self.prefix + String(next.done))
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
