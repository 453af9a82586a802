// The limits on the data that is stored about one player.

/// The limits on all data of a player that a client can make grow.
public enum PlayerLimits {
  /// The number of most recent history entries that are stored.
  public static let historyEntriesMax = 200
  /// The number of event types whose entries are linked as a list by type. Beyond it, the type whose last entry is oldest is dropped.
  public static let eventChainsMax = 32
  /// The number of most recent request ids that are stored.
  public static let rememberedMax = 64
  /// The size limit of a request id, in bytes of UTF-8.
  public static let requestIDBytesMax = 128
  /// The number of client queues that are stored; the least recently used one is evicted.
  public static let sequenceClientsMax = 8
  /// The size of the sliding window of sequence numbers for each client's queue.
  public static let sequenceWindow: Int64 = 256
  /// The largest sequence number, 2⁵³ − 1, which every JSON decoder represents exactly.
  public static let sequenceNumberMax: Int64 = 9_007_199_254_740_991
  /// The largest number of events in one request.
  public static let listedEventsMax = 256
  /// The number of events of a list that are recorded in one transaction.
  public static let transactionEventsMax = 32
  /// The size limit of an event's details and context together, in bytes of JSON.
  public static let eventBytesMax = 16 << 10
  /// The number of bests that are stored, over all event types.
  public static let bestsMax = 10_000
  /// The size limit of a best's key, in bytes of UTF-8.
  public static let bestDetailBytesMax = 256
  /// The silence in seconds after which the next event begins a new visit.
  public static let silenceSeconds: Int64 = 1_800
  /// The age limit of a late event in seconds: one week.
  public static let lateSecondsMax: Int64 = 604_800
  /// The time in seconds by which an event may be ahead of the daemon's clock. It is then dated to the present.
  public static let aheadSecondsMax: Int64 = 60
  /// The number of stored counters, by event type and by event type and mode.
  public static let countersMax = 2_048
  /// The number of modes for which a best score is stored.
  public static let bestScoresMax = 256
  /// The number of unlocked milestones that are stored. Those that the catalog no longer declares are dropped first.
  public static let milestonesMax = 2_048
  /// The number of settings that are stored.
  public static let settingsMax = 1_024
  /// The size limit of all settings together, in bytes of JSON.
  public static let settingsBytesMax = 64 << 10
  /// The size limit of a registered context, in bytes of JSON.
  public static let contextBytesMax = 8 << 10
  /// The number of placements with counters. Those that the catalog no longer declares are dropped first.
  public static let placementsMax = 256
  /// The number of ads that are stored for each placement's rolling caps. A higher cap has the effect of this number.
  public static let showsMax = 256
  /// The number of most recent ad decisions that can be reported on.
  public static let decisionsMax = 64
  /// The time in seconds for which an ad decision can be reported on.
  public static let reportSecondsMax: Int64 = 3_600
}
