// The limits on the number, size and duration of scenarios.

/// The limits on the number, size and duration of scenarios.
public enum ScenarioLimits {
  /// The largest number of active scenarios in one database.
  public static let liveMax = 32
  /// The largest number of active scenarios that were begun by the same user.
  public static let livePerUserMax = 8
  /// The largest number of steps of a scenario. Each overridden value is a step. Each player's scores, clock, store behaviour, purchases
  /// and other store acts are steps too.
  public static let stepsMax = 1_000
  /// The largest number of players that a scenario may prepare.
  public static let playersMax = 100
  /// The default duration of a scenario's lease, after which the scenario ends unless its runner renews the lease: 60 s.
  public static let leaseSeconds: Int64 = 60
  /// The longest duration of a scenario's lease before its runner must renew it: 10 minutes.
  public static let leaseSecondsMax: Int64 = 600
  /// The longest duration of a scenario, even if its lease is renewed: one day.
  public static let secondsMax: Int64 = 86_400
  /// The size limit of a scenario's title, in bytes of UTF-8.
  public static let titleBytesMax = 256
  /// The size limit of a player's name within a scenario, in bytes of UTF-8.
  public static let playerNameBytesMax = 128
  /// The largest number of players that one transaction removes when a scenario ends. The limit also applies to the keys whose overrides it
  /// removes for the game, and to the pairs of player and key whose overrides it removes.
  public static let takenBackAtOnceMax = 50
  /// The largest number of consecutive transactions that end a scenario. The remaining ones run at the next check for due scenarios, so
  /// that they do not delay the daemon's shutdown.
  public static let endingStepsMax = 1_000
}
