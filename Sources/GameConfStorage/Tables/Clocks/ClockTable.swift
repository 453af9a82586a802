// The table of games' simulated clocks.
public import GameConfCore

/// Reads games' clocks.
public protocol ClockReading {
  /// The game's clock; the host's own unless it was ever set.
  func clock(ofGame game: String) throws(StoreError) -> SimulatedClock
  /// The clock of every game that was ever set.
  func clocks() throws(StoreError) -> [String: SimulatedClock]
  /// The latest instant that the host's clock showed when something was written; nil when that is not known.
  func hostSeen() throws(StoreError) -> Instant?
}

/// Sets games' clocks.
public protocol ClockWriting: ClockReading {
  /// Replaces the game's clock, and publishes ``StoreChange/clock(game:_:)``.
  func put(_ clock: SimulatedClock, ofGame game: String) throws(StoreError)
  /// Notes what the host's clock shows, so that a step back is noticed after a restart too; nil forgets it.
  func see(host: Instant?) throws(StoreError)
}
