// Parses TZif, the binary format of time zone files, in its versions 1 to 4 (RFC 9636, formerly RFC 8536).

public import GameConfCore

extension Zone {
  /// The size limit of a TZif file in bytes. The largest file of Debian's tzdata has 4 KiB.
  public static let bytesMax = 64 << 10

  /// Parses a TZif file.
  /// - Throws: ``Fault`` if the data is truncated or inconsistent, or has leap seconds, which ``Instant`` does not count.
  public init(tzif bytes: [UInt8]) throws(Fault) {
    guard bytes.count <= Self.bytesMax else { throw Fault("it has \(bytes.count) bytes; at most \(Self.bytesMax) are read") }
    var reader = TZifReader(bytes)
    self = try reader.zone()
  }
}

/// Reads a TZif file from front to back. Each count in the file is checked against the bytes that are left before memory is allocated for
/// it.
private struct TZifReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  private static let cut = Fault("it ends too early")

  /// The header of a data block: the file's version, and the number of entries in each table of the block.
  private struct TZifBlockHeader {
    var version: UInt8
    var universalFlags: Int
    var standardFlags: Int
    var leapSeconds: Int
    var transitions: Int
    var types: Int
    var characters: Int

    /// Returns the size of the data block that follows the header.
    /// - Parameter width: The size of a transition time in bytes: 4 in version 1, 8 since version 2.
    func bytes(width: Int) -> Int {
      transitions * (width + 1) + types * 6 + characters + leapSeconds * (width + 4) + standardFlags + universalFlags
    }
  }

  mutating func zone() throws(Fault) -> Zone {
    let first = try header()
    // Since version 2 a file has two blocks: the first has 32-bit times for old readers, and the second repeats everything with 64-bit
    // times.
    if first.version == 0 { return try block(first, width: 4) }
    _ = try take(first.bytes(width: 4))
    let second = try header()
    guard second.version == first.version else { throw Fault("its two headers differ") }
    var zone = try block(second, width: 8)
    zone.rule = try footer()
    return zone
  }

  private mutating func header() throws(Fault) -> TZifBlockHeader {
    guard try take(4).elementsEqual("TZif".utf8) else { throw Fault("it does not begin with “TZif”") }
    let version = try take(1).first ?? 0
    guard version == 0 || version >= UInt8(ascii: "2") else { throw Fault("its version is unknown") }
    _ = try take(15)
    return TZifBlockHeader(
      version: version, universalFlags: try count(), standardFlags: try count(), leapSeconds: try count(), transitions: try count(),
      types: try count(), characters: try count())
  }

  private mutating func block(_ header: TZifBlockHeader, width: Int) throws(Fault) -> Zone {
    guard header.leapSeconds == 0 else { throw Fault("it counts leap seconds") }
    guard (1...256).contains(header.types) else { throw Fault("it has \(header.types) kinds of local time") }
    guard header.bytes(width: width) <= rest.count else { throw Self.cut }
    var times: [Int64] = []
    for _ in 0..<header.transitions { times.append(try number(width)) }
    let kinds = try take(header.transitions)
    var offsets: [Int64] = []
    for _ in 0..<header.types {
      offsets.append(try number(4))
      _ = try take(2)
    }
    _ = try take(header.characters + header.standardFlags + header.universalFlags)
    guard let firstOffset = offsets.first, offsets.allSatisfy({ $0.magnitude < 26 * 3600 }) else {
      throw Fault("it has an offset of more than a day")
    }
    var zone = Zone(firstOffset: firstOffset)
    for (time, kind) in zip(times, kinds) {
      guard Int(kind) < offsets.count else { throw Fault("it names a kind of local time that it does not have") }
      let before = zone.transitions.last
      guard before.map({ $0.seconds < time }) ?? true else { throw Fault("its times do not ascend") }
      // Some files start with a transition at the time of the Big Bang (-2^59). It is below `earliest` and only sets the first offset.
      guard time > Self.earliest else {
        zone.firstOffset = offsets[Int(kind)]
        continue
      }
      guard time < -Self.earliest else { break }
      zone.transitions.append(
        Zone.Transition(seconds: time, before: before?.after ?? zone.firstOffset, after: offsets[Int(kind)]))
    }
    return zone
  }

  /// The lower bound of transition times in seconds since 1970: some 34 800 years before it, so that adding an offset cannot overflow.
  private static let earliest: Int64 = -1 << 40

  /// Parses the file's footer, a POSIX TZ rule for later years between two line feeds. Returns nil if the footer is empty.
  private mutating func footer() throws(Fault) -> ZoneRule? {
    guard rest.first == UInt8(ascii: "\n"), rest.count >= 2, rest.last == UInt8(ascii: "\n") else { throw Self.cut }
    let text = Array(rest.dropFirst().dropLast())
    return text.isEmpty ? nil : try ZoneRule(parsing: text)
  }

  private mutating func count() throws(Fault) -> Int {
    try take(4).reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func number(_ width: Int) throws(Fault) -> Int64 {
    let bits = try take(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return width == 4 ? Int64(Int32(truncatingIfNeeded: bits)) : Int64(bitPattern: bits)
  }

  private mutating func take(_ count: Int) throws(Fault) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw Self.cut }
    let taken = rest.prefix(count)
    rest = rest.dropFirst(count)
    return taken
  }
}
