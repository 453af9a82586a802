// A kind of socket that the HTTP server listens on, such as the socket for games.

/// A kind of listening socket, by its name, such as the socket for games or the one for admins. Each route names the kinds that answer it.
package struct ServerSocket: Sendable, Hashable {
  package let name: String
  /// True if the socket may be a TCP socket, on which the kernel reports no credentials of clients.
  package let mayBeTCP: Bool
  /// True if memory and connections are reserved for this kind, so that it works when other sockets have used up theirs.
  package let hasReservedMemory: Bool
  /// True if the server records reads on this socket as reads by games.
  package let marksReads: Bool

  package init(_ name: String, mayBeTCP: Bool = false, hasReservedMemory: Bool = false, marksReads: Bool = false) {
    self.name = name
    self.marksReads = marksReads
    self.mayBeTCP = mayBeTCP
    self.hasReservedMemory = hasReservedMemory
  }

  package static func == (left: ServerSocket, right: ServerSocket) -> Bool { left.name == right.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
