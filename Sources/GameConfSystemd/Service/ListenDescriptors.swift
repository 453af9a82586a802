// The sockets systemd opened for the daemon and handed over at start, by name.

import CSystemd
import Glibc

/// The listening sockets a service manager handed over, by their `FileDescriptorName=`.
///
/// They come in no fixed order, so they are asked for by name and checked to be what the name promises:
///
/// ```swift
/// let handed = try ListenDescriptors.adopt()
/// if let games = try handed.socket(named: "games", as: .unixStream) { … }
/// ```
public struct ListenDescriptors: Sendable {
  /// The kind that a descriptor must have to be served.
  public enum Kind: Sendable, Hashable {
    /// A listening stream socket in the file system or the abstract name space.
    case unixStream
    /// A listening TCP socket, over IPv4 or IPv6.
    case tcpStream
  }

  /// One descriptor as it was handed over.
  public struct Descriptor: Sendable, Hashable {
    /// Its `FileDescriptorName=`; the unit's name where none was set, `unknown` where the manager said none.
    public let name: String
    /// The descriptor itself; close-on-exec is set.
    public let number: Int32
  }

  /// Everything that was handed over, in the manager's order.
  public let all: [Descriptor]

  /// Takes what was handed to this very process.
  ///
  /// `LISTEN_PID` is checked, so that what was meant for another process is not taken, and the variables are removed, so that a
  /// child does not take it again. Call it once, before other threads start; without a service manager there is nothing.
  /// - Throws: ``ListenDescriptorsError/unreadable(code:)`` when the variables or the descriptors are broken.
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

  /// The one socket of that name, nil when there is none.
  ///
  /// - Throws: ``ListenDescriptorsError/several(name:)`` when the name was given twice,
  ///   ``ListenDescriptorsError/wrongKind(name:number:expected:)`` when it is not a listening socket of that kind.
  public func socket(named name: String, as kind: Kind) throws(ListenDescriptorsError) -> Int32? {
    let named = all.filter { $0.name == name }
    guard let found = named.first else { return nil }
    guard named.count == 1 else { throw .several(name: name) }
    guard Self.isListening(found.number, kind) else { throw .wrongKind(name: name, number: found.number, expected: kind) }
    return found.number
  }

  /// Names that were handed over and are none of these: a unit that says more than the daemon knows.
  public func names(besides known: Set<String>) -> [String] { all.map(\.name).filter { !known.contains($0) } }

  private static func isListening(_ descriptor: Int32, _ kind: Kind) -> Bool {
    let stream = Int32(SOCK_STREAM.rawValue)
    switch kind {
    case .unixStream: return sd_is_socket(descriptor, AF_UNIX, stream, 1) > 0
    case .tcpStream: return sd_is_socket(descriptor, AF_INET, stream, 1) > 0 || sd_is_socket(descriptor, AF_INET6, stream, 1) > 0
    }
  }
}

/// The reason why handed-over sockets cannot be used.
public enum ListenDescriptorsError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The variables are malformed or name descriptors that are not open; `code` is errno's.
  case unreadable(code: Int32)
  /// Two sockets carry one name.
  case several(name: String)
  /// The descriptor of that name is not a listening socket of the kind.
  case wrongKind(name: String, number: Int32, expected: ListenDescriptors.Kind)

  /// The fault, and the state that would be right, in a sentence.
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
