// The URLs that may be fetched: HTTPS on any host, plain HTTP only on the loopback interface.

import GameConfCore

/// A validated URL with HTTPS, or with plain HTTP on the loopback interface.
struct WebAddress: Hashable, Sendable {
  /// The maximum length of a URL in bytes.
  static let bytesMax = 2_048

  /// The URL as it was written.
  let text: String
  let isSecure: Bool
  /// The host in lower case, an IPv6 address without brackets.
  let host: String
  /// The host and port as written. A request's credentials are sent only to the same host and port.
  let authority: String

  init(_ text: String) throws(Fault) {
    guard (1...Self.bytesMax).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Fault("an address has 1 to \(Self.bytesMax) printable characters of ASCII without spaces")
    }
    guard let mark = text.firstRange(of: "://") else {
      throw Fault("an address begins with “https://”; a path or a socket of this machine is not a source")
    }
    let scheme = text[..<mark.lowerBound].lowercased()
    guard scheme == "https" || scheme == "http" else {
      throw Fault("an address begins with “https://”, not “\(scheme)://”")
    }
    let authority = text[mark.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if authority.contains("@") { throw Fault("an address has no user and no password") }
    let host = Self.host(of: authority)
    guard !host.isEmpty else { throw Fault("the address has no host") }
    guard Self.hasGoodPort(authority) else { throw Fault("the address's port is not a number from 1 to 65535") }
    (self.text, isSecure, self.host, self.authority) = (text, scheme == "https", host, authority.lowercased())
    guard isSecure || isLoopback else {
      throw Fault("“http://” is for this machine's loopback only; use “https://”")
    }
  }

  /// True if the host is a loopback address or `localhost`. The name is not resolved.
  var isLoopback: Bool {
    if host == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// The URL without its query and fragment, which may contain tokens.
  var shown: String { String(text.prefix { $0 != "?" && $0 != "#" }) }

  /// True if the authority of a URL has a valid port or no port.
  static func hasGoodPort(_ authority: Substring) -> Bool {
    let rest = authority.hasPrefix("[") ? authority.drop { $0 != "]" }.dropFirst() : authority.drop { $0 != ":" }
    if rest.isEmpty { return true }
    let digits = rest.dropFirst()
    return rest.first == ":" && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && UInt16(digits).map { $0 > 0 } == true
  }

  static func host(of authority: Substring) -> String {
    if authority.hasPrefix("[") { return authority.dropFirst().prefix { $0 != "]" }.lowercased() }
    return authority.prefix { $0 != ":" }.lowercased()
  }
}
