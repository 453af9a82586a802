// Socket activation: the listening sockets that systemd opened for the daemon, by name.

import CSystemd
import Glibc

/// The listening sockets that a service manager passed to the process, by their `FileDescriptorName=`.
///
/// Their order is not fixed. Look a socket up by name; the lookup checks its kind:
///
/// ```swift
/// let handed = try ListenDescriptors.adopt()
/// if let games = try handed.socket(named: "games", as: .unixStream) { … }
/// ```
public struct ListenDescriptors: Sendable {
  /// The kind of listening socket that a caller expects.
  public enum ListenSocketKind: Sendable, Hashable {
    /// A listening stream socket in the file system or in the abstract namespace.
    case unixStream
    /// A listening TCP socket, over IPv4 or IPv6.
    case tcpStream
  }

  /// One descriptor that the service manager passed.
  public struct Descriptor: Sendable, Hashable {
    /// The `FileDescriptorName=` of its socket unit, by default the unit's name; `unknown` if the service manager passed no names.
    public let name: String
    /// The descriptor's number; close-on-exec is set.
    public let number: Int32
  }

  /// All descriptors that the service manager passed, in the manager's order.
  public let all: [Descriptor]

  /// Returns the descriptors that the service manager passed to this process; empty without a manager.
  ///
  /// Checks `LISTEN_PID`, so that a descriptor for another process is not taken. Removes the environment variables of this interface, so
  /// that a child process does not take the descriptors again. Call it once, before other threads start.
  /// - Throws: ``ListenDescriptorsError/unreadable(code:)`` if these environment variables are malformed or a descriptor is not open.
  public static func adopt() throws(ListenDescriptorsError) -> ListenDescriptors {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    let count = sd_listen_fds_with_names(1, &names)
    guard count >= 0 else { throw .unreadable(code: -count) }
    defer {
      for index in 0..<Int(count) { free(names?[index]) }
      free(names)
    }
    return ListenDescriptors(
      all: (0..<count).map { index in
        Descriptor(name: names?[Int(index)].map { String(cString: $0) } ?? "unknown", number: SD_LISTEN_FDS_START + index)
      })
  }

  /// Returns the descriptor of the socket with that name; nil if there is no such socket.
  ///
  /// - Throws: ``ListenDescriptorsError/several(name:)`` if two sockets have the name,
  ///   ``ListenDescriptorsError/wrongKind(name:number:expected:)`` if the socket is not a listening socket of that kind.
  public func socket(named name: String, as kind: ListenSocketKind) throws(ListenDescriptorsError) -> Int32? {
    let named = all.filter { $0.name == name }
    guard let found = named.first else { return nil }
    guard named.count == 1 else { throw .several(name: name) }
    guard Self.isListening(found.number, kind) else { throw .wrongKind(name: name, number: found.number, expected: kind) }
    return found.number
  }

  /// Returns the names of passed sockets that are not in `known`: sockets that a unit declares and the daemon does not use.
  public func names(besides known: Set<String>) -> [String] { all.map(\.name).filter { !known.contains($0) } }

  private static func isListening(_ descriptor: Int32, _ kind: ListenSocketKind) -> Bool {
    let stream = Int32(SOCK_STREAM.rawValue)
    switch kind {
    case .unixStream: return sd_is_socket(descriptor, AF_UNIX, stream, 1) > 0
    case .tcpStream: return sd_is_socket(descriptor, AF_INET, stream, 1) > 0 || sd_is_socket(descriptor, AF_INET6, stream, 1) > 0
    }
  }
}

/// A fault of the sockets that the service manager passed.
public enum ListenDescriptorsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The environment variables `LISTEN_…` are malformed or name descriptors that are not open; `code` is the value of errno.
  case unreadable(code: Int32)
  /// Two sockets have the same name.
  case several(name: String)
  /// The descriptor is not a listening socket of the expected kind.
  case wrongKind(name: String, number: Int32, expected: ListenDescriptors.ListenSocketKind)

  /// The fault and its correction, as a sentence.
  public var description: String {
    switch self {
    case .unreadable(let code):
      "LISTEN_FDS, LISTEN_PID or LISTEN_FDNAMES cannot be read: \(String(cString: strerror(code))); only a service manager should set them"
    case .several(let name): "several sockets are named '\(name)'; give each .socket unit its own FileDescriptorName="
    case .wrongKind(let name, let number, .unixStream):
      "descriptor \(number), named '\(name)', is not a listening Unix stream socket; use ListenStream= with a path, and Accept=no"
    case .wrongKind(let name, let number, .tcpStream):
      "descriptor \(number), named '\(name)', is not a listening TCP socket; use ListenStream= with an address and port, and Accept=no"
    }
  }
}
