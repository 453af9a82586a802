// The limits of a scenario, and of the number of scenarios.

/// The named limits of scenarios.
public enum ScenarioLimits {
  /// The most scenarios that may be live in all.
  public static let liveMax = 32
  /// The number of them that one user may have begun.
  public static let livePerUserMax = 8
  /// The most things that one scenario may do: values, and for each player scores, a clock, a behaviour and each act at the store.
  public static let stepsMax = 1_000
  /// The most players that a scenario may prepare.
  public static let playersMax = 100
  /// The time for which a lease lasts unless asked otherwise: 60 s.
  public static let leaseSeconds: Int64 = 60
  /// The longest lease: 10 minutes.
  public static let leaseSecondsMax: Int64 = 600
  /// The longest time that a scenario lasts, however often its lease is renewed: a day.
  public static let secondsMax: Int64 = 86_400
  /// The longest title, in bytes of UTF-8.
  public static let titleBytesMax = 256
  /// The longest name of a player within a scenario, in bytes of UTF-8.
  public static let playerNameBytesMax = 128
  /// The number of slots, or players, that one transaction takes back.
  public static let takenBackAtOnceMax = 50
  /// The transactions in a row that take a scenario back. The rest waits for the next look, so that a stop is never held up.
  public static let endingStepsMax = 1_000
}
