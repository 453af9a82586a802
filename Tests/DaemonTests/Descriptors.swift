// Raises the limit of open files for tests with many connections.

import Glibc
import Testing

/// The limit of open files of this process.
enum Descriptors {
  /// Raises the limit by this many descriptors, as far as the hard limit allows.
  static func raiseLimit(for count: Int) throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // Simultaneous tests need descriptors too.
    let wanted = rlim_t(count + 1_024)
    if limit.rlim_cur >= wanted { return }
    limit.rlim_cur = min(limit.rlim_max, max(wanted, limit.rlim_cur))
    try #require(limit.rlim_cur >= wanted, "a process may open only \(limit.rlim_max) files here (ulimit -Hn)")
    #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
  }
}
