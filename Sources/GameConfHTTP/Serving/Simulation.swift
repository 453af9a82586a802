// Simulates the distribution of a key's values over many players, in slices that yield to other work.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer
internal import Synchronization

/// The distribution of a key's values among simulated players, with the number of players evaluated so far.
struct Simulation: Sendable {
  /// The maximum number of different answers for which one simulation counts the players.
  static let sharesMax = 1_000

  private let key: String
  private let game: GameSnapshot
  private let prefix: String
  private let players: Int64
  private var caller: Caller
  private var shares: [SimulatedShare: Int64] = [:]
  /// The number of players evaluated so far.
  private(set) var done: Int64 = 0

  /// Creates a simulation of players with the ids `PREFIX1`, `PREFIX2` and so on.
  init(of key: String, in game: GameSnapshot, for caller: Caller, prefix: String, players: Int64) {
    self.key = key
    self.game = game
    self.caller = caller
    self.prefix = prefix
    self.players = players
  }

  var isDone: Bool { done >= players }

  /// Runs the simulation in slices. Returns it when it is finished, when the time is over, or when the client has disconnected.
  /// - Throws: The errors of ``goingOn(until:)``; `RATE_LIMITED` if too much long work of the user waits.
  consuming func run(by longWork: SlicedWork, for user: UInt32, until end: ContinuousClock.Instant) async throws(Problem) -> Simulation {
    var simulation = self
    // Stops if the client has disconnected. At least one player is evaluated, however short the time.
    while !simulation.isDone, !Task.isCancelled, simulation.done == 0 || ContinuousClock.now < end {
      let before = simulation
      simulation = try await longWork.slice(for: user) { () throws(Problem) in try before.goingOn(until: end) }
    }
    return simulation
  }

  /// Returns the simulation after one more slice, which takes some milliseconds.
  /// - Throws: `EVALUATION_TOO_LONG` if the evaluation for one player takes more steps than a request may take.
  consuming func goingOn(until end: ContinuousClock.Instant) throws(Problem) -> Simulation {
    let pause = min(end, ContinuousClock.now + .milliseconds(SlicedWork.sliceMilliseconds))
    repeat {
      done += 1
      let id = prefix + String(done)
      // Changes one caller's id for each player, because copying a large context would be slow.
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

  /// The different answers with their numbers of players, the most frequent first.
  var ordered: [SimulatedShare] {
    shares.map { share, players in
      var share = share
      share.players = players
      return share
    }.sorted { ($1.players, JSONWriter.text($0.value)) < ($0.players, JSONWriter.text($1.value)) }
  }
}

/// Limits the number of simultaneous simulations.
final class SimulationQuota: Sendable {
  /// The maximum number of one user's simultaneous simulations.
  static let perUserMax = 2
  /// The maximum number of simultaneous simulations of all users.
  static let atOnceMax = 8

  private let running = Mutex(Quota<UInt32>())

  /// Counts a new simulation of the user. Returns false if a limit is reached.
  func enter(_ user: UInt32) -> Bool {
    running.withLock { running in
      guard running.bound(of: user, userMax: Self.perUserMax, max: Self.atOnceMax) == nil else { return false }
      running.add(of: user)
      return true
    }
  }

  /// Counts the end of a simulation.
  func leave(_ user: UInt32) { running.withLock { $0.add(-1, of: user) } }
}
