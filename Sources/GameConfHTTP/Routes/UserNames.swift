// A cache of user names for the audit log.

internal import Glibc
internal import Synchronization

/// A cache of the names of the host's users.
///
/// The user directory (NSS) may be slow or never answer. Each lookup therefore runs on its own thread, and callers get the cached name. No
/// function here blocks an event loop.
final class UserNames: Sendable {
  /// The maximum number of cached names.
  static let namesMax = 1_024
  /// The number of seconds after which a name is looked up again.
  static let secondsMax: Int64 = 300
  /// The number of seconds for which the uid is used as the name if the directory did not answer in time.
  static let secondsUnanswered: Int64 = 30
  /// The maximum number of simultaneous lookups, each on its own thread.
  static let lookupsMax = 8
  /// The maximum time that a change waits for its author's name.
  static let patience = Duration.seconds(1)

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
    /// The callers that wait for a lookup in progress, by uid.
    var waiting: [UInt32: [Waiter]] = [:]
  }

  private let lookUp: @Sendable (UInt32) -> String?
  private let patience: Duration
  private let now: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  /// - Parameters:
  ///   - now: The clock by which names expire.
  ///   - lookUp: Returns a user's name, or nil if the user has no name. It may block its thread.
  init(
    patience: Duration = UserNames.patience, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    lookUp: @escaping @Sendable (UInt32) -> String?
  ) {
    self.patience = patience
    self.now = now
    self.lookUp = lookUp
  }

  /// Returns the cached name of a user, or the uid as text if no name is cached.
  func name(of uid: UInt32) -> String { state.withLock { $0.names[uid]?.name } ?? String(uid) }

  /// True if the user's name is cached and has not expired.
  func isKnown(_ uid: UInt32) -> Bool { state.withLock { isFresh($0.names[uid]) } }

  /// Looks up a user's name unless it is cached or ``lookupsMax`` lookups are in progress. Returns after ``patience`` at the latest.
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

  /// Caches the expired name or the uid for a short time, because the directory takes too long.
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

  /// - Returns: True if the system could create the thread.
  private static func startThread(_ run: @escaping @Sendable () -> Void) -> Bool {
    let body = Unmanaged.passRetained(ThreadBody(run))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<ThreadBody>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    if code == 0 { pthread_detach(thread) } else { body.release() }
    return code == 0
  }

  private final class ThreadBody {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// A caller that waits for a lookup. It is resumed once: by the lookup or by its deadline.
  private final class Waiter: Sendable {
    private let continuation: Mutex<CheckedContinuation<Void, Never>?>
    private let timer = Mutex<Task<Void, Never>?>(nil)

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = Mutex(continuation) }

    func end() {
      guard let waiting = taken() else { return }
      timer.withLock { $0 }?.cancel()
      waiting.resume()
    }

    /// Resumes the caller after the deadline. Calls `late` before that, so that the caller finds a name in the cache.
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
