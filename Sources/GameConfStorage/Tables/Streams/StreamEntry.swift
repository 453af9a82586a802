// The stream of a game's events, as it is read.
public import GameConfCore

/// A line of a game's stream.
public struct StreamEntry: Sendable, Hashable {
  /// The line's number, never given twice in an epoch.
  public var number: Int64
  /// The player's id.
  public var player: String
  /// The instant when it was written, by the host's clock; nil for lines from before that was kept.
  public var recordedAt: Instant?
  /// The instant when it was written, in the player's time.
  public var at: Instant
  /// The event, as a JSON object: `event`, `mode`, `score`, `reason`, `details`, …
  public var details: [UInt8]

  /// A line.
  public init(number: Int64, player: String, recordedAt: Instant?, at: Instant, details: [UInt8]) {
    self.number = number
    self.player = player
    self.recordedAt = recordedAt
    self.at = at
    self.details = details
  }

  /// The line of a history's entry.
  /// - Returns: nil when the entry is no event's.
  public init?(number: Int64, player: String, recordedAt: Instant?, stored: UnsafeRawBufferPointer) {
    // As HistoryEntry writes it: [INSTANT,"event",{…}]. It goes on as it is: reading it would cost more than all the rest.
    guard let comma = stored.firstIndex(of: UInt8(ascii: ",")), comma > 1,
      let at = Int64(String(decoding: stored[1..<comma], as: UTF8.self)).flatMap(Instant.init(stored:)),
      stored[comma...].starts(with: Self.marker), stored.count > comma + Self.marker.count + 1
    else { return nil }
    self.init(
      number: number, player: player, recordedAt: recordedAt, at: at,
      details: Array(stored[(comma + Self.marker.count)..<(stored.count - 1)]))
  }

  private static let marker = Array(#","event","#.utf8)
}

/// A part of a game's stream.
public struct StreamSlice: Sendable {
  /// Its events, the oldest first.
  public var events: [StreamEntry] = []
  /// The number up to which lines were looked at.
  public var reached: Int64
  /// True if there was nothing more.
  public var isAtEnd = false
  /// The number of the newest line that is kept no longer.
  public var tail: Int64 = 0

  /// An empty one.
  public init(reached: Int64) { self.reached = reached }
}

/// The limits of reading and following a stream.
public enum StreamLimits {
  /// The number of lines that are looked at in one read.
  public static let sliceLinesMax = 512
  /// After how many bytes of events a slice ends.
  public static let sliceBytesMax = 256 << 10
  /// The longest time that a read may take.
  public static let deadlineMilliseconds = 2_000
  /// The number of streams that are read at once.
  public static let readersMax = 64
}
