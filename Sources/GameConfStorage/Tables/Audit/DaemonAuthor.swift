// The daemon as the author of its own changes.
public import GameConfCore
import Glibc

extension Author {
  /// The author of changes that no user makes: opened and closed time windows, accepted catalogs, and quarantine.
  public static let daemon = Author(uid: geteuid(), name: "gameconfd", pid: getpid())
}
