// Time zones by name: which names are admitted, and the data that the host has of them.

public import GameConfCore

/// A name that may become a part of a path, such as `America/Los_Angeles`.
public struct ZoneName: Sendable, Hashable {
  /// The longest name.
  public static let bytesMax = 64

  /// The name.
  public let text: String

  /// The name in a text; nil unless it consists of letters, digits, `_`, `+` and `-`, in parts that `/` separates.
  ///
  /// A point is not admitted, so no name leads out of a folder.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.bytesMax else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isAdmitted) }) else { return nil }
    self.text = text
  }

  private static func isAdmitted(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
    default: false
    }
  }
}

/// The zones of a host.
///
/// The files are read by the caller: nothing in this module opens one.
public struct ZoneFiles: Sendable {
  private let bytes: @Sendable (ZoneName) -> [UInt8]?

  /// Zones whose data a closure gives; nil where the host has none of that name.
  public init(bytes: @escaping @Sendable (ZoneName) -> [UInt8]?) { self.bytes = bytes }

  /// No zone but UTC.
  public static let none = ZoneFiles { _ in nil }

  private static let utcNames: Set<String> = ["UTC", "GMT", "Etc/UTC", "Etc/GMT", "Z"]

  /// The zone of that name. UTC needs no data.
  /// - Throws: ``Fault`` for a name that is none, a zone that the host does not have, and data that cannot be read.
  public func zone(named text: String) throws(Fault) -> Zone {
    if Self.utcNames.contains(text) { return .utc }
    guard let name = ZoneName(text) else {
      throw Fault("“\(text.prefix(ZoneName.bytesMax))” is not the name of a time zone, such as America/Los_Angeles")
    }
    guard let bytes = bytes(name) else { throw Fault("this host has no time zone “\(text)” (Debian's package tzdata brings them)") }
    do throws(Fault) { return try Zone(tzif: bytes) } catch {
      throw Fault("this host's data of the time zone “\(text)” cannot be used: \(error.message)")
    }
  }
}
