// Names the login session to which changes belong, so that they can be found and reverted together.

import GameConfCore
import Glibc

enum SessionName {
  private static let environmentName = "GAMECONF_SESSION"

  /// The session named by `GAMECONF_SESSION`, or else the terminal's session: its leader's process id and start time.
  static var present: String? {
    if let named = getenv(environmentName).map({ String(cString: $0) }), !named.isEmpty { return named }
    let leader = getsid(0)
    // In a container the session leader may be a process outside of it. The oldest visible ancestor then identifies the session.
    let process = leader > 0 ? leader : oldestAncestor(of: getpid())
    return "s\(process)" + (ProcessLine(of: process).map { "-\($0.start)" } ?? "")
  }

  private static func oldestAncestor(of process: pid_t) -> pid_t {
    var oldest = process
    // If a process exits during the search and its number is reused, the ancestors could form a circle. The limit ends the loop.
    for _ in 0..<ancestorsMax {
      guard let parent = ProcessLine(of: oldest)?.parent, parent > 0 else { break }
      oldest = parent
    }
    return oldest
  }

  private static let ancestorsMax = 1_000
}

/// The parent and the start time of a process, from /proc/PID/stat (proc_pid_stat(5)).
private struct ProcessLine {
  let parent: pid_t
  /// The start time of the process, in clock ticks since the host started.
  let start: Substring

  /// Parses the fourth and the twenty-second word of the file. The second word is a name in parentheses, which may contain spaces.
  init?(of process: pid_t) {
    guard let bytes = try? FileBytes.read("/proc/\(process)/stat"), let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let words = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    guard words.count > 19, let parent = pid_t(words[1]) else { return nil }
    (self.parent, start) = (parent, words[19])
  }
}
