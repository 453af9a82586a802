// The limits on the writes and new players of one user of the host.
internal import Synchronization

/// The named limits of how fast one user may write about players.
public struct WriteRateLimits: Sendable, Hashable {
  /// The number of writes about players a second.
  public var writesPerSecond: Int
  /// The number of players a minute that were unknown before.
  public var unknownPlayersPerMinute: Int
  /// By how many MiB a day the store may grow with players; all at once too.
  public var growthMebibytesPerDay: Int

  /// 20 000 writes a second, 30 000 new players a minute, 4 GiB a day.
  public init(writesPerSecond: Int = 20_000, unknownPlayersPerMinute: Int = 30_000, growthMebibytesPerDay: Int = 4_096) {
    self.writesPerSecond = writesPerSecond
    self.unknownPlayersPerMinute = unknownPlayersPerMinute
    self.growthMebibytesPerDay = growthMebibytesPerDay
  }
}

/// Counts what each user writes: a bucket of tokens each that fills as time passes.
public final class WriteRates: Sendable {
  private static let usersMax = 1_024
  private static let dayMilliseconds: Int64 = 86_400_000

  /// A bucket that holds what a limit admits at once. A token is worth the limit's whole period, and each millisecond adds as much as the
  /// limit's number, so that nothing is ever rounded.
  private struct Bucket {
    private let max: Int64
    private let periodMilliseconds: Int64
    private var level: Int64
    private(set) var filledAt: Int64

    /// True if something was taken.
    var isBegun: Bool { level < max * periodMilliseconds }

    init(_ max: Int, eachMilliseconds periodMilliseconds: Int64, at now: Int64) {
      self.max = Int64(Swift.max(1, max))
      self.periodMilliseconds = periodMilliseconds
      level = self.max * periodMilliseconds
      filledAt = now
    }

    /// - Parameter count: how many tokens; more than the bucket holds are taken from a full one.
    /// - Returns: nil when they were there, else in how many milliseconds they will be.
    mutating func take(_ count: Int64 = 1, at now: Int64) -> Int64? {
      let passed = min(Swift.max(0, now - filledAt), periodMilliseconds)
      level = min(max * periodMilliseconds, level + max * passed)
      filledAt = now
      let price = min(count, max) * periodMilliseconds
      if level >= price {
        level -= price
        return nil
      }
      return (price - level + max - 1) / max
    }
  }

  private struct User {
    var writes: Bucket
    var unknownPlayers: Bucket
    /// In KiB, so that a day's milliseconds times all of it stay within 64 bits.
    var growth: Bucket
    /// Bytes that make no whole KiB yet.
    var growthRest = 0
  }

  /// The limits.
  public let limits: WriteRateLimits
  private let uptimeMilliseconds: @Sendable () -> Int64
  private let users = Mutex<[UInt32: User]>([:])

  /// Rates by a clock.
  /// - Parameter uptimeMilliseconds: milliseconds since any instant, which never go back and do not stand still with a simulated clock.
  public init(_ limits: WriteRateLimits = WriteRateLimits(), uptimeMilliseconds: @escaping @Sendable () -> Int64) {
    self.limits = limits
    self.uptimeMilliseconds = uptimeMilliseconds
  }

  /// Counts a write, or a dry run of one: it takes the writer's time all the same.
  /// - Throws: `.tooManyWrites`.
  func countWrite(by uid: UInt32) throws(ChangeRefusal) {
    let wait = take(by: uid) { user, now in user.writes.take(at: now) }
    if let wait { throw .tooManyWrites(retryAfterSeconds: Self.seconds(wait)) }
  }

  /// Counts a player that was unknown before.
  /// - Throws: `.tooManyNewPlayers`.
  func countUnknownPlayer(by uid: UInt32) throws(ChangeRefusal) {
    let wait = take(by: uid) { user, now in user.unknownPlayers.take(at: now) }
    if let wait { throw .tooManyNewPlayers(retryAfterSeconds: Self.seconds(wait)) }
  }

  /// Counts by how much a change lets the store grow.
  /// - Throws: `.tooMuchGrowth`.
  func countGrowth(bytes: Int, by uid: UInt32) throws(ChangeRefusal) {
    let wait = take(by: uid) { user, now in
      let (kibibytes, rest) = (user.growthRest + bytes).quotientAndRemainder(dividingBy: 1_024)
      if kibibytes > 0, let wait = user.growth.take(Int64(kibibytes), at: now) { return wait }
      user.growthRest = rest
      return nil
    }
    if let wait { throw .tooMuchGrowth(retryAfterSeconds: Self.seconds(wait)) }
  }

  private func take(by uid: UInt32, _ body: (inout User, Int64) -> Int64?) -> Int64? {
    let now = uptimeMilliseconds()
    return users.withLock { users in
      if users[uid] == nil, users.count >= Self.usersMax {
        // One who has used up a part of the day's growth is known for the day.
        users = users.filter { _, user in
          now - user.writes.filledAt < 60_000 || user.growth.isBegun && now - user.growth.filledAt < Self.dayMilliseconds
        }
      }
      var user = users[uid] ?? full(at: now)
      let wait = body(&user, now)
      users[uid] = user
      return wait
    }
  }

  private func full(at now: Int64) -> User {
    User(
      writes: Bucket(limits.writesPerSecond, eachMilliseconds: 1_000, at: now),
      unknownPlayers: Bucket(limits.unknownPlayersPerMinute, eachMilliseconds: 60_000, at: now),
      growth: Bucket(limits.growthMebibytesPerDay << 10, eachMilliseconds: Self.dayMilliseconds, at: now))
  }

  private static func seconds(_ milliseconds: Int64) -> Int { Int((milliseconds + 999) / 1000) }
}
