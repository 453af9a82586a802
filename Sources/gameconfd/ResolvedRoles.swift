// The roles of clients. The groups are resolved when the daemon starts, and a client's role is determined when it connects.

import GameConfAPI
import GameConfHTTP
import GameConfServer
import Glibc

/// The users and groups of this host to which the settings give roles.
struct ResolvedRoles: Sendable {
  private let ownUID: UInt32
  private let admins: UInt32?
  private let testers: UInt32?
  private let publishers: UInt32?
  private let clients: [(uid: UInt32?, group: UInt32?, games: Set<String>)]?
  /// The groups to which the settings give a role and which do not exist on this host.
  let absentGroups: [String]
  /// The groups of ``absentGroups`` that the settings name, without the default groups.
  private var absentNamedGroups: [String] { absentGroups.filter { !Settings.usualGroups.contains($0) } }
  /// The groups in the setting `clients` that do not exist on this host.
  let absentClientGroups: [String]

  init(_ settings: Settings) {
    ownUID = geteuid()
    var absent: [String] = []
    func group(_ name: String) -> UInt32? {
      if let found = getgrnam(name) { return found.pointee.gr_gid }
      absent.append(name)
      return nil
    }
    admins = group(settings.adminGroup)
    testers = group(settings.testerGroup)
    publishers = group(settings.publisherGroup)
    absentGroups = absent
    absent = []
    clients = settings.clients.map { rules in
      rules.map { rule in
        switch rule.who {
        case .uid(let uid): (uid, nil, rule.games)
        case .group(let name): (nil, group(name), rule.games)
        }
      }
    }
    absentClientGroups = absent
  }

  /// The warnings about groups in the setting `clients`.
  var clientWarnings: [String] {
    absentClientGroups.map { "clients: there is no group \($0) on this host, so it admits no user" }
  }

  /// The warnings about groups that the settings name and that do not exist. Default groups are left out, because they need not exist.
  var namedWarnings: [String] { absentNamedGroups.map { "there is no group \($0), so no user has its role" } + clientWarnings }

  /// The warnings about all absent groups, including the default groups.
  var warnings: [String] {
    let usual = absentGroups.filter { !absentNamedGroups.contains($0) }
    if usual.isEmpty { return namedWarnings }
    let names = usual.joined(separator: ", ")
    return [
      usual.count == 1
        ? "this host has no group \(names), so only root and gameconfd's own user have its role; the package makes it, or groupadd and a restart"
        : "this host has no groups \(names), so only root and gameconfd's own user have their roles; the package makes them, or groupadd and a restart"
    ] + namedWarnings
  }

  /// True if every user of the host may use the games socket.
  var gamesSocketIsOpen: Bool { clients == nil }

  /// Returns the role of a client that connects to a socket, or the refusal that it receives.
  func admit(_ socket: ServerSocket, _ peer: PeerCredentials?) -> PeerDecision<DaemonApp> {
    guard let peer else {
      if socket == .metrics || socket == .games && clients == nil { return .role(PeerRole(uid: .max, pid: 0, rank: .game)) }
      return .refused(Problem(.notPermitted, "The system does not report your uid, and this socket is not open to every user."))
    }
    switch socket {
    case .metrics: return .role(PeerRole(uid: peer.uid, pid: peer.pid, rank: .game))
    case .admin:
      guard let role = adminRole(of: peer) else {
        return .refused(
          Problem(
            .notPermitted,
            "uid \(peer.uid) has no role here: only root, the daemon's own user and members of its admin, tester and publisher groups do."))
      }
      return .role(role)
    default:
      guard let clients else { return .role(PeerRole(uid: peer.uid, pid: peer.pid, rank: .game)) }
      // Root and the daemon's own user may read every game, so that health checks work whatever `clients` says.
      if peer.uid == 0 || peer.uid == ownUID { return .role(PeerRole(uid: peer.uid, pid: peer.pid, rank: .game), usesReadyAnswers: true) }
      var games: Set<String> = []
      for client in clients where client.uid == peer.uid || client.group.map(peer.isMember) == true { games.formUnion(client.games) }
      if games.isEmpty {
        return .refused(Problem(.notPermitted, "uid \(peer.uid) is not in the daemon's setting “clients”."))
      }
      return .role(PeerRole(uid: peer.uid, pid: peer.pid, rank: .game, games: games), usesReadyAnswers: false)
    }
  }

  private func adminRole(of peer: PeerCredentials) -> PeerRole? {
    if peer.uid == 0 || peer.uid == ownUID || admins.map(peer.isMember) == true {
      return PeerRole(uid: peer.uid, pid: peer.pid, rank: .admin, publishes: true, isOnAdminSocket: true)
    }
    let publishes = publishers.map(peer.isMember) == true
    if testers.map(peer.isMember) == true {
      return PeerRole(uid: peer.uid, pid: peer.pid, rank: .tester, publishes: publishes, isOnAdminSocket: true)
    }
    return publishes ? PeerRole(uid: peer.uid, pid: peer.pid, rank: .game, publishes: true, isOnAdminSocket: true) : nil
  }
}
