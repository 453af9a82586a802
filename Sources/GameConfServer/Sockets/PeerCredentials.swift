// The peer at the other end of a Unix socket, as the kernel reports it.

internal import Glibc

/// The peer's identity at the moment it connected; nothing the peer says can change it.
package struct PeerCredentials: Sendable, Hashable {
  /// The user.
  package var uid: UInt32
  /// The primary group.
  package var gid: UInt32
  /// The process; a hint for the audit log only, as it may have handed the socket on. 0 where it cannot be seen from here.
  package var pid: Int32
  /// The supplementary groups; the primary one may or may not be among them.
  package var groups: [UInt32]

  /// Credentials.
  package init(uid: UInt32, gid: UInt32, pid: Int32, groups: [UInt32] = []) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.groups = groups
  }

  /// True if the peer is in that group, by its primary or a supplementary one.
  package func isMember(of group: UInt32) -> Bool { gid == group || groups.contains(group) }

  /// The credentials of the other end of this descriptor; nil when it is no connected Unix socket.
  static func read(from descriptor: Int32) -> PeerCredentials? {
    var domain: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0, domain == AF_UNIX else { return nil }
    // struct ucred, which Glibc's module leaves out: pid, uid, gid, 32 bits each.
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
      // ERANGE gives the size that is needed; anything else means that nothing is known, and nothing known is no membership.
      guard errno == ERANGE, Int(size) / stride > groups.count else { return [] }
      groups = [UInt32](repeating: 0, count: Int(size) / stride)
    }
  }
}

/// The other end of a connection, as handlers see it; one object for all its requests, which pass it on.
package final class Peer<Role: Sendable>: Sendable {
  /// The socket it came by.
  package let socket: ServerSocket
  /// Its credentials; nil on TCP.
  package let credentials: PeerCredentials?
  /// The role the policy gave it on accept.
  package let role: Role

  package init(socket: ServerSocket, credentials: PeerCredentials?, role: Role) {
    (self.socket, self.credentials, self.role) = (socket, credentials, role)
  }
}

/// The policy's verdict on a peer.
package enum Admission<App: ServerApp>: Sendable {
  /// It may call, with this role.
  /// - Parameter usesReadyAnswers: false when the peer may not read everything, so that each call must be judged by its handler.
  case role(App.Role, usesReadyAnswers: Bool = true)
  /// Its first request is answered with this problem, and the connection closed.
  case refused(App.Problem)
}

/// Judges a peer on accept; called on an event loop, so it must not wait. The credentials are nil on TCP alone.
package typealias PeerPolicy<App: ServerApp> = @Sendable (ServerSocket, PeerCredentials?) -> Admission<App>
