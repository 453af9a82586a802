// The private IPv4 addresses of this host, one of which a network bridge listens on.

import GameConfCore
import Glibc

/// An IPv4 address of a network interface, with the prefix length of its subnet.
struct NetworkAddress: Equatable, Sendable {
  /// The address in host byte order.
  let bits: UInt32
  let prefixLength: Int
  /// The name of the network interface, such as `wlan0`.
  let interface: String

  /// The address in dotted decimal form.
  var text: String { Self.text(of: bits) }

  /// True if the address is in a range that the internet's routers do not forward: RFC 1918, and RFC 6598's 100.64.0.0/10.
  static func isPrivate(_ bits: UInt32) -> Bool {
    bits >> 24 == 10 || bits >> 20 == 0xAC1 || bits >> 16 == 0xC0A8 || bits >> 22 == 0x191
  }

  /// True if the address of a peer is in the same subnet.
  func isNeighbour(_ peer: UInt32) -> Bool {
    let mask = prefixLength == 0 ? 0 : UInt32.max << UInt32(32 - prefixLength)
    return peer & mask == bits & mask
  }

  /// Returns an address in dotted decimal form.
  static func text(of bits: UInt32) -> String {
    [24, 16, 8, 0].map { String(bits >> UInt32($0) & 255) }.joined(separator: ".")
  }

  /// Parses an address in dotted decimal form; nil for any other text.
  static func bits(of text: String) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bits: UInt32 = 0
    for part in parts {
      guard let number = UInt8(part), String(number) == part else { return nil }
      bits = bits << 8 | UInt32(number)
    }
    return bits
  }

  /// Returns the private addresses of this host's network interfaces.
  static func ofHost() -> [NetworkAddress] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var found: [NetworkAddress] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let bits = ipv4(entry.ifa_addr), let mask = ipv4(entry.ifa_netmask), isPrivate(bits) else { continue }
      found.append(
        NetworkAddress(bits: bits, prefixLength: mask.nonzeroBitCount, interface: String(cString: entry.ifa_name)))
    }
    return found
  }

  private static func ipv4(_ address: UnsafeMutablePointer<sockaddr>?) -> UInt32? {
    guard let address, address.pointee.sa_family == sa_family_t(AF_INET) else { return nil }
    return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt32(bigEndian: $0.pointee.sin_addr.s_addr) }
  }

  /// Chooses the address to listen on.
  /// - Parameter wanted: The address of `--address`. If nil, the host's only private address is chosen.
  static func choose(_ wanted: String?, among addresses: [NetworkAddress]) throws(Fault) -> NetworkAddress {
    let listed = addresses.map { "\($0.text) (\($0.interface))" }.joined(separator: ", ")
    guard let wanted else {
      if addresses.count == 1 { return addresses[0] }
      throw addresses.isEmpty
        ? Fault("This host has no private IPv4 address; connect it to the phone's network first.")
        : Fault("This host has several private addresses: \(listed). Name one with --address.")
    }
    guard let bits = bits(of: wanted) else {
      throw Fault("--address takes an IPv4 address of this host such as 192.168.1.20; host names and IPv6 are not taken.")
    }
    guard isPrivate(bits) else {
      throw Fault("\(wanted) is not a private address. Addresses in 10/8, 172.16/12, 192.168/16 and 100.64/10 are taken.")
    }
    guard let address = addresses.first(where: { $0.bits == bits }) else {
      throw Fault("\(wanted) is not an address of this host. \(addresses.isEmpty ? "It has no private one" : "It has \(listed)").")
    }
    return address
  }
}
