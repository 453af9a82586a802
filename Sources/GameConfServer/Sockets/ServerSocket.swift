// One of the sockets that a server listens on, by its name.

/// A kind of socket: what is listened on, and which calls are answered there.
package struct ServerSocket: Sendable, Hashable {
  package let name: String
  /// True if it may be other than a Unix socket; the kernel does not say who is at the other end of those.
  package let mayBeTCP: Bool
  /// True if connections and bytes are set aside for it, so that it can be used when others have taken all there is.
  package let hasOwnRoom: Bool
  /// True if answers that are given there are marked as read.
  package let marksReads: Bool

  package init(_ name: String, mayBeTCP: Bool = false, hasOwnRoom: Bool = false, marksReads: Bool = false) {
    self.name = name
    self.marksReads = marksReads
    self.mayBeTCP = mayBeTCP
    self.hasOwnRoom = hasOwnRoom
  }

  package static func == (left: ServerSocket, right: ServerSocket) -> Bool { left.name == right.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
