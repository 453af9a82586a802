// A log entry as one line of text on standard error, for hosts without a journal.

import GameConfCore
import Glibc
import Logging

/// A log entry as one line. It begins with a time and the level's name, or with a priority. The message and its metadata follow.
///
/// Characters that move the cursor, hide or reorder text are escaped, so that a client cannot forge another entry.
struct StandardErrorLine: Hashable, Sendable {
  static let descriptor: Int32 = 2

  /// The form of a line's beginning.
  enum LineFormat: Sendable, Hashable {
    /// The time in UTC and the level's name.
    case timed(LogLineTime)
    /// The syslog priority, as in `<3>`. The journal reads this prefix from a service's standard error and removes it.
    case prefixed
  }

  /// The seconds since 1970 that the beginning of a line shows as a time in UTC.
  struct LogLineTime: Sendable, Hashable {
    let count: time_t
    static var now: LogLineTime { LogLineTime(count: time(nil)) }
  }

  let text: String

  init(_ record: LogRecord, _ form: LineFormat) {
    var line =
      switch form {
      case .timed(let seconds): "\(seconds.text) \(record.level.rawValue): "
      case .prefixed: "<\(record.level.journalPriority)>"
      }
    line += TerminalText.escaped(record.text)
    text = line
  }

  /// Creates a line from text alone, without time, level and metadata.
  init(plain: String) { text = TerminalText.escaped(plain) }

  /// Writes the line, if possible in one system call, so that lines of several threads do not mix. The rest is dropped if writing fails.
  func write(to descriptor: Int32 = StandardErrorLine.descriptor) {
    let bytes = Array(text.utf8) + [UInt8(ascii: "\n")]
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      written += count
    }
  }
}

extension StandardErrorLine.LogLineTime {
  /// The time in UTC, as `2026-01-31T08:00:00Z`.
  var text: String {
    var seconds = count
    var parts = tm()
    gmtime_r(&seconds, &parts)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      guard let start = buffer.baseAddress, strftime(start, 32, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 else { return "-" }
      return String(cString: start)
    }
  }
}

extension Logger.Level {
  /// The syslog priority: 2 for critical to 7 for debug.
  var journalPriority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
