// The limits of what is kept of a player, and for how long.

/// The named limits of what a player can make grow.
public enum PlayerLimits {
  /// The number of a player's newest history entries that are kept.
  public static let historyEntriesMax = 200
  /// The number of events whose newest lines of a player are linked to each other; the event whose newest line is the oldest is left out first.
  public static let eventChainsMax = 32
  /// The number of a player's newest request ids that are stored.
  public static let rememberedMax = 64
  /// The longest request id, in bytes of UTF-8.
  public static let requestIDBytesMax = 128
  /// The number of clients' queues that are known of a player; the one that was used least recently is pushed out.
  public static let sequenceClientsMax = 8
  /// Of how many numbers of a client's queue, counted down from the highest, it is known which are done.
  public static let sequenceWindow: Int64 = 256
  /// The greatest number in a client's queue: what every JSON reader takes exactly.
  public static let sequenceNumberMax: Int64 = 9_007_199_254_740_991
  /// The most events that a list may have.
  public static let listedEventsMax = 256
  /// The number of events of a list that are recorded in one transaction.
  public static let transactionEventsMax = 32
  /// The most bytes of JSON the details and the context of an event may take together.
  public static let eventBytesMax = 16 << 10
  /// The number of bests that are kept, over all events.
  public static let bestsMax = 10_000
  /// The most bytes that the key of a best may have.
  public static let bestDetailBytesMax = 256
  /// After so many seconds without an event, the next one opens a visit.
  public static let silenceSeconds: Int64 = 1_800
  /// The longest time ago that a late event may have occurred: a week.
  public static let lateSecondsMax: Int64 = 604_800
  /// The longest time by which an event may say it occurred ahead of the daemon's clock; it counts as now.
  public static let aheadSecondsMax: Int64 = 60
  /// The number of counters of events, and of events by mode, that are kept.
  public static let countersMax = 2_048
  /// The number of modes that have a best score.
  public static let bestScoresMax = 256
  /// The number of unlocked milestones that are kept; those the catalog no longer has are let go first.
  public static let milestonesMax = 2_048
  /// The number of settings that are kept.
  public static let settingsMax = 1_024
  /// The most bytes of JSON a player's settings may take together.
  public static let settingsBytesMax = 64 << 10
  /// The most bytes of JSON a registered context may take.
  public static let contextBytesMax = 8 << 10
  /// The number of placements that have a counter of their own; those the catalog no longer has are let go first.
  public static let placementsMax = 256
  /// The number of shows that a placement remembers for its rolling caps; a cap never admits more than this.
  public static let showsMax = 256
  /// The number of ad decisions that can be reported on.
  public static let decisionsMax = 64
  /// The time for which an ad decision can be reported on.
  public static let reportSecondsMax: Int64 = 3_600
}
