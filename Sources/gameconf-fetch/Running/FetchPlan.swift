// Decides when a source is read next: after its interval, later and later while it fails, immediately where somebody asks and the game lets it.

/// The plan of one source. Times are milliseconds of a clock that never steps.
struct FetchPlan: Hashable {
  private let interval: Int64
  /// The number of failures in a row.
  private(set) var failures = 0
  /// The time when it is read next.
  private(set) var due: Int64
  private var started: Int64?
  /// The server asked to be left alone until then.
  private var notBefore = Int64.min

  /// A share of an interval by which readers of the same source are spread: a tenth either way.
  private static let spread = 0.1
  /// The first pause after a failure is this part of the interval, and at least a second.
  private static let firstPart: Int64 = 30
  private static let firstMillisecondsMin: Int64 = 1_000
  /// The longest pause before the first read.
  private static let startMillisecondsMax = 10_000.0

  /// The first read comes at once, but for a little chance.
  /// - Parameter random: from 0 up to 1.
  init(interval: Int64, now: Int64, random: Double) {
    self.interval = interval
    due = now + Int64(min(Double(interval) * Self.spread, Self.startMillisecondsMax) * random)
  }

  /// It is being read.
  mutating func start(_ now: Int64) { started = now }

  /// It was taken, or has not changed.
  mutating func succeed(_ now: Int64, random: Double) {
    failures = 0
    notBefore = .min
    due = now + Self.spread(interval, random)
  }

  /// It could not be taken.
  /// - Parameter retryAfter: how long the server asked to be left alone, in milliseconds.
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

  /// Somebody asks for it now.
  /// - Parameter least: how long after the last read the game lets it be read again, in milliseconds.
  mutating func ask(_ now: Int64, least: Int64) {
    let allowed = started.map { $0 + max(0, least) } ?? now
    due = min(due, max(now, allowed, notBefore))
  }

  private static func spread(_ length: Int64, _ random: Double) -> Int64 {
    Int64(Double(length) * (1 - spread + 2 * spread * random))
  }
}
