// Rate limits of the writes and new players of one user of the host.
internal import Synchronization

/// The rate limits of one user's writes about players.
public struct WriteRateLimits: Sendable, Hashable {
  /// The most writes about players per second.
  public var writesPerSecond: Int
  /// The most players that a user may create per minute; 30 000 by default.
  public var unknownPlayersPerMinute: Int
  /// The most MiB per day by which a user's writes about players may grow the store. It is also the burst size.
  public var growthMebibytesPerDay: Int

  /// Creates limits; by default 20 000 writes per second, 30 000 new players per minute, 4 GiB per day.
  public init(writesPerSecond: Int = 20_000, unknownPlayersPerMinute: Int = 30_000, growthMebibytesPerDay: Int = 4_096) {
    self.writesPerSecond = writesPerSecond
    self.unknownPlayersPerMinute = unknownPlayersPerMinute
    self.growthMebibytesPerDay = growthMebibytesPerDay
  }
}

/// Limits the writes of each user with token buckets.
public final class WriteRateLimiter: Sendable {
  private static let usersMax = 1_024
  private static let dayMilliseconds: Int64 = 86_400_000

  /// A token bucket whose capacity is the limit. The level is counted in units: a token costs as many units as the limit's period has
  /// milliseconds, and each millisecond adds as many units as the limit has tokens. The arithmetic is therefore exact.
  private struct RateBucket {
    private let max: Int64
    private let periodMilliseconds: Int64
    private var level: Int64
    private(set) var filledAt: Int64

    /// True if the bucket is not full.
    var isBegun: Bool { level < max * periodMilliseconds }

    init(_ max: Int, eachMilliseconds periodMilliseconds: Int64, at now: Int64) {
      self.max = Int64(Swift.max(1, max))
      self.periodMilliseconds = periodMilliseconds
      level = self.max * periodMilliseconds
      filledAt = now
    }

    /// - Parameter count: The number of tokens; if it exceeds the capacity, a full bucket suffices.
    /// - Returns: nil if the tokens were available, otherwise the milliseconds until they are.
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

  private struct UserBuckets {
    var writes: RateBucket
    var unknownPlayers: RateBucket
    /// The bucket that limits by how many KiB per day the user's writes may grow the store. Bytes, multiplied by a day's milliseconds,
    /// might not fit into 64 bits.
    var growth: RateBucket
    /// The remaining bytes that ``growth`` has not counted yet, because they are less than a KiB.
    var growthRest = 0
  }

  /// The limits that apply to each user.
  public let limits: WriteRateLimits
  private let uptimeMilliseconds: @Sendable () -> Int64
  private let users = Mutex<[UInt32: UserBuckets]>([:])

  /// Creates rate limits on a clock.
  /// - Parameter uptimeMilliseconds: Milliseconds of a monotonic clock, which does not stop with simulated time.
  public init(_ limits: WriteRateLimits = WriteRateLimits(), uptimeMilliseconds: @escaping @Sendable () -> Int64) {
    self.limits = limits
    self.uptimeMilliseconds = uptimeMilliseconds
  }

  /// Counts a write, or a dry run, which takes as much of the writer's time.
  /// - Throws: `.tooManyWrites`.
  func countWrite(by uid: UInt32) throws(ChangeRefusal) {
    let wait = take(by: uid) { user, now in user.writes.take(at: now) }
    if let wait { throw .tooManyWrites(retryAfterSeconds: Self.seconds(wait)) }
  }

  /// Counts a player whom a user creates, against the user's limit per minute.
  /// - Throws: `.tooManyNewPlayers`.
  func countUnknownPlayer(by uid: UInt32) throws(ChangeRefusal) {
    let wait = take(by: uid) { user, now in user.unknownPlayers.take(at: now) }
    if let wait { throw .tooManyNewPlayers(retryAfterSeconds: Self.seconds(wait)) }
  }

  /// Counts the bytes by which a user's change grows the store, against the user's limit per day.
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

  private func take(by uid: UInt32, _ body: (inout UserBuckets, Int64) -> Int64?) -> Int64? {
    let now = uptimeMilliseconds()
    return users.withLock { users in
      if users[uid] == nil, users.count >= Self.usersMax {
        // Removes idle users from the full table. A user who has used some of the bytes allowed per day stays in the table for a day, so
        // that the daily limit holds.
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

  private func full(at now: Int64) -> UserBuckets {
    UserBuckets(
      writes: RateBucket(limits.writesPerSecond, eachMilliseconds: 1_000, at: now),
      unknownPlayers: RateBucket(limits.unknownPlayersPerMinute, eachMilliseconds: 60_000, at: now),
      growth: RateBucket(limits.growthMebibytesPerDay << 10, eachMilliseconds: Self.dayMilliseconds, at: now))
  }

  private static func seconds(_ milliseconds: Int64) -> Int { Int((milliseconds + 999) / 1000) }
}
