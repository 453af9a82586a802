// The message of a program that ends before it serves: an entry with its level in the journal, plain text for people.

public import Logging

/// A message of a start or a check.
///
/// A service's standard error reaches the journal at priority 6, where `journalctl -p warning` does not show it. So that the reason of a
/// refused start is seen, it goes to the journal as an entry of its own.
public enum ServiceMessage {
  /// Writes a message.
  /// - Parameters:
  ///   - plain: the line for standard error where no journal listens; it may be another program's text.
  ///   - identifier: the name of the program that the journal shows.
  public static func write(
    _ message: String, at level: Logger.Level, plain: String, identifier: String, id: MessageID? = nil
  ) {
    let destination = LogDestination.current()
    if destination == .standardError { return StandardErrorLine(plain: plain).write() }
    let logger = Logger(label: identifier) { _ in JournalLogHandler(destination, identifier: identifier) { _ in "" } }
    logger.log(level: level, "\(message)", metadata: id.map { .fields($0) })
  }
}
