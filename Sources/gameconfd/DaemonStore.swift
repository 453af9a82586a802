// The store as the daemon uses it, and the daemon's name in a database that several daemons share.

import GameConfCore
import GameConfStorage
import GameConfSystemd
import Glibc

protocol DaemonStore: Store, StoreAdministration {
  /// Commits the queued changes and closes the database.
  func stop() async
}

extension SQLiteStore: DaemonStore {}
extension PostgresStore: DaemonStore {}

/// The leases in a shared database by which one daemon of a fleet does work for all daemons.
enum FleetLease {
  /// The name of the lease whose holder removes expired data.
  static let retention = "retention"
  /// The duration of the lease in milliseconds: two and a half retention steps, so that its holder can renew it.
  static let retentionMilliseconds = StoreLimits.timeStepMilliseconds * 5 / 2
}

/// The unique name of a daemon in a shared database; the same after each start.
enum WriterName {
  /// Returns the host's name, and a hash of the machine's identity and the state directory.
  /// - Parameter state: The state directory, which only one daemon uses at a time.
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
