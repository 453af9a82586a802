// The sockets on which the daemon is looked for.

import GameConfAPI

/// The sockets to try, in order.
struct SocketChoice: Equatable {
  struct Candidate: Equatable {
    /// The kind of socket; nil for one that is named by its path alone and may be either.
    var kind: SocketKind?
    var path: String
  }

  /// The admin socket first: of what both answer it knows more.
  var candidates: [Candidate]

  /// - Parameter option: `--socket`: that one and no other.
  init(option: String?, environment: [String: String]) {
    if let option, !option.isEmpty {
      candidates = [Candidate(kind: nil, path: option)]
      return
    }
    let games = environment["GAMECONF_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let admin = environment["GAMECONF_ADMIN_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    let folders: [(admin: String, games: String)]
    if games != nil || admin != nil {
      // One alone stands for its whole folder: the other kind of another daemon would answer for another world.
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
