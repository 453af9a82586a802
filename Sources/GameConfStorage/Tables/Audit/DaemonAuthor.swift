// The daemon as an author, for what it does by itself.
public import GameConfCore
import Glibc

extension Author {
  /// The daemon itself: window edges, accepted catalogs, quarantine.
  public static let daemon = Author(uid: geteuid(), name: "gameconfd", pid: getpid())
}
