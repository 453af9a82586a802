// The number of connections there can be: what the settings say, and what the process may open.

import GameConfServer
import Glibc

/// The numbers of connections, with users' names and the limit on descriptors resolved.
struct ConnectionRoom: Sendable {
  /// Descriptors that are kept for everything that is no connection.
  private static let descriptorsReserved = 256

  private(set) var limits: ServerLimits
  /// The warnings for an operator.
  private(set) var warnings: [String] = []

  /// - Parameter descriptors: how many the process may have open.
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
    let room = descriptors - min(Self.descriptorsReserved, descriptors / 2)
    let wanted = limits.connectionsMax + limits.connectionsReserved
    if room < wanted {
      limits.connectionsReserved = min(limits.connectionsReserved, room / 4)
      limits.connectionsMax = room - limits.connectionsReserved
      limits.refusalsMax = min(limits.refusalsMax, max(1, room / 8))
      warnings.append(
        "the process may open \(descriptors) files, so there are \(limits.connectionsMax) connections at most, not \(given.connectionsMax); raise LimitNOFILE="
      )
    }
  }

  /// Raises what the process may open to what the system lets it; says how much that is.
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
