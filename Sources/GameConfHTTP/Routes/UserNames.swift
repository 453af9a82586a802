// The names of users, for the audit log.

internal import Glibc
internal import Synchronization

/// The host's users by name. A directory of users may be slow or may never answer: each is looked up once in a while on a thread of its own, and who
/// asks for a name is sent what is known. Nothing here waits on an event loop.
final class UserNames: Sendable {
  /// The number of names that are kept.
  static let namesMax = 1_024
  /// After how many seconds a name is looked up again.
  static let secondsMax: Int64 = 300
  /// The seconds for which a user goes by number when the directory did not answer in time.
  static let secondsUnanswered: Int64 = 30
  /// The most users that are looked up at once, each on a thread.
  static let lookupsMax = 8
  /// The longest that a change waits for its author's name.
  static let patience = Duration.seconds(1)

  /// The host's.
  static let host = UserNames { uid in
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4_096)
    guard getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, let found, let name = found.pointee.pw_name else { return nil }
    return String(cString: name)
  }

  private struct CachedName {
    var name: String
    var until: ContinuousClock.Instant
  }

  private struct State {
    var names: [UInt32: CachedName] = [:]
    /// The waiters for the users that are being looked up.
    var waiting: [UInt32: [Waiter]] = [:]
  }

  private let lookUp: @Sendable (UInt32) -> String?
  private let patience: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  /// - Parameters:
  ///   - now: the clock by which names grow old.
  ///   - lookUp: a user's name, or nil where there is none; called on threads that it may hold.
  init(
    patience: Duration = UserNames.patience, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    lookUp: @escaping @Sendable (UInt32) -> String?
  ) {
    self.patience = patience
    self.now = now
    self.lookUp = lookUp
  }

  /// The user's name as far as it is known; else the uid in digits.
  func name(of uid: UInt32) -> String { state.withLock { $0.names[uid]?.name } ?? String(uid) }

  /// True if there is nothing to look up.
  func isKnown(_ uid: UInt32) -> Bool { state.withLock { isFresh($0.names[uid]) } }

  /// Looks a user up, where that was not done of late; returns when it is done or took too long.
  func learn(_ uid: UInt32) async {
    await withCheckedContinuation { continuation in
      let waiter = Waiter(continuation)
      let (waits, begins) = state.withLock { state -> (waits: Bool, begins: Bool) in
        if isFresh(state.names[uid]) { return (false, false) }
        let isLookedUp = state.waiting[uid] != nil
        guard isLookedUp || state.waiting.count < Self.lookupsMax else { return (false, false) }
        state.waiting[uid, default: []].append(waiter)
        return (true, !isLookedUp)
      }
      guard waits else { return waiter.end() }
      if begins, !Self.startThread({ [self] in found(lookUp(uid), of: uid) }) { return found(nil, of: uid) }
      waiter.expire(after: patience) { [self] in goOn(without: uid) }
    }
  }

  private func found(_ name: String?, of uid: UInt32) {
    let waiting = state.withLock { state in
      keep(name ?? String(uid), of: uid, seconds: Self.secondsMax, in: &state)
      return state.waiting.removeValue(forKey: uid) ?? []
    }
    for waiter in waiting { waiter.end() }
  }

  /// The directory takes too long: what was known of the user holds on, or the number.
  private func goOn(without uid: UInt32) {
    state.withLock { state in
      if isFresh(state.names[uid]) { return }
      keep(state.names[uid]?.name ?? String(uid), of: uid, seconds: Self.secondsUnanswered, in: &state)
    }
  }

  private func isFresh(_ known: CachedName?) -> Bool { known.map { now() < $0.until } ?? false }

  private func keep(_ name: String, of uid: UInt32, seconds: Int64, in state: inout State) {
    let now = now()
    if state.names.count >= Self.namesMax { state.names = state.names.filter { now < $0.value.until } }
    if state.names.count >= Self.namesMax { state.names.removeAll() }
    state.names[uid] = CachedName(name: name, until: now + .seconds(seconds))
  }

  /// - Returns: whether the system had a thread to give.
  private static func startThread(_ run: @escaping @Sendable () -> Void) -> Bool {
    let body = Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    if code == 0 { pthread_detach(thread) } else { body.release() }
    return code == 0
  }

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Somebody who waits: notified once, by the lookup or by the deadline.
  private final class Waiter: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>
    private let timer = Mutex<Task<Void, Never>?>(nil)

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

    func end() {
      guard let waiting = taken() else { return }
      timer.withLock { $0 }?.cancel()
      waiting.resume()
    }

    /// Gives up after a while, and says so before whoever waits goes on.
    func expire(after patience: Duration, _ late: @escaping @Sendable () -> Void) {
      let task = Task { [self] in
        do { try await Task.sleep(for: patience) } catch { return }
        guard let waiting = taken() else { return }
        late()
        waiting.resume()
      }
      timer.withLock { $0 = task }
      if continuation.withLock({ $0 == nil }) { task.cancel() }
    }

    private func taken() -> CheckedContinuation<Void, Never>? {
      continuation.withLock { continuation in
        defer { continuation = nil }
        return continuation
      }
    }
  }
}
