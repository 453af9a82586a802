// A message of a program that exits before it serves: a journal entry with its level, or plain text on a terminal.

public import Logging

/// Writes the result of a start or of a configuration check.
///
/// The journal gives a service's standard error priority 6, which `journalctl -p warning` hides. The message is therefore an entry of its
/// own with its real level, so that an operator sees why a start was refused.
public enum ServiceMessage {
  /// Writes a message to the journal, or `plain` to standard error if there is no journal.
  /// - Parameters:
  ///   - plain: The text for standard error; it may come from another program.
  ///   - identifier: The program's name in the journal.
  public static func write(
    _ message: String, at level: Logger.Level, plain: String, identifier: String, id: MessageID? = nil
  ) {
    let destination = LogDestination.current()
    if destination == .standardError { return StandardErrorLine(plain: plain).write() }
    let logger = Logger(label: identifier) { _ in JournalLogHandler(destination, identifier: identifier) { _ in "" } }
    logger.log(level: level, "\(message)", metadata: id.map { .fields($0) })
  }
}
