// A log entry as one line on standard error, for people and for whatever collects it where there is no journal.

import GameConfCore
import Glibc
import Logging

/// One line: time or priority, level, message, metadata.
///
/// Characters that move the cursor, hide or reorder text are escaped, so nothing that a caller sends can look like another entry.
struct StandardErrorLine: Hashable, Sendable {
  static let descriptor: Int32 = 2

  /// The form of a line's beginning.
  enum Form: Sendable, Hashable {
    /// With a time and the level's name.
    case timed(Seconds)
    /// With syslog's priority as `<3>`, which the journal strips and understands on a service's standard error.
    case prefixed
  }

  /// Seconds since 1970.
  struct Seconds: Sendable, Hashable {
    let count: time_t
    static var now: Seconds { Seconds(count: time(nil)) }
  }

  let text: String

  init(_ record: LogRecord, _ form: Form) {
    var line =
      switch form {
      case .timed(let seconds): "\(seconds.text) \(record.level.rawValue): "
      case .prefixed: "<\(record.level.journalPriority)>"
      }
    line += TerminalText.escaped(record.text)
    text = line
  }

  /// A line without time and level.
  init(plain: String) { text = TerminalText.escaped(plain) }

  /// One system call a line, so that lines of several threads do not mix; what cannot be written is lost.
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

extension StandardErrorLine.Seconds {
  /// As `2026-01-31T08:00:00Z`.
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
  /// Syslog's number: 2 critical to 7 debug.
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
