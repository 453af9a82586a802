// Evaluates percentage rollouts: the share of players at an instant, a player's membership in it, and the instant at which that changes.

extension Percent {
  /// The number of buckets into which the players are divided by a hash. One bucket is a millionth of a percent.
  public static let bucketCount: Int64 = 100_000_000

  /// Returns a player's bucket, from 0 to 10⁸ − 1: murmur3_x86_32(deterministic CBOR of `[seed, targetingKey]`, seed 0) × 10⁸ >> 32. Does
  /// not allocate memory.
  public static func bucket(seed: String, targetingKey: String) -> Int64 { PercentSeed(seed).bucket(targetingKey: targetingKey) }

  /// Returns the number of buckets that the rollout includes at an instant. While the percentage changes over time, the number is
  /// interpolated linearly.
  public func share(at now: Instant) -> Int64 {
    guard let progress else { return from }
    if now <= progress.start { return now == progress.start && progress.end <= progress.start ? progress.to : from }
    if now >= progress.end { return progress.to }
    let passed = Int128(now.milliseconds) - Int128(progress.start.milliseconds)
    let whole = Int128(progress.end.milliseconds) - Int128(progress.start.milliseconds)
    return from + Int64(truncatingIfNeeded: Self.floorDivided((Int128(progress.to) - Int128(from)) * passed, by: whole))
  }

  /// True if the rollout includes a player at an instant.
  /// - Parameter key: The parameter's key, which is the seed of the hash if the percentage has no seed.
  public func contains(key: String, targetingKey: String, now: Instant) -> Bool {
    Self.bucket(seed: seed ?? key, targetingKey: targetingKey) < share(at: now)
  }

  /// Returns the instant at which a percentage that changes over time will start or stop including the players of a bucket. Returns nil if
  /// neither will happen.
  public func nextChange(bucket: Int64, now: Instant) -> Instant? {
    guard let progress, now < progress.end, (bucket < share(at: now)) != (bucket < progress.to) else { return nil }
    let whole = Int128(progress.end.milliseconds) - Int128(progress.start.milliseconds)
    let step = Int128(progress.to) - Int128(from)
    guard whole > 0, step != 0 else { return progress.end }
    let passed =
      step > 0
      ? Self.ceilingDivided((Int128(bucket) + 1 - Int128(from)) * whole, by: step)
      : Self.floorDivided((Int128(from) - Int128(bucket) - 1) * whole, by: -step) + 1
    let crossing = Int128(progress.start.milliseconds) + passed
    return min(progress.end, Instant(milliseconds: Int64(clamping: max(crossing, Int128(now.milliseconds) + 1))))
  }

  private static func floorDivided(_ number: Int128, by divisor: Int128) -> Int128 {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  private static func ceilingDivided(_ number: Int128, by divisor: Int128) -> Int128 {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder > 0 ? quotient + 1 : quotient
  }
}

/// The state of the bucket's hash after the seed. It is computed once, so that for each request only the player's id is hashed.
struct PercentSeed: Sendable {
  private let prefix: Murmur3

  init(_ seed: String) {
    var hash = Murmur3()
    CBOR.encodeListHead(count: 2, into: &hash)
    CBOR.encode(seed, into: &hash)
    prefix = hash
  }

  func bucket(targetingKey: String) -> Int64 {
    var hash = prefix
    CBOR.encode(targetingKey, into: &hash)
    return Int64((UInt64(hash.value) &* UInt64(Percent.bucketCount)) >> 32)
  }
}
