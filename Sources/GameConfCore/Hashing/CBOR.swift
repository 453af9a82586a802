// Deterministic CBOR encoding (RFC 8949, section 4.2.1), the input of the bucket hash.

/// A consumer of encoded bytes. An encoder writes to it directly, for example to a hash function, and needs no buffer.
public protocol CBORSink {
  mutating func update(_ byte: UInt8)
  /// Consumes the UTF-8 bytes of a text.
  mutating func update(_ text: String)
}

extension Murmur3: CBORSink {}

extension [UInt8]: CBORSink {
  /// Appends the byte. An array as a sink collects the whole encoding.
  public mutating func update(_ byte: UInt8) { append(byte) }
  /// Appends the UTF-8 bytes of the text.
  public mutating func update(_ text: String) { append(contentsOf: text.utf8) }
}

/// Encodes values in deterministic CBOR: shortest lengths, shortest lossless floats, and map keys sorted by their encoding.
///
/// A double without a fraction that is within −2⁶³ … 2⁶⁴−1 is encoded as an integer, as flagd's `fractional` does.
public enum CBOR {
  /// Returns the encoding of a value as an array, for callers without a sink.
  public static func bytes(_ value: Value) -> [UInt8] {
    var bytes: [UInt8] = []
    encode(value, into: &bytes)
    return bytes
  }

  /// Encodes a value into a sink. It allocates memory only to sort the members of objects.
  public static func encode(_ value: Value, into sink: inout some CBORSink) {
    switch value {
    case .null: sink.update(0xf6)
    case .bool(let flag): sink.update(flag ? 0xf5 : 0xf4)
    case .integer(let number): encode(number, into: &sink)
    case .double(let number): encode(number, into: &sink)
    case .string(let text): encode(text, into: &sink)
    case .list(let elements):
      head(.array, UInt64(elements.count), into: &sink)
      for element in elements { encode(element, into: &sink) }
    case .object(let object):
      head(.map, UInt64(object.count), into: &sink)
      for member in object.members.sorted(by: { precedes($0.name, $1.name) }) {
        encode(member.name, into: &sink)
        encode(member.value, into: &sink)
      }
    }
  }

  /// Encodes a text: its length in UTF-8 bytes, then these bytes.
  @inline(__always)
  public static func encode(_ text: String, into sink: inout some CBORSink) {
    head(.text, UInt64(text.utf8.count), into: &sink)
    sink.update(text)
  }

  /// Encodes the head of a CBOR array, with the number of its elements. The caller encodes the elements next.
  @inline(__always)
  public static func encodeListHead(count: Int, into sink: inout some CBORSink) {
    head(.array, UInt64(count), into: &sink)
  }

  /// Encodes an unsigned integer, which may exceed the range of `Int64`.
  public static func encode(unsigned number: UInt64, into sink: inout some CBORSink) { head(.unsigned, number, into: &sink) }

  private enum MajorType: UInt8 {
    case unsigned = 0x00
    case negative = 0x20
    case text = 0x60
    case array = 0x80
    case map = 0xa0
  }

  @inline(__always)
  private static func head(_ major: MajorType, _ argument: UInt64, into sink: inout some CBORSink) {
    if argument < 24 {
      sink.update(major.rawValue | UInt8(truncatingIfNeeded: argument))
    } else if argument <= 0xff {
      sink.update(major.rawValue | 24)
      sink.update(UInt8(truncatingIfNeeded: argument))
    } else {
      longHead(major.rawValue, argument, into: &sink)
    }
  }

  private static func longHead(_ major: UInt8, _ argument: UInt64, into sink: inout some CBORSink) {
    switch argument {
    case ...0xffff:
      sink.update(major | 25)
      bigEndian(argument, bytes: 2, into: &sink)
    case ...0xffff_ffff:
      sink.update(major | 26)
      bigEndian(argument, bytes: 4, into: &sink)
    default:
      sink.update(major | 27)
      bigEndian(argument, bytes: 8, into: &sink)
    }
  }

  private static func bigEndian(_ bits: UInt64, bytes: Int, into sink: inout some CBORSink) {
    for at in stride(from: 8 * (bytes - 1), through: 0, by: -8) { sink.update(UInt8(truncatingIfNeeded: bits >> UInt64(at))) }
  }

  private static func encode(_ number: Int64, into sink: inout some CBORSink) {
    if number >= 0 {
      head(.unsigned, UInt64(number), into: &sink)
    } else {
      head(.negative, UInt64(bitPattern: ~number), into: &sink)
    }
  }

  private static func encode(_ number: Double, into sink: inout some CBORSink) {
    if let whole = Int64(exactly: number) {
      encode(whole, into: &sink)
    } else if let whole = UInt64(exactly: number) {
      encode(unsigned: whole, into: &sink)
    } else if number.isNaN {
      sink.update(0xf9)
      bigEndian(0x7e00, bytes: 2, into: &sink)
    } else if let half = halfBits(number) {
      sink.update(0xf9)
      bigEndian(UInt64(half), bytes: 2, into: &sink)
    } else if Double(Float(number)) == number {
      sink.update(0xfa)
      bigEndian(UInt64(Float(number).bitPattern), bytes: 4, into: &sink)
    } else {
      sink.update(0xfb)
      bigEndian(number.bitPattern, bytes: 8, into: &sink)
    }
  }

  /// Returns the bits of the number in IEEE 754 half precision; nil if the conversion loses precision.
  private static func halfBits(_ number: Double) -> UInt16? {
    let sign: UInt16 = number.sign == .minus ? 0x8000 : 0
    let magnitude = number.magnitude
    if magnitude.isInfinite { return sign | 0x7c00 }
    if magnitude < 0x1p-14 {
      let steps = magnitude * 0x1p24
      return steps == steps.rounded() ? sign | UInt16(steps) : nil
    }
    guard magnitude <= 65504 else { return nil }
    let exponent = magnitude.exponent
    let fraction = (magnitude.significand - 1) * 1024
    guard fraction == fraction.rounded() else { return nil }
    return sign | UInt16(exponent + 15) << 10 | UInt16(fraction)
  }

  /// Orders texts by their CBOR encoding: shorter ones first, then by their bytes.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    let (leftCount, rightCount) = (left.utf8.count, right.utf8.count)
    return leftCount == rightCount ? left.utf8.lexicographicallyPrecedes(right.utf8) : leftCount < rightCount
  }
}
