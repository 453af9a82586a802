// The conversion between a game's simulated time and the host's.
public import GameConfCore

extension GameSnapshot {
  /// Returns the game's simulated time at an instant of the host's clock: the time for rules, daily hashes, gates, ads and purchases.
  public func now(host: Instant) -> Instant { clock.now(host: host) }

  /// Returns the host's first instant at which the game's simulated time reaches an instant; nil if it never does with the present clock.
  ///
  /// A response that is valid until a simulated instant can be cached until the returned instant of the host's clock.
  public func host(at simulated: Instant) -> Instant? { clock.host(at: simulated) }
}
