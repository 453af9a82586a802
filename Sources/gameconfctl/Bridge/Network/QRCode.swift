// A QR code of one size, as ISO/IEC 18004 specifies it: version 5 with the lowest level of error correction.

/// A QR code: a square of 37 by 37 dark and light modules that encodes a text of at most 106 bytes.
///
/// Only one size (version 5) and one correction level (L) are supported, so the code needs no tables of sizes and only one block of
/// correction bytes. A longer text cannot be encoded.
struct QRCode: Equatable, Sendable {
  /// The number of modules on each side of the square.
  static let side = 37
  /// The maximum size of the text in bytes: 108 data bytes minus the mode and the length.
  static let textBytesMax = 106
  /// The width in modules of the light border (quiet zone) that a reader needs around the code.
  static let quietModules = 4

  /// True for each dark module, row by row.
  private var dark = [Bool](repeating: false, count: side * side)
  /// True for each module that belongs to a fixed pattern and contains no data.
  private var isPattern = [Bool](repeating: false, count: side * side)

  /// Encodes a text; returns nil if the text is longer than ``textBytesMax``.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.textBytesMax else { return nil }
    drawPatterns()
    place(Self.codewords(of: bytes))
    let candidates = (0..<8).map { masked(by: $0) }
    self = candidates.min { $0.penalty < $1.penalty } ?? self
  }

  /// True if the module is dark; false outside the square.
  func isDark(row: Int, column: Int) -> Bool {
    (0..<Self.side).contains(row) && (0..<Self.side).contains(column) && dark[row * Self.side + column]
  }

  // The data codewords: the mode, the length, the bytes of the text, the padding, and the correction bytes.

  private static let dataBytes = 108
  private static let correctionBytes = 26

  private static func codewords(of bytes: [UInt8]) -> [UInt8] {
    // The data begins with four bits for the byte mode, and eight bits for the number of bytes.
    var bits: [Bool] = []
    func append(_ value: UInt8, bits count: Int) {
      for bit in stride(from: count - 1, through: 0, by: -1) { bits.append(value >> UInt8(bit) & 1 == 1) }
    }
    append(0b0100, bits: 4)
    append(UInt8(truncatingIfNeeded: bytes.count), bits: 8)
    for byte in bytes { append(byte, bits: 8) }
    append(0, bits: 4)
    var data = stride(from: 0, to: bits.count - bits.count % 8, by: 8).map { at in
      bits[at..<at + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    for pad in 0..<(dataBytes - data.count) { data.append(pad % 2 == 0 ? 0xEC : 0x11) }
    return data + correction(of: data)
  }

  /// Returns the correction bytes of a Reed–Solomon code, the remainder of a polynomial division. `generator` is the product of all x − 2^i
  /// over the field of 256 elements.
  private static func correction(of data: [UInt8]) -> [UInt8] {
    var generator: [UInt8] = [UInt8](repeating: 0, count: correctionBytes)
    generator[correctionBytes - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<correctionBytes {
      for at in generator.indices {
        generator[at] = product(generator[at], root)
        if at + 1 < generator.count { generator[at] ^= generator[at + 1] }
      }
      root = product(root, 2)
    }
    var remainder = [UInt8](repeating: 0, count: correctionBytes)
    for byte in data {
      let factor = byte ^ remainder[0]
      remainder = remainder.dropFirst() + [0]
      for at in remainder.indices { remainder[at] ^= product(generator[at], factor) }
    }
    return remainder
  }

  /// Returns a product in the field of 256 elements, which is reduced by the polynomial 0x11D.
  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var result: UInt16 = 0
    for bit in stride(from: UInt8(7), through: 0, by: -1) {
      result = result << 1 ^ (result & 0x80 != 0 ? 0x11D : 0)
      if right >> bit & 1 == 1 { result ^= UInt16(left) }
      if bit == 0 { break }
    }
    return UInt8(truncatingIfNeeded: result)
  }

  // The fixed patterns of the standard: finders, timing, alignment.

  private mutating func set(_ row: Int, _ column: Int, _ isDark: Bool) {
    guard (0..<Self.side).contains(row), (0..<Self.side).contains(column) else { return }
    dark[row * Self.side + column] = isDark
    isPattern[row * Self.side + column] = true
  }

  private mutating func drawPatterns() {
    for at in 0..<Self.side {
      set(6, at, at % 2 == 0)
      set(at, 6, at % 2 == 0)
    }
    for (row, column) in [(3, 3), (3, Self.side - 4), (Self.side - 4, 3)] {
      for y in -4...4 {
        for x in -4...4 {
          let distance = max(abs(x), abs(y))
          set(row + y, column + x, distance != 2 && distance != 4)
        }
      }
    }
    // Version 5 has one alignment pattern.
    for y in -2...2 { for x in -2...2 { set(30 + y, 30 + x, max(abs(x), abs(y)) != 1) } }
    drawFormat(mask: 0)
  }

  /// Writes the format information at the two places that the standard reserves for it. It consists of the correction level, the mask and
  /// their error-correction bits.
  private mutating func drawFormat(mask: Int) {
    // The standard encodes the correction level L as the bits 01.
    let data = 0b01 << 3 | mask
    var remainder = data
    for _ in 0..<10 { remainder = remainder << 1 ^ (remainder >> 9) * 0x537 }
    let format = (data << 10 | remainder) ^ 0x5412
    func bit(_ at: Int) -> Bool { format >> at & 1 == 1 }
    for at in 0..<6 { set(at, 8, bit(at)) }
    set(7, 8, bit(6))
    set(8, 8, bit(7))
    set(8, 7, bit(8))
    for at in 9..<15 { set(8, 14 - at, bit(at)) }
    for at in 0..<8 { set(8, Self.side - 1 - at, bit(at)) }
    for at in 8..<15 { set(Self.side - 15 + at, 8, bit(at)) }
    set(Self.side - 8, 8, true)
  }

  /// Writes the codewords in columns that are two modules wide, from the right, alternately upwards and downwards, around the fixed
  /// patterns.
  private mutating func place(_ codewords: [UInt8]) {
    var bit = 0
    var right = Self.side - 1
    while right >= 1 {
      if right == 6 { right = 5 }
      for step in 0..<Self.side {
        let isUpward = (right + 1) & 2 == 0
        let row = isUpward ? Self.side - 1 - step : step
        for column in [right, right - 1] where !isPattern[row * Self.side + column] && bit < codewords.count * 8 {
          dark[row * Self.side + column] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
      right -= 2
    }
  }

  // The mask: the one of the standard's eight that leads to the lowest penalty.

  private func masked(by mask: Int) -> QRCode {
    var code = self
    for row in 0..<Self.side {
      for column in 0..<Self.side where !isPattern[row * Self.side + column] {
        if Self.inverts(mask, row, column) { code.dark[row * Self.side + column].toggle() }
      }
    }
    code.drawFormat(mask: mask)
    return code
  }

  private static func inverts(_ mask: Int, _ row: Int, _ column: Int) -> Bool {
    switch mask {
    case 0: (row + column) % 2 == 0
    case 1: row % 2 == 0
    case 2: column % 3 == 0
    case 3: (row + column) % 3 == 0
    case 4: (row / 2 + column / 3) % 2 == 0
    case 5: row * column % 2 + row * column % 3 == 0
    case 6: (row * column % 2 + row * column % 3) % 2 == 0
    default: ((row + column) % 2 + row * column % 3) % 2 == 0
    }
  }

  /// The sum of the standard's four penalties: runs, blocks, figures that resemble a finder pattern, and an uneven share of dark modules.
  private var penalty: Int {
    var penalty = 0
    for line in 0..<Self.side {
      penalty += Self.penalty(of: (0..<Self.side).map { isDark(row: line, column: $0) })
      penalty += Self.penalty(of: (0..<Self.side).map { isDark(row: $0, column: line) })
    }
    for row in 0..<Self.side - 1 {
      for column in 0..<Self.side - 1 {
        let count = [(0, 0), (0, 1), (1, 0), (1, 1)].count { isDark(row: row + $0.0, column: column + $0.1) }
        if count == 0 || count == 4 { penalty += 3 }
      }
    }
    let percent = dark.count { $0 } * 100 / dark.count
    return penalty + abs(percent - 50) / 5 * 10
  }

  private static func penalty(of line: [Bool]) -> Int {
    var penalty = 0
    var run = 0
    for at in line.indices {
      run = at > 0 && line[at] == line[at - 1] ? run + 1 : 1
      if run == 5 { penalty += 3 } else if run > 5 { penalty += 1 }
    }
    let finder = [true, false, true, true, true, false, true]
    let light = [false, false, false, false]
    for start in 0...(line.count - 11) {
      let window = Array(line[start..<start + 11])
      if window == finder + light || window == light + finder { penalty += 40 }
    }
    return penalty
  }
}
