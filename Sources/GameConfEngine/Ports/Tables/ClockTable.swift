// The table of games' simulated clocks.
public import GameConfCore

/// Reads games' clocks.
public protocol ClockReading {
  /// The game's clock; the host's own unless it was ever set.
  func clock(ofGame game: String) throws(StoreError) -> SimulatedClock
  /// The clock of every game that was ever set.
  func clocks() throws(StoreError) -> [String: SimulatedClock]
}

/// Sets games' clocks.
public protocol ClockWriting: ClockReading {
  /// Replaces the game's clock.
  func put(_ clock: SimulatedClock, ofGame game: String) throws(StoreError)
}
