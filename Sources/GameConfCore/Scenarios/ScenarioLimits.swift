// The limits on the number, size and duration of scenarios.

/// The limits on the number, size and duration of scenarios.
public enum ScenarioLimits {
  /// The largest number of active scenarios.
  public static let liveMax = 32
  /// The largest number of active scenarios that one user began.
  public static let livePerUserMax = 8
  /// The largest number of steps of a scenario. Each value counts, and for each player the scores, the clock, the store behaviour and each
  /// purchase action.
  public static let stepsMax = 1_000
  /// The largest number of players that a scenario may prepare.
  public static let playersMax = 100
  /// The default duration of a lease: 60 s.
  public static let leaseSeconds: Int64 = 60
  /// The longest duration of a lease: 10 minutes.
  public static let leaseSecondsMax: Int64 = 600
  /// The longest duration of a scenario, however often its lease is renewed: one day.
  public static let secondsMax: Int64 = 86_400
  /// The size limit of a title, in bytes of UTF-8.
  public static let titleBytesMax = 256
  /// The size limit of a player's name within a scenario, in bytes of UTF-8.
  public static let playerNameBytesMax = 128
  /// The largest number of slots, or of players, that one transaction rolls back.
  public static let takenBackAtOnceMax = 50
  /// The largest number of consecutive transactions for ending a scenario. The rest waits for the next check, so that the daemon's shutdown
  /// is not delayed.
  public static let endingStepsMax = 1_000
}
