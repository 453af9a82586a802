// Finds time zones by name: checks the name, and parses the file that the host has for it.

public import GameConfCore

/// The name of a time zone, such as `America/Los_Angeles`, that is safe to use as a relative path.
public struct ZoneName: Sendable, Hashable {
  /// The maximum length of a name in bytes.
  public static let bytesMax = 64

  /// The name as it was written.
  public let text: String

  /// Checks a name. Returns nil unless its parts, separated by `/`, consist of letters, digits, `_`, `+` and `-`.
  ///
  /// A dot is not allowed, so that no name leads out of the folder of zone files (path traversal).
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

/// The time zone files of a host.
///
/// This module opens no files. The caller reads them, so that the module stays free of I/O.
public struct ZoneFiles: Sendable {
  private let bytes: @Sendable (ZoneName) -> [UInt8]?

  /// Creates the lookup from a closure that returns the TZif file of a zone, or nil if the host does not have that zone.
  public init(bytes: @escaping @Sendable (ZoneName) -> [UInt8]?) { self.bytes = bytes }

  /// A host without zone files, on which only UTC is found.
  public static let none = ZoneFiles { _ in nil }

  private static let utcNames: Set<String> = ["UTC", "GMT", "Etc/UTC", "Etc/GMT", "Z"]

  /// Returns the zone with this name. UTC and its aliases need no file.
  /// - Throws: ``Fault`` if the name is invalid, or if the host's file is missing or cannot be parsed.
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
