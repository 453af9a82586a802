// The daemon's log handler. It writes fields to systemd's journal, or lines to standard error without a journal.

public import Logging

/// A log handler that writes each metadata key of ``LogField`` as a journal field, so that `journalctl GAME=dartsscore` finds the entry.
///
/// The message repeats the metadata, because `journalctl` shows only the message by default. An entry goes to standard error if there is
/// no journal, or if the journal refuses it.
public struct JournalLogHandler: LogHandler {
  /// The metadata that this logger adds to every entry.
  public var metadata: Logger.Metadata = [:]
  /// Supplies metadata from the place where an entry is logged; the logger's own metadata wins over it.
  public var metadataProvider: Logger.MetadataProvider?
  /// The lowest level of entries that are written; `.info` by default.
  public var logLevel: Logger.Level

  private let hashPlayer: @Sendable (String) -> String
  private let write: @Sendable (LogRecord) -> Void

  /// Creates a handler that writes to a destination.
  ///
  /// - Parameters:
  ///   - identifier: `SYSLOG_IDENTIFIER`, the program's name in the output of `journalctl`.
  ///   - hashPlayer: Returns the text that the log shows instead of a player's id.
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

  /// Writes an entry to the journal, or to standard error if there is no journal or it refuses the entry. Metadata of the event wins over
  /// all other.
  public func log(event: LogEvent) {
    write(LogRecord(event, standing: [metadataProvider?.get() ?? [:], metadata], hashPlayer: hashPlayer))
  }
}
