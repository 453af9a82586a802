// The store as the daemon holds it, and by what name a daemon is known among those that share one.

import GameConfCore
import GameConfStorage
import GameConfSystemd
import Glibc

/// A store that lasts, with what an administrator does to it.
protocol DaemonStore: Store, StoreAdministration {
  /// Commits what waits and closes it.
  func stop() async
}

extension SQLiteStore: DaemonStore {}
extension PostgresStore: DaemonStore {}

/// The work that one daemon of a fleet does for all.
enum FleetLease {
  /// Removing what is kept no longer.
  static let retention = "retention"
  /// The time for which the others leave it to the one that did it last: two of its steps and some.
  static let retentionMilliseconds = StoreLimits.timeStepMilliseconds * 5 / 2
}

/// The name of a daemon in a database that several share: the same after each start, and no two are alike.
enum WriterName {
  /// - Parameter state: the state directory, which one daemon holds at a time.
  static func text(state: String) -> String {
    let bytesMax = 256
    var name = [CChar](repeating: 0, count: bytesMax)
    gethostname(&name, bytesMax - 1)
    let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var hash = SHA256()
    hash.update(MachineIdentity.applicationSpecific() ?? [])
    hash.update(state.utf8)
    return host + "-" + SHA256.hex(hash.digest().prefix(8))
  }
}
