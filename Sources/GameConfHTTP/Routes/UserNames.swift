// The names of users, for the audit log.

internal import Glibc
internal import Synchronization

/// Looks up the host's users: each once in a while, since a directory of users may be slow and those who ask stand on an event loop.
enum UserNames {
  /// How many names are kept.
  static let namesMax = 1_024
  /// After how many seconds a name is looked up again.
  static let secondsMax: Int64 = 300

  private struct Known {
    var name: String
    var until: ContinuousClock.Instant
  }

  private static let names = Mutex<[UInt32: Known]>([:])

  /// The user's name; the uid in digits where there is none.
  static func name(of uid: UInt32) -> String {
    let now = ContinuousClock.now
    if let known = names.withLock({ $0[uid] }), now < known.until { return known.name }
    let name = lookedUp(uid)
    names.withLock { names in
      if names.count >= namesMax { names = names.filter { now < $0.value.until } }
      if names.count >= namesMax { names.removeAll() }
      names[uid] = Known(name: name, until: now + .seconds(secondsMax))
    }
    return name
  }

  private static func lookedUp(_ uid: UInt32) -> String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4_096)
    guard getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, let found, let name = found.pointee.pw_name else {
      return String(uid)
    }
    return String(cString: name)
  }
}
