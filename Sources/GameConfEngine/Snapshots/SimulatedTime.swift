// A game's simulated time, kept apart from the host's.
public import GameConfCore

extension GameSnapshot {
  /// The game's simulated time at an instant of the host's clock: what rules, daily hashes, gates, ads and purchases go by.
  public func now(host: Instant) -> Instant { clock.now(host: host) }

  /// The host's first instant at which the game's simulated time is this one or later; nil when it never will be as the clock is set.
  ///
  /// An answer that holds until a simulated instant is kept until this one by the host.
  public func host(at simulated: Instant) -> Instant? { clock.host(at: simulated) }
}
