// One log entry with its merged metadata, ready to be written to the journal or to a terminal.

import Logging

/// A log entry with its metadata merged, players' ids hashed, and texts cut to their limits.
struct LogRecord: Sendable {
  /// The maximum bytes of a message in UTF-8; a longer one is cut.
  static let messageBytesMax = 16_384
  /// The maximum bytes of a metadata value in UTF-8; a longer one is cut.
  static let valueBytesMax = 1_024
  /// The maximum number of metadata keys. Further keys in alphabetical order are dropped.
  static let keysMax = 32

  let level: Logger.Level
  let message: String
  /// The metadata, sorted by key.
  let metadata: [(key: String, value: String)]
  let file: String
  let function: String
  let line: UInt

  /// - Parameter standing: The metadata that a logger adds to every entry; later elements win. The event's own metadata wins over all.
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

  /// The message, followed by its metadata in brackets. It omits the message id, which is for programs.
  var text: String {
    let shown = metadata.filter { $0.key != LogField.messageID.rawValue }.map { "\($0.key)=\($0.value)" }
    return shown.isEmpty ? message : "\(message) [\(shown.joined(separator: " "))]"
  }
}

extension String {
  /// Returns the longest prefix of at most `bytesMax` bytes of UTF-8 that ends at a whole character.
  func cut(toBytes bytesMax: Int) -> String {
    guard utf8.count > bytesMax else { return self }
    var bytes = Array(utf8.prefix(bytesMax + 1))
    // Removes the first byte over the limit and, if it is a UTF-8 continuation byte, the rest of its character.
    while let last = bytes.popLast(), last & 0xC0 == 0x80 {}
    return String(decoding: bytes, as: UTF8.self)
  }
}
