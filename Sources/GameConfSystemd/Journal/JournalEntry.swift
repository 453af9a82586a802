// A log entry in journald's native protocol: named fields, sent in one datagram.

import CSystemd
import GameConfCore
import Glibc

/// One log entry as the fields that journald stores.
struct JournalEntry: Hashable, Sendable {
  /// The fields of the entry, each `NAME=value` in UTF-8. A value may contain line breaks.
  let fields: [String]

  init(_ record: LogRecord, identifier: String) {
    var fields = [
      "MESSAGE=\(TerminalText.escaped(record.text, keepingLines: true))", "PRIORITY=\(record.level.journalPriority)",
      "SYSLOG_IDENTIFIER=\(identifier)",
      "CODE_FILE=\(record.file)", "CODE_LINE=\(record.line)", "CODE_FUNC=\(record.function)",
    ]
    for (key, value) in record.metadata {
      fields.append("\(LogField(rawValue: key)?.journalName ?? Self.otherName(key))=\(value)")
    }
    self.fields = fields
  }

  /// Returns the journal field of a metadata key outside ``LogField``; the prefix keeps it apart from every field that journald defines.
  static func otherName(_ key: String) -> String {
    let name = key.utf8.prefix(48).map { byte -> Character in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): Character(UnicodeScalar(byte - 32))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): Character(UnicodeScalar(byte))
      default: "_"
      }
    }
    return "GAMECONFD_" + String(name)
  }

  /// Sends the entry to journald; false if journald refused it.
  func send() -> Bool {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(fields.reduce(0) { $0 + $1.utf8.count })
    var ranges: [Range<Int>] = []
    for field in fields {
      let start = bytes.count
      bytes.append(contentsOf: field.utf8)
      ranges.append(start..<bytes.count)
    }
    return bytes.withUnsafeMutableBytes { buffer in
      let vectors = ranges.map { iovec(iov_base: buffer.baseAddress?.advanced(by: $0.lowerBound), iov_len: $0.count) }
      return sd_journal_sendv(vectors, Int32(vectors.count)) == 0
    }
  }
}
