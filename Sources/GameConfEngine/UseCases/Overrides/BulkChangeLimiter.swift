// Limits the share of the writer's time that large changes of overrides may use.

import Synchronization

/// A rate limiter for large changes of overrides, so that they do not delay all other writes.
///
/// Large changes run one at a time, alternating between users. A change waits only if large changes have delayed other writes for more than
/// one hundredth of the last 30 seconds. No change is refused.
/// ```swift
/// let pace = BulkPace()
/// let outcome = try await pace.run(by: author.uid) { await prepared(rows) } change: { prepared, time async throws(ChangeRefusal) in … }
/// ```
public actor BulkChangeLimiter {
  /// The length of the sliding time window in which the writer's time for large changes is counted.
  static let span = Duration.seconds(30)
  /// The writer's time that large changes may use within one ``span`` before the next large change must wait: one hundredth of ``span``.
  static let shareMax = span / 100
  static let waitMax = Duration.seconds(10)

  /// A stopwatch for the time for which one large change's transaction delays other writes.
  public final class TransactionTime: Sendable {
    private struct MeasurementState {
      var began: ContinuousClock.Instant?
      var othersWait = true
    }

    private let state = Mutex(MeasurementState())
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

    /// Starts the measurement. The transaction calls it first, so that the time spent waiting for the writer does not count. If the
    /// transaction is repeated, the measurement starts again.
    public func begin() { state.withLock { $0 = MeasurementState(began: now()) } }

    /// Ends the measurement. If no other write waits for the writer at this time, the transaction's time does not count.
    public func end(othersWait: Bool) { state.withLock { $0.othersWait = othersWait } }

    /// The time since the transaction began; zero if it has not begun or has delayed no other write.
    var taken: Duration { state.withLock { $0.othersWait ? $0.began?.duration(to: now()) : nil } ?? .zero }
  }

  private struct WaitingChange {
    let uid: UInt32
    let goOn: CheckedContinuation<Void, Never>
  }

  /// The writer's time that large changes used within one second, with the beginning of that second.
  private struct WriterTimeUsage {
    let since: ContinuousClock.Instant
    var taken: Duration
  }

  private var isBusy = false
  private var waiting: [WaitingChange] = []
  private var last: UInt32?
  /// The writer's time that large changes used within the last ``span``, second by second, oldest first.
  private var spent: [WriterTimeUsage] = []
  private let now: @Sendable () -> ContinuousClock.Instant
  private let rest: @Sendable (Duration) async -> Void

  /// Creates a limiter on the monotonic clock.
  public init() {
    self.init(now: { .now }) { duration in
      // A detached task, so that the cancellation of one caller does not shorten the wait of the others.
      await Task { try? await Task.sleep(for: duration) }.value
    }
  }

  init(now: @escaping @Sendable () -> ContinuousClock.Instant, rest: @escaping @Sendable (Duration) async -> Void) {
    self.now = now
    self.rest = rest
  }

  /// Waits until the change is next in the queue, then prepares and runs it.
  /// - Parameters:
  ///   - uid: The user who makes the change.
  ///   - prepare: The work before the transaction. It delays no other write, so its time is not counted.
  ///   - change: The change, whose transaction begins and ends the measurement of its time.
  public func run<Prepared: Sendable, Made: Sendable, Fault: Error>(
    by uid: UInt32, prepare: @Sendable () async -> Prepared,
    change: @Sendable (Prepared, TransactionTime) async throws(Fault) -> Made
  ) async throws(Fault) -> Made {
    await enter(uid)
    let prepared = await prepare()
    let time = TransactionTime(now: now)
    defer {
      leave(after: time.taken)
      // Retains the prepared rows until here, where no client waits, so that the writer's thread does not deallocate them.
      withExtendedLifetime(prepared) {}
    }
    return try await change(prepared, time)
  }

  /// True while a change is prepared or run.
  var isAtWork: Bool { isBusy }
  var waitingCount: Int { waiting.count }

  private func enter(_ uid: UInt32) async {
    if isBusy { await withCheckedContinuation { waiting.append(WaitingChange(uid: uid, goOn: $0)) } }
    isBusy = true
    last = uid
    let wait = wait
    if wait > .zero { await rest(wait) }
  }

  /// The time that the next change must wait until the time used in the last ``span`` is at most ``shareMax``; zero if it is already.
  private var wait: Duration {
    let now = now()
    spent.removeAll { $0.since.duration(to: now) >= Self.span }
    var taken = spent.reduce(Duration.zero) { $0 + $1.taken }
    var wait = Duration.zero
    for each in spent where taken > Self.shareMax {
      taken -= each.taken
      wait = now.duration(to: each.since + Self.span)
    }
    return min(wait, Self.waitMax)
  }

  private func leave(after taken: Duration) {
    let now = now()
    if let newest = spent.last, newest.since.duration(to: now) < .seconds(1) {
      spent[spent.count - 1].taken += taken
    } else if taken > .zero {
      spent.append(WriterTimeUsage(since: now, taken: taken))
    }
    guard !waiting.isEmpty else {
      isBusy = false
      return
    }
    let next = waiting.firstIndex { $0.uid != last } ?? 0
    waiting.remove(at: next).goOn.resume()
  }
}
