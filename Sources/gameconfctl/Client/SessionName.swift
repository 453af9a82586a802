// The session that changes are part of, so that they can be found and taken back together.

import GameConfCore
import Glibc

enum SessionName {
  private static let environmentName = "GAMECONF_SESSION"

  /// The name from the environment, else one of the terminal's session: its leader, and when that began.
  static var present: String? {
    if let named = getenv(environmentName).map({ String(cString: $0) }), !named.isEmpty { return named }
    let leader = getsid(0)
    // A shell in a container may be led from outside, where no leader is seen: then the oldest of its parents stands for it.
    let process = leader > 0 ? leader : oldestAncestor(of: getpid())
    return "s\(process)" + (ProcessLine(of: process).map { "-\($0.start)" } ?? "")
  }

  private static func oldestAncestor(of process: pid_t) -> pid_t {
    var oldest = process
    // A process that ends meanwhile, and whose number another takes, could lead in a circle.
    for _ in 0..<ancestorsMax {
      guard let parent = ProcessLine(of: oldest)?.parent, parent > 0 else { break }
      oldest = parent
    }
    return oldest
  }

  private static let ancestorsMax = 1_000
}

/// A process's origin, from the kernel's line about it (proc_pid_stat(5)).
private struct ProcessLine {
  let parent: pid_t
  /// The instant when it began, in ticks since the host did.
  let start: Substring

  /// Reads the fourth and the twenty-second word. The second is a name, which may have spaces.
  init?(of process: pid_t) {
    guard let bytes = try? FileBytes.read("/proc/\(process)/stat"), let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let words = String(decoding: bytes[(end + 1)...], as: UTF8.self).split(separator: " ")
    guard words.count > 19, let parent = pid_t(words[1]) else { return nil }
    (self.parent, start) = (parent, words[19])
  }
}
