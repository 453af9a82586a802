// The credentials of a Unix socket's peer, as the kernel reports them.

internal import Glibc

/// The user, groups and process of a client when it called connect(), as the kernel reports them. The client cannot forge them.
package struct PeerCredentials: Sendable, Hashable {
  package var uid: UInt32
  /// The id of the client's primary group.
  package var gid: UInt32
  /// The id of the client's process; 0 if it is in another PID namespace. The audit log shows it only as a hint, because the process may
  /// have passed the socket on.
  package var pid: Int32
  /// The supplementary group ids. The kernel may include the primary one.
  package var groups: [UInt32]

  package init(uid: UInt32, gid: UInt32, pid: Int32, groups: [UInt32] = []) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.groups = groups
  }

  /// True if the group is the client's primary group or one of the supplementary groups.
  package func isMember(of group: UInt32) -> Bool { gid == group || groups.contains(group) }

  /// Reads the peer's credentials from a descriptor; nil if it is not a connected Unix socket.
  static func read(from descriptor: Int32) -> PeerCredentials? {
    var domain: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0, domain == AF_UNIX else { return nil }
    // struct ucred has no Swift import from Glibc: pid, uid and gid, 32 bits each.
    var words: [UInt32] = [0, 0, 0]
    size = socklen_t(words.count * MemoryLayout<UInt32>.stride)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &words, &size) == 0, words[1] != UInt32.max else { return nil }
    return PeerCredentials(
      uid: words[1], gid: words[2], pid: Int32(bitPattern: words[0]), groups: supplementaryGroups(of: descriptor))
  }

  private static func supplementaryGroups(of descriptor: Int32) -> [UInt32] {
    let peerGroups: Int32 = 59  // SO_PEERGROUPS, since Linux 4.13
    let stride = MemoryLayout<UInt32>.stride
    var groups = [UInt32](repeating: 0, count: 32)
    while true {
      var size = socklen_t(groups.count * stride)
      if getsockopt(descriptor, SOL_SOCKET, peerGroups, &groups, &size) == 0 { return Array(groups.prefix(Int(size) / stride)) }
      // ERANGE returns the needed size. On any other error the groups are unknown, and an unknown group grants no membership.
      guard errno == ERANGE, Int(size) / stride > groups.count else { return [] }
      groups = [UInt32](repeating: 0, count: Int(size) / stride)
    }
  }
}

/// The client of a connection, as request handlers see it. It is a class, so that all requests of the client refer to one object.
package final class Peer<Role: Sendable>: Sendable {
  package let socket: ServerSocket
  /// The client's credentials; nil over TCP, where the kernel reports no user.
  package let credentials: PeerCredentials?
  /// The role that the policy assigned when the connection was accepted.
  package let role: Role

  package init(socket: ServerSocket, credentials: PeerCredentials?, role: Role) {
    (self.socket, self.credentials, self.role) = (socket, credentials, role)
  }
}

/// The decision of a ``PeerPolicy`` about a client that connects.
package enum PeerDecision<App: ServerApp>: Sendable {
  /// The client is served, with this role.
  /// - Parameter usesReadyAnswers: True if the server may answer with precomputed answers, without a handler. False if the client may not
  ///   read every game, so that a handler must check each request.
  case role(App.Role, usesReadyAnswers: Bool = true)
  /// The client's first request is answered with this problem, and the connection is closed.
  case refused(App.Problem)
}

/// Decides about a client when its connection is accepted. It runs on an event loop, so it must not block. Only TCP clients have no
/// credentials.
package typealias PeerPolicy<App: ServerApp> = @Sendable (ServerSocket, PeerCredentials?) -> PeerDecision<App>
