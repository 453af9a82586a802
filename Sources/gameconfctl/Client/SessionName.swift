// The session that changes are part of, so that they can be found and taken back together.

import GameConfCore
import Glibc

enum SessionName {
  private static let environmentName = "GAMECONF_SESSION"

  /// The name from the environment, else one of the terminal's session: its leader, and when that began.
  static var present: String? {
    if let named = getenv(environmentName).map({ String(cString: $0) }), !named.isEmpty { return named }
    let leader = getsid(0)
    guard leader > 0 else { return nil }
    return "s\(leader)" + (start(of: leader).map { "-\($0)" } ?? "")
  }

  /// The instant when a process began, in ticks since the host did: the twenty-second word of its line. The second is a name, which may have spaces.
  private static func start(of process: pid_t) -> String? {
    guard let bytes = try? FileBytes.read("/proc/\(process)/stat"), let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let words = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
    return words.count > 19 ? String(decoding: words[19], as: UTF8.self) : nil
  }
}
