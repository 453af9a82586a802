// The limits on the data that is stored about one player.

/// The limits on all data of a player that a client can make grow.
public enum PlayerLimits {
  /// The number of a player's newest history entries that the store retains.
  public static let historyEntriesMax = 200
  /// The number of event types whose history entries are linked as a list of that type. If one more is needed, the list whose newest entry
  /// is oldest is dropped.
  public static let eventChainsMax = 32
  /// The number of a player's newest request ids that are stored to recognize repeated requests.
  public static let rememberedMax = 64
  /// The size limit of a request id, in bytes of UTF-8.
  public static let requestIDBytesMax = 128
  /// The number of client queues that are stored for a player; the least recently used one is evicted.
  public static let sequenceClientsMax = 8
  /// The size of the sliding window of sequence numbers that is stored for each client's queue.
  public static let sequenceWindow: Int64 = 256
  /// The largest sequence number of a request, 2⁵³ − 1, which every JSON decoder represents exactly.
  public static let sequenceNumberMax: Int64 = 9_007_199_254_740_991
  /// The largest number of events that one request may send.
  public static let listedEventsMax = 256
  /// The number of events of one request that are recorded in one transaction of the database.
  public static let transactionEventsMax = 32
  /// The size limit of an event's details and context together, in bytes of JSON.
  public static let eventBytesMax = 16 << 10
  /// The number of a player's bests that are stored, over all event types.
  public static let bestsMax = 10_000
  /// The size limit of a best's key, in bytes of UTF-8.
  public static let bestDetailBytesMax = 256
  /// The time in seconds without an event after which the next event begins a new visit.
  public static let silenceSeconds: Int64 = 1_800
  /// The age limit in seconds of an event that is sent late: one week.
  public static let lateSecondsMax: Int64 = 604_800
  /// The time in seconds by which an event may be ahead of the daemon's clock. Such an event is recorded with the present as its time.
  public static let aheadSecondsMax: Int64 = 60
  /// The number of a player's event counters: one for each event type, and one for each event type in each mode.
  public static let countersMax = 2_048
  /// The number of game modes for which a player's best score is stored.
  public static let bestScoresMax = 256
  /// The number of a player's unlocked milestones that are stored. Milestones that the catalog no longer declares are dropped first.
  public static let milestonesMax = 2_048
  /// The number of a player's own choices of settings that are stored.
  public static let settingsMax = 1_024
  /// The size limit of all of a player's settings together, in bytes of UTF-8 for the keys and of JSON for the values.
  public static let settingsBytesMax = 64 << 10
  /// The size limit of a player's registered context, in bytes of JSON.
  public static let contextBytesMax = 8 << 10
  /// The number of placements for which a player's ad counters are stored. Beyond it, placements that the catalog no longer declares are
  /// dropped.
  public static let placementsMax = 256
  /// The number of ads that are stored for the rolling caps of a placement. A cap above this number is treated as this number.
  public static let showsMax = 256
  /// The number of a player's newest ad decisions that are stored, so that the game can report on their ads.
  public static let decisionsMax = 64
  /// The time in seconds after an ad decision within which the game can report on the ad.
  public static let reportSecondsMax: Int64 = 3_600
}
