// Room for the many connections that a test holds itself.

import Glibc
import Testing

/// The descriptors of this process.
enum Descriptors {
  /// Lets this process open so many more, as far as its user may.
  static func makeRoom(for count: Int) throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // Beside what the tests that run at the same time have open.
    let wanted = rlim_t(count + 1_024)
    if limit.rlim_cur >= wanted { return }
    limit.rlim_cur = min(limit.rlim_max, max(wanted, limit.rlim_cur))
    try #require(limit.rlim_cur >= wanted, "a process may open only \(limit.rlim_max) files here (ulimit -Hn)")
    #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
  }
}
