// Unpacks gzip within a bound, so that a body that claims it can be read without a library for it.

/// Why bytes cannot be unpacked.
public enum GunzipFault: Error, Sendable, Hashable {
  /// They are not gzip as RFC 1951 and RFC 1952 have it.
  case malformed(String)
  /// They would unpack to more.
  case tooLong(bytesMax: Int)
}

/// Unpacks gzip (RFC 1952), whose members are compressed by DEFLATE (RFC 1951).
public enum Gunzip {
  /// Whether bytes begin as gzip does: two bytes that tell it, and the one method there is.
  public static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

  /// The content of all members, checked against their lengths and checksums.
  /// - Parameter bytesMax: the most that may come out; nothing beyond it is ever held.
  public static func unpacked(_ bytes: [UInt8], bytesMax: Int) throws(GunzipFault) -> [UInt8] {
    var inflater = Inflater(bytes, bytesMax: bytesMax)
    repeat {
      try inflater.skipHeader()
      let start = inflater.output.count
      try inflater.inflate()
      try inflater.checkTrailer(from: start)
    } while inflater.hasMore
    return inflater.output
  }
}

/// Bits in, bytes out.
private struct Inflater {
  private let input: [UInt8]
  private let bytesMax: Int
  private var at = 0
  private var held: UInt32 = 0
  private var heldCount = 0
  private(set) var output: [UInt8] = []

  init(_ input: [UInt8], bytesMax: Int) {
    self.input = input
    self.bytesMax = bytesMax
  }

  var hasMore: Bool { at < input.count }

  private static let ended = GunzipFault.malformed("the bytes end in the middle")

  private mutating func byte() throws(GunzipFault) -> UInt8 {
    guard at < input.count else { throw Self.ended }
    defer { at += 1 }
    return input[at]
  }

  private mutating func littleEndian(bytes count: Int) throws(GunzipFault) -> UInt32 {
    var number: UInt32 = 0
    for place in 0..<count { number |= UInt32(try byte()) << UInt32(8 * place) }
    return number
  }

  private mutating func bits(_ count: Int) throws(GunzipFault) -> Int {
    while heldCount < count {
      held |= UInt32(try byte()) << UInt32(heldCount)
      heldCount += 8
    }
    defer {
      held >>= UInt32(count)
      heldCount -= count
    }
    return Int(held & ((1 << UInt32(count)) - 1))
  }

  private mutating func append(_ byte: UInt8) throws(GunzipFault) {
    if output.count >= bytesMax { throw .tooLong(bytesMax: bytesMax) }
    output.append(byte)
  }

  mutating func skipHeader() throws(GunzipFault) {
    guard try byte() == 0x1F, try byte() == 0x8B, try byte() == 8 else { throw .malformed("a member does not begin as gzip does") }
    let flags = try byte()
    // Time, hints and system say nothing of the content.
    for _ in 0..<6 { _ = try byte() }
    if flags & 0xE0 != 0 { throw .malformed("a member has flags that are not known") }
    if flags & 4 != 0 {
      let count = try littleEndian(bytes: 2)
      for _ in 0..<count { _ = try byte() }
    }
    for flag: UInt8 in [8, 16] where flags & flag != 0 { while try byte() != 0 {} }
    if flags & 2 != 0 { _ = try littleEndian(bytes: 2) }
  }

  mutating func checkTrailer(from start: Int) throws(GunzipFault) {
    (held, heldCount) = (0, 0)
    let checksum = try littleEndian(bytes: 4)
    let length = try littleEndian(bytes: 4)
    guard length == UInt32(truncatingIfNeeded: output.count - start), checksum == Self.checksum(of: output[start...]) else {
      throw .malformed("a member's checksum or length is not that of its content")
    }
  }

  /// CRC-32 as gzip has it.
  private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt32 {
    var checksum: UInt32 = ~0
    for byte in bytes { checksum = table[Int((checksum ^ UInt32(byte)) & 0xFF)] ^ (checksum >> 8) }
    return ~checksum
  }

  private static let table: [UInt32] = (0..<256).map { (byte: UInt32) in
    (0..<8).reduce(byte) { checksum, _ in checksum & 1 == 1 ? 0xEDB8_8320 ^ (checksum >> 1) : checksum >> 1 }
  }

