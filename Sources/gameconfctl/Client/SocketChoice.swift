// The sockets on which gameconfctl looks for the daemon.

import GameConfAPI

/// The sockets on which a command tries to reach the daemon, in this order.
struct SocketChoice: Equatable {
  struct Candidate: Equatable {
    /// The kind of the socket; nil if only its path was given, so that it may be of either kind.
    var kind: SocketKind?
    var path: String
  }

  /// The sockets to try. The admin socket is first, because its responses to calls of both sockets contain more.
  var candidates: [Candidate]

  /// Determines the sockets from the command line and the environment.
  /// - Parameter option: The path of `--socket`; nil without that option. A given path is the only candidate.
  init(option: String?, environment: [String: String]) {
    if let option, !option.isEmpty {
      candidates = [Candidate(kind: nil, path: option)]
      return
    }
    let games = environment["GAMECONF_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let admin = environment["GAMECONF_ADMIN_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let folders: [(admin: String, games: String)]
    if games != nil || admin != nil {
      // If only one of the two sockets is named, the other one is expected in the same folder: its default path may belong to another
      // daemon.
      folders = [
        (
          admin ?? Self.sibling("admin.sock", of: games ?? ""),
          games ?? Self.sibling("games.sock", of: admin ?? "")
        )
      ]
    } else {
      let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.isEmpty ? nil : $0 + "/gameconfd" }
      folders = (["/run/gameconfd"] + (runtime.map { [$0] } ?? [])).map { ($0 + "/admin.sock", $0 + "/games.sock") }
    }
    candidates = folders.flatMap { [Candidate(kind: .admin, path: $0.admin), Candidate(kind: .games, path: $0.games)] }
  }

  private static func sibling(_ name: String, of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return name }
    return path[...slash] + name
  }
}
