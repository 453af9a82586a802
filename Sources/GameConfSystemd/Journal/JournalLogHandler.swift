// The daemon's log handler: fields for systemd's journal, lines where there is none.

public import Logging

/// A log handler for the journal: metadata of ``LogField`` becomes fields, so that `journalctl GAME=dartsscore` finds them.
///
/// The visible message carries the metadata too, since `journalctl` shows only that. Where the journal does not listen, and for an entry
/// that it refuses, a line goes to standard error.
public struct JournalLogHandler: LogHandler {
  /// The metadata that this logger adds to every entry.
  public var metadata: Logger.Metadata = [:]
  /// Adds what is known where an entry is made; the logger's own metadata wins.
  public var metadataProvider: Logger.MetadataProvider?
  /// The least level that is written.
  public var logLevel: Logger.Level

  private let hashPlayer: @Sendable (String) -> String
  private let write: @Sendable (LogRecord) -> Void

  /// A handler that writes to a destination.
  ///
  /// - Parameters:
  ///   - identifier: `SYSLOG_IDENTIFIER`, the name `journalctl` shows.
  ///   - hashPlayer: what stands in the log for a player's id.
  public init(
    _ destination: LogDestination = .current(), identifier: String, level: Logger.Level = .info,
    hashPlayer: @escaping @Sendable (String) -> String
  ) {
    self.init(level: level, hashPlayer: hashPlayer) { record in
      switch destination {
      case .journal:
        if !JournalEntry(record, identifier: identifier).send() { StandardErrorLine(record, .prefixed).write() }
      case .journalStream: StandardErrorLine(record, .prefixed).write()
      case .standardError: StandardErrorLine(record, .timed(.now)).write()
      }
    }
  }

  init(
    level: Logger.Level, hashPlayer: @escaping @Sendable (String) -> String, write: @escaping @Sendable (LogRecord) -> Void
  ) {
    self.logLevel = level
    self.hashPlayer = hashPlayer
    self.write = write
  }

  /// One key of the metadata that this logger adds to every entry.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes an entry.
  public func log(event: LogEvent) {
    write(LogRecord(event, standing: [metadataProvider?.get() ?? [:], metadata], hashPlayer: hashPlayer))
  }
}