  mutating func inflate() throws(GunzipFault) {
    let start = output.count
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try copyStored()
      case 1: try expand(Code.fixedLengths, Code.fixedDistances, from: start)
      case 2:
        let (lengths, distances) = try readCodes()
        try expand(lengths, distances, from: start)
      default: throw .malformed("a block is of a kind that there is not")
      }
    }
  }

  private mutating func copyStored() throws(GunzipFault) {
    (held, heldCount) = (0, 0)
    let count = try littleEndian(bytes: 2)
    guard try littleEndian(bytes: 2) == ~count & 0xFFFF else { throw .malformed("a stored block's length is not given twice") }
    for _ in 0..<count { try append(try byte()) }
  }

  private mutating func expand(_ lengths: Code, _ distances: Code, from start: Int) throws(GunzipFault) {
    while true {
      let symbol = try decode(lengths)
      if symbol < 256 {
        try append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      guard symbol - 257 < Code.lengthBases.count else { throw .malformed("a length is none") }
      let length = Code.lengthBases[symbol - 257] + (try bits(Code.lengthBits[symbol - 257]))
      let place = try decode(distances)
      guard place < Code.distanceBases.count else { throw .malformed("a distance is none") }
      let distance = Code.distanceBases[place] + (try bits(Code.distanceBits[place]))
      guard distance <= output.count - start else { throw .malformed("a distance reaches before the beginning") }
      for _ in 0..<length { try append(output[output.count - distance]) }
    }
  }

  private mutating func readCodes() throws(GunzipFault) -> (lengths: Code, distances: Code) {
    let (lengthCount, distanceCount, orderCount) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
    guard lengthCount <= 286, distanceCount <= 30 else { throw .malformed("a block has more codes than there are") }
    var ordered = [Int](repeating: 0, count: 19)
    for place in 0..<orderCount { ordered[Code.order[place]] = try bits(3) }
    let first = try Code(ordered)
    var lengths: [Int] = []
    while lengths.count < lengthCount + distanceCount {
      let symbol = try decode(first)
      if symbol < 16 {
        lengths.append(symbol)
        continue
      }
      guard symbol != 16 || !lengths.isEmpty else { throw .malformed("a code repeats what is not there") }
      let value = symbol == 16 ? lengths[lengths.count - 1] : 0
      let count = symbol == 16 ? 3 + (try bits(2)) : symbol == 17 ? 3 + (try bits(3)) : 11 + (try bits(7))
      guard lengths.count + count <= lengthCount + distanceCount else { throw .malformed("a block has more codes than it says") }
      lengths += [Int](repeating: value, count: count)
    }
    guard lengths[256] > 0 else { throw .malformed("a block has no end") }
    return (try Code(Array(lengths[..<lengthCount])), try Code(Array(lengths[lengthCount...])))
  }

  private mutating func decode(_ code: Code) throws(GunzipFault) -> Int {
    var (word, first, index) = (0, 0, 0)
    for length in 1...15 {
      word |= try bits(1)
      let count = code.counts[length]
      if word - count < first { return code.symbols[index + (word - first)] }
      index += count
      first = (first + count) << 1
      word <<= 1
    }
    throw .malformed("there is a code that stands for nothing")
  }
}

/// A Huffman code: how many words of each length there are, and what they stand for, in order.
private struct Code {
  private(set) var counts = [Int](repeating: 0, count: 16)
  private(set) var symbols: [Int] = []

  /// The code of these lengths, by symbol; 0 for symbols that do not occur.
  /// - Throws: when there are more words than can be told apart. Fewer are met when one of them is read.
  init(_ lengths: [Int]) throws(GunzipFault) {
    for length in lengths { counts[length] += 1 }
    counts[0] = 0
    var left = 1
    for length in 1...15 {
      left = left << 1 - counts[length]
      if left < 0 { throw .malformed("a code has words that cannot be told apart") }
    }
    symbols = (1...15).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
  }

  private init(known lengths: [Int]) {
    for length in lengths { counts[length] += 1 }
    symbols = (1...15).flatMap { length in lengths.indices.filter { lengths[$0] == length } }
  }

  static let fixedLengths = Code(known: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  static let fixedDistances = Code(known: [Int](repeating: 5, count: 30))
  static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
  static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
  ]
  static let lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
  static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385,
    24577,
  ]
  static let distanceBits = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]
}
