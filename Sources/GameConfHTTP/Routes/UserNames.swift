// The names of users, for the audit log.

internal import Glibc

/// Looks up the host's users.
enum UserNames {
  /// The user's name; the uid in digits where there is none.
  static func name(of uid: UInt32) -> String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 4_096)
    guard getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, let found, let name = found.pointee.pw_name else {
      return String(uid)
    }
    return String(cString: name)
  }
}
