// The limits of connections, from the settings and from the limit of open files.

import GameConfServer
import Glibc

/// The limits of connections, with user names resolved, and reduced to fit the limit of open files.
struct ConnectionQuota: Sendable {
  /// The number of file descriptors that are reserved for files other than connections.
  private static let descriptorsReserved = 256

  private(set) var limits: ServerLimits
  /// The warnings about users that do not exist, limits that contradict each other, and limits that the limit of open files reduces.
  private(set) var warnings: [String] = []

  /// - Parameter descriptors: The maximum number of open files of this process.
  init(_ settings: Settings, _ given: ServerLimits, descriptors: Int) {
    limits = given
    for (name, number) in settings.perUser.sorted(by: { $0.key < $1.key }) {
      if let user = getpwnam(name) {
        limits.connectionsOfUsers[user.pointee.pw_uid] = number
      } else {
        warnings.append("per_user: there is no user \(name) on this host")
      }
    }
    if settings.limits[.connectionsMax] != nil {
      if limits.connectionsPerUserMax > limits.connectionsMax {
        warnings.append(
          "connections-max is \(limits.connectionsMax), and one user may have \(limits.connectionsPerUserMax): one user can take them all; set connections-per-uid-max below it"
        )
      }
      for (name, number) in settings.perUser.sorted(by: { $0.key < $1.key }) where number > limits.connectionsMax {
        warnings.append("per_user: \(name) may have \(number) connections, and connections-max is \(limits.connectionsMax)")
      }
    }
    let available = descriptors - min(Self.descriptorsReserved, descriptors / 2)
    let wanted = limits.connectionsMax + limits.connectionsReserved
    if available < wanted {
      limits.connectionsReserved = min(limits.connectionsReserved, available / 4)
      limits.connectionsMax = available - limits.connectionsReserved
      limits.refusalsMax = min(limits.refusalsMax, max(1, available / 8))
      warnings.append(
        "the process may open \(descriptors) files, so there are \(limits.connectionsMax) connections at most, not \(given.connectionsMax); raise LimitNOFILE="
      )
    }
  }

  /// Raises the process's limit of open files as far as the system allows, and returns it.
  static func raiseDescriptors() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    if limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = limit.rlim_max
      if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
