// The split of a key over many players, computed a slice at a time.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer
internal import Synchronization

/// A simulation as far as it has come.
struct Simulation: Sendable {
  /// The number of different answers that one simulation distinguishes.
  static let sharesMax = 1_000

  private let key: String
  private let game: GameSnapshot
  private let prefix: String
  private let players: Int64
  private var caller: Caller
  private var shares: [SimulatedShare: Int64] = [:]
  /// The number of players that were asked for.
  private(set) var asked: Int64 = 0

  /// A simulation of players `PREFIX1`, `PREFIX2` and so on.
  init(of key: String, in game: GameSnapshot, for caller: Caller, prefix: String, players: Int64) {
    self.key = key
    self.game = game
    self.caller = caller
    self.prefix = prefix
    self.players = players
  }

  var isDone: Bool { asked >= players }

  /// The same at its end: of all players, or of as many as were asked for when the time was over or nobody waited any more.
  /// - Throws: what ``goingOn(until:)`` throws; `RATE_LIMITED` when too much long work of the user waits.
  consuming func run(by longWork: SlicedWork, for user: UInt32, until end: ContinuousClock.Instant) async throws(Problem) -> Simulation {
    var simulation = self
    // A client that has gone waits for nothing.
    while !simulation.isDone, !Task.isCancelled, simulation.asked == 0 || ContinuousClock.now < end {
      let before = simulation
      simulation = try await longWork.slice(for: user) { () throws(Problem) in try before.goingOn(until: end) }
    }
    return simulation
  }

  /// The same some milliseconds of work later: after each player it looks whether that is enough.
  /// - Throws: `EVALUATION_TOO_LONG` when one player takes more steps than a request may.
  consuming func goingOn(until end: ContinuousClock.Instant) throws(Problem) -> Simulation {
    let pause = min(end, ContinuousClock.now + .milliseconds(SlicedWork.sliceMilliseconds))
    repeat {
      asked += 1
      let id = prefix + String(asked)
      // One caller for all: a large context is not copied for each of them.
      caller.player = id
      caller.context["targetingKey"] = .string(id)
      let budget = EvaluationBudget(steps: LogicLimits.requestStepsMax)
      caller.budget = budget
      let answer = game.table.resolve(key, for: caller)
      if budget.isExceeded { throw BoundedEvaluation.tooLong }
      guard let answer else { continue }
      let share = SimulatedShare(
        value: answer.value, source: answer.layer.rawValue, reason: answer.reason.rawValue, variant: answer.variant, players: 0)
      if shares[share] != nil || shares.count < Self.sharesMax { shares[share, default: 0] += 1 }
    } while !isDone && ContinuousClock.now < pause
    return self
  }

  /// The answers, the most frequent first.
  var ordered: [SimulatedShare] {
    shares.map { share, players in
      var share = share
      share.players = players
      return share
    }.sorted { ($1.players, JSONWriter.text($0.value)) < ($0.players, JSONWriter.text($1.value)) }
  }
}

/// The simulations that run.
final class Simulations: Sendable {
  /// The most slices of one user that may run at once.
  static let perUserMax = 2
  /// The most that may run in all.
  static let atOnceMax = 8

  private let running = Mutex(Quota<UInt32>())

  /// Begins one; false when as many run as may.
  func enter(_ user: UInt32) -> Bool {
    running.withLock { running in
      guard running.bound(of: user, userMax: Self.perUserMax, max: Self.atOnceMax) == nil else { return false }
      running.add(of: user)
      return true
    }
  }

  /// Ends one.
  func leave(_ user: UInt32) { running.withLock { $0.add(-1, of: user) } }
}
