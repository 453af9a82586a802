// Schedules the next fetch of a source: after its interval, with exponential backoff after failures, or immediately on request.

/// The fetch schedule of one source. Times are milliseconds of a monotonic clock.
struct FetchPlan: Hashable {
  private let interval: Int64
  /// The number of failed fetches since the last success.
  private(set) var failures = 0
  /// The time of the next fetch, in milliseconds of the monotonic clock.
  private(set) var due: Int64
  private var started: Int64?
  /// The time before which the server does not want another request (Retry-After).
  private var notBefore = Int64.min

  /// The random deviation (jitter) as a fraction of the interval, in both directions, so that several hosts do not fetch at the same time.
  private static let spread = 0.1
  /// The pause after a first failure is the interval divided by this number, and at least one second.
  private static let firstPart: Int64 = 30
  private static let firstMillisecondsMin: Int64 = 1_000
  /// The longest random pause before the first fetch, in milliseconds.
  private static let startMillisecondsMax = 10_000.0

  /// Schedules the first fetch after a short random pause.
  /// - Parameter random: A random number in 0..<1 that sets the pause.
  init(interval: Int64, now: Int64, random: Double) {
    self.interval = interval
    due = now + Int64(min(Double(interval) * Self.spread, Self.startMillisecondsMax) * random)
  }

  /// Records the time at which a fetch starts.
  mutating func start(_ now: Int64) { started = now }

  /// Schedules the next fetch after a successful one, whether or not the template had changed.
  mutating func succeed(_ now: Int64, random: Double) {
    failures = 0
    notBefore = .min
    due = now + Self.spread(interval, random)
  }

  /// Schedules the next fetch after a failed one, with exponential backoff.
  /// - Parameter retryAfter: The pause that the server requested, in milliseconds.
  mutating func fail(_ now: Int64, retryAfter: Int64?, random: Double) {
    failures += 1
    let first = max(interval / Self.firstPart, min(interval, Self.firstMillisecondsMin))
    let pause = min(interval, first << min(Int64(failures - 1), 20))
    due = now + Self.spread(pause, random)
    notBefore = .min
    guard let retryAfter, retryAfter > 0 else { return }
    notBefore = now + min(retryAfter, FetchLimits.retryAfterMillisecondsMax)
    due = max(due, notBefore)
  }

  /// Schedules a fetch that an admin requested, as soon as `least` and the server's `Retry-After` allow.
  /// - Parameter least: The least time since the last fetch, in milliseconds.
  mutating func request(_ now: Int64, least: Int64) {
    let allowed = started.map { $0 + max(0, least) } ?? now
    due = min(due, max(now, allowed, notBefore))
  }

  private static func spread(_ length: Int64, _ random: Double) -> Int64 {
    Int64(Double(length) * (1 - spread + 2 * spread * random))
  }
}
