// The types of a game's event stream.
public import GameConfCore

/// An event in a game's event stream, read from the player's history line.
public struct StreamEntry: Sendable, Hashable {
  /// The number of the history line, unique within an epoch of the store.
  public var number: Int64
  /// The player's id.
  public var player: String
  /// The host time of the write; nil for lines of older versions, which did not store it.
  public var recordedAt: Instant?
  /// The instant of the event by the player's clock.
  public var at: Instant
  /// The event, as a JSON object: `event`, `mode`, `score`, `reason`, `details`, …
  public var details: [UInt8]

  /// Creates an entry whose details are encoded already.
  public init(number: Int64, player: String, recordedAt: Instant?, at: Instant, details: [UInt8]) {
    self.number = number
    self.player = player
    self.recordedAt = recordedAt
    self.at = at
    self.details = details
  }

  /// Creates an entry from a stored history line.
  /// - Returns: nil if the line is not an event.
  public init?(number: Int64, player: String, recordedAt: Instant?, stored: UnsafeRawBufferPointer) {
    // HistoryEntry writes [INSTANT,"event",{…}]. The object is copied unparsed, because parsing would cost more than the rest of the read.
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

/// The part of a game's event stream that one read returns.
public struct StreamSlice: Sendable {
  /// The events, oldest first.
  public var events: [StreamEntry] = []
  /// The number of the last history line that was examined.
  public var reached: Int64
  /// True if no further history lines were stored when the slice was read.
  public var isAtEnd = false
  /// The number of the newest history line that is no longer in the streams. The stream begins after it.
  public var tail: Int64 = 0

  /// Creates a slice without events; the lines up to `reached` were examined.
  public init(reached: Int64) { self.reached = reached }
}

/// The limits of reading and following a game's event stream.
public enum StreamLimits {
  /// The most history lines that one read of a stream examines.
  public static let sliceLinesMax = 512
  /// The number of bytes of events after which one read of a stream ends.
  public static let sliceBytesMax = 256 << 10
  /// The timeout of one read of a stream.
  public static let deadlineMilliseconds = 2_000
  /// The most streams that are read at the same time.
  public static let readersMax = 64
}
