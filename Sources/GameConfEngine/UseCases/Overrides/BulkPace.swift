// How much of the writer's time changes of many overrides may take.

/// Lets everybody else write between large changes: they go one at a time, those of different users in turn, and behind each comes a rest that
/// is the longer the longer it took. Nobody is refused; whoever asks for large changes one after the other waits for them longer.
/// ```swift
/// let pace = BulkPace()
/// let outcome = try await pace.run(by: author.uid) { await prepared(rows) } change: { prepared async throws(OverrideError) in … }
/// ```
public actor BulkPace {
  /// What took less than this is no large change: no rest comes behind it.
  static let shortest = Duration.milliseconds(10)
  /// A rest is so many times as long as what it follows, so that of a hundred who write in between one meets it.
  static let restPart = 100
  /// No rest is longer.
  static let restMax = Duration.seconds(10)

  private struct Waiting {
    let uid: UInt32
    let goOn: CheckedContinuation<Void, Never>
  }

  private var isBusy = false
  private var waiting: [Waiting] = []
  private var last: UInt32?
  private var restsUntil: ContinuousClock.Instant
  private let now: @Sendable () -> ContinuousClock.Instant
  private let rest: @Sendable (Duration) async -> Void

  /// A pace by the monotonic clock.
  public init() {
    self.init(now: { .now }) { duration in
      // A caller that goes away does not shorten the rest of all others.
      await Task { try? await Task.sleep(for: duration) }.value
    }
  }

  init(now: @escaping @Sendable () -> ContinuousClock.Instant, rest: @escaping @Sendable (Duration) async -> Void) {
    self.now = now
    self.rest = rest
    restsUntil = now()
  }

  /// Prepares a change and makes it when its turn has come.
  /// - Parameters:
  ///   - uid: whose it is.
  ///   - prepare: what holds nobody up; no rest comes of it.
  public func run<Prepared: Sendable, Made: Sendable, Fault: Error>(
    by uid: UInt32, prepare: @Sendable () async -> Prepared, change: @Sendable (Prepared) async throws(Fault) -> Made
  ) async throws(Fault) -> Made {
    await enter(uid)
    let prepared = await prepare()
    let began = now()
    defer {
      leave(after: began.duration(to: now()))
      // Let go of here, where nobody waits for it, and not by the writer.
      withExtendedLifetime(prepared) {}
    }
    return try await change(prepared)
  }

  /// Whether a change is prepared or made.
  var isAtWork: Bool { isBusy }
  /// How many wait for their turn.
  var waitingCount: Int { waiting.count }

  private func enter(_ uid: UInt32) async {
    if isBusy { await withCheckedContinuation { waiting.append(Waiting(uid: uid, goOn: $0)) } }
    isBusy = true
    last = uid
    let left = now().duration(to: restsUntil)
    if left > .zero { await rest(left) }
  }

  private func leave(after took: Duration) {
    if took >= Self.shortest { restsUntil = now() + min(took * Self.restPart, Self.restMax) }
    guard !waiting.isEmpty else {
      isBusy = false
      return
    }
    let next = waiting.firstIndex { $0.uid != last } ?? 0
    waiting.remove(at: next).goOn.resume()
  }
}
