// The share of the writer's time that changes of many overrides may take.

import Synchronization

/// Lets all other clients write between large changes.
///
/// Large changes go one at a time, those of different users in turn. A change waits only while such changes have held up other writes for more than
/// one hundredth of the last 30 seconds; where nobody else writes, none waits. No change is refused.
/// ```swift
/// let pace = BulkPace()
/// let outcome = try await pace.run(by: author.uid) { await prepared(rows) } change: { prepared, time async throws(ChangeRefusal) in … }
/// ```
public actor BulkPace {
  /// The span over which the writer's time is counted.
  static let span = Duration.seconds(30)
  /// The time that large changes may take of a span without waiting: one hundredth.
  static let shareMax = span / 100
  /// The longest wait.
  static let waitMax = Duration.seconds(10)

  /// The time for which one change's transaction has held up other writes.
  public final class TransactionTime: Sendable {
    private struct State {
      var began: ContinuousClock.Instant?
      var othersWait = true
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant) { self.now = now }

    /// Begins to count. The change's transaction calls it first, so that waiting for the writer does not count; one that runs again begins again.
    public func begin() { state.withLock { $0 = State(began: now()) } }

    /// Notes at the transaction's end whether other writes wait for the writer by then; if none does, its time does not count.
    public func end(othersWait: Bool) { state.withLock { $0.othersWait = othersWait } }

    /// The time since the transaction began; zero if none did, or if it held up nobody.
    var taken: Duration { state.withLock { $0.othersWait ? $0.began?.duration(to: now()) : nil } ?? .zero }
  }

  private struct Waiter {
    let uid: UInt32
    let goOn: CheckedContinuation<Void, Never>
  }

  /// Time that was taken within one second.
  private struct TimeSlot {
    let since: ContinuousClock.Instant
    var taken: Duration
  }

  private var isBusy = false
  private var waiting: [Waiter] = []
  private var last: UInt32?
  /// The time taken in the last span, the oldest first.
  private var spent: [TimeSlot] = []
  private let now: @Sendable () -> ContinuousClock.Instant
  private let rest: @Sendable (Duration) async -> Void

  /// A pace by the monotonic clock.
  public init() {
    self.init(now: { .now }) { duration in
      // A caller that goes away does not shorten the wait of all others.
      await Task { try? await Task.sleep(for: duration) }.value
    }
  }

  init(now: @escaping @Sendable () -> ContinuousClock.Instant, rest: @escaping @Sendable (Duration) async -> Void) {
    self.now = now
    self.rest = rest
  }

  /// Prepares a change and makes it when its turn has come.
  /// - Parameters:
  ///   - uid: The user who makes the change.
  ///   - prepare: Work that holds up no other client; it is not counted.
  ///   - change: The change; its turn on the writer begins the time.
  public func run<Prepared: Sendable, Made: Sendable, Fault: Error>(
    by uid: UInt32, prepare: @Sendable () async -> Prepared,
    change: @Sendable (Prepared, TransactionTime) async throws(Fault) -> Made
  ) async throws(Fault) -> Made {
    await enter(uid)
    let prepared = await prepare()
    let time = TransactionTime(now: now)
    defer {
      leave(after: time.taken)
      // Released here, where no client waits for it, and not by the writer.
      withExtendedLifetime(prepared) {}
    }
    return try await change(prepared, time)
  }

  /// True if a change is prepared or made.
  var isAtWork: Bool { isBusy }
  /// The number of changes that wait for their turn.
  var waitingCount: Int { waiting.count }

  private func enter(_ uid: UInt32) async {
    if isBusy { await withCheckedContinuation { waiting.append(Waiter(uid: uid, goOn: $0)) } }
    isBusy = true
    last = uid
    let wait = wait
    if wait > .zero { await rest(wait) }
  }

  /// The time until large changes have held up others for no more than their share of the span before; zero if that is so now.
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
      spent.append(TimeSlot(since: now, taken: taken))
    }
    guard !waiting.isEmpty else {
      isBusy = false
      return
    }
    let next = waiting.firstIndex { $0.uid != last } ?? 0
    waiting.remove(at: next).goOn.resume()
  }
}
