// One log entry with everything that is known of it, ready to be written to the journal or to a terminal.

import Logging

/// A log entry: its metadata merged, players hashed, texts bounded.
struct LogRecord: Sendable {
  /// A message is cut to this many bytes of UTF-8.
  static let messageBytesMax = 16_384
  /// A metadata value is cut to this many bytes of UTF-8.
  static let valueBytesMax = 1_024
  /// Metadata beyond this many keys is left out.
  static let keysMax = 32

  let level: Logger.Level
  let message: String
  /// In order of the keys.
  let metadata: [(key: String, value: String)]
  let file: String
  let function: String
  let line: UInt

  /// - Parameter standing: what a logger adds to every entry, weakest first; the event's own metadata wins.
  init(_ event: LogEvent, standing: [Logger.Metadata], hashPlayer: (String) -> String) {
    var merged = standing.reduce(into: Logger.Metadata()) { $0.merge($1) { _, later in later } }
    merged.merge(event.metadata ?? [:]) { _, later in later }
    if let error = event.error, merged["error"] == nil { merged["error"] = "\(error)" }
    level = event.level
    message = event.message.description.cut(toBytes: Self.messageBytesMax)
    metadata = merged.sorted { $0.key < $1.key }.prefix(Self.keysMax).map { key, value in
      let text = value.description
      return (key, key == LogField.player.rawValue ? hashPlayer(text) : text.cut(toBytes: Self.valueBytesMax))
    }
    file = event.file
    function = event.function
    line = event.line
  }

  /// The message with its metadata in brackets; the message's identifier is for machines and left out.
  var text: String {
    let shown = metadata.filter { $0.key != LogField.messageID.rawValue }.map { "\($0.key)=\($0.value)" }
    return shown.isEmpty ? message : "\(message) [\(shown.joined(separator: " "))]"
  }
}

extension String {
  /// The longest beginning that fits, without half a character's bytes at its end.
  func cut(toBytes bytesMax: Int) -> String {
    guard utf8.count > bytesMax else { return self }
    var bytes = Array(utf8.prefix(bytesMax + 1))
    // The byte that no longer fits, and with it the rest of a character that it continues.
    while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    return String(decoding: bytes, as: UTF8.self)
  }
}
