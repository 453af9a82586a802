// A kind of socket that a server listens on.

/// A kind of socket, with the calls that it answers.
package struct ServerSocket: Sendable, Hashable {
  package let name: String
  /// True if TCP is allowed, where the kernel reports no credentials of the client.
  package let mayBeTCP: Bool
  /// True if memory and connections are reserved for it, so that it works when others have used up theirs.
  package let hasReservedMemory: Bool
  /// True if reads on this socket count as reads by games, and are marked.
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
