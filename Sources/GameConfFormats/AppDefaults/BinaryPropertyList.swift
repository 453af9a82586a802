// Parses Apple's binary property lists: tables of objects that refer to each other by index.

import GameConfCore

/// A parser of binary property lists, version 00. Every offset and count is checked before it is used.
struct BinaryPropertyList {
  static let magic = Array("bplist".utf8)
  private static let trailerBytes = 32
  /// The number of values and bytes that a property list of any size may expand to. An object counts once for each reference to it.
  private static let workAlways = 1 << 20
  /// The factor by which the expanded values of a larger property list may exceed its own size, because several references may share an
  /// object.
  private static let workTimes = 4
  private static let epoch = Instant(seconds: 978_307_200)

  private let bytes: [UInt8]
  private var tableStart = 0
  private let offsetSize: Int
  private let referenceSize: Int
  private var objectCount = 0
  private var topObject = 0
  private var workLeft: Int
  private var others = 0
  /// The names of the top-level members that are, or contain, dates or binary data.
  private(set) var namesOfOthers: [String] = []

  init(_ bytes: [UInt8]) throws(FormatFault) {
    guard bytes.starts(with: Self.magic + Array("00".utf8)), bytes.count > Self.trailerBytes + 8 else {
      throw Self.fault("it is cut short, or of another version than 00")
    }
    self.bytes = bytes
    workLeft = max(Self.workAlways, Self.workTimes * bytes.count)
    let trailer = bytes.count - Self.trailerBytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), let count = number(at: trailer + 8, size: 8),
      let top = number(at: trailer + 16, size: 8), let table = number(at: trailer + 24, size: 8), top < count, table <= trailer,
      count <= (trailer - table) / offsetSize
    else { throw Self.fault("its table of objects does not lie within it") }
    (objectCount, topObject, tableStart) = (count, top, table)
  }

  mutating func value() throws(FormatFault) -> Value { try value(of: topObject, depth: 1) }

  private static func fault(_ why: String) -> FormatFault { FormatFault(message: "This binary property list cannot be read: \(why).") }

  /// Reads a big-endian integer. Returns nil if it is outside the property list, or too large for an offset.
  private func number(at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= bytes.count, offset <= bytes.count - size else { return nil }
    return Int(exactly: bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private mutating func spend(_ work: Int) throws(FormatFault) {
    workLeft -= work
    if workLeft < 0 { throw Self.fault("its objects refer to each other too often") }
  }

  private mutating func value(of object: Int, depth: Int) throws(FormatFault) -> Value {
    guard object < objectCount, let start = number(at: tableStart + object * offsetSize, size: offsetSize), start < tableStart else {
      throw Self.fault("it refers to an object that is not there")
    }
    try spend(1)
    let (kind, low) = (bytes[start] >> 4, Int(bytes[start] & 0x0F))
    switch (kind, low) {
    case (0x0, 0x8): return false
    case (0x0, 0x9): return true
    case (0x1, 0...4): return .integer(try integer(at: start + 1, size: 1 << low))
    case (0x2, 2...3):
      let number = try double(at: start + 1, size: 1 << low)
      guard number.isFinite else { throw Self.fault("\(number) is no finite number") }
      return .double(number)
    case (0x3, 3):
      let seconds = try double(at: start + 1, size: 8)
      guard abs(seconds) < 1e11, let date = Self.epoch.adding(milliseconds: Int64((seconds * 1000).rounded(.down))),
        Instant.earliest...Instant.latest ~= date
      else { throw Self.fault("a date lies outside of the years 1 to 9999") }
      others += 1
      return .string(PropertyListScalars.text(of: date))
    case (0x4, _):
      others += 1
      return .string(PropertyListScalars.text(ofData: Array(try content(at: start, low, unit: 1))))
    case (0x5, _): return .string(String(decoding: try content(at: start, low, unit: 1), as: UTF8.self))
    case (0x6, _):
      let content = Array(try content(at: start, low, unit: 2))
      let units = stride(from: 0, to: content.count, by: 2).map { UInt16(content[$0]) << 8 | UInt16(content[$0 + 1]) }
      return .string(String(decoding: units, as: UTF16.self))
    case (0xA, _): return .list(try list(at: start, low, depth))
    case (0xD, _): return .object(try dictionary(at: start, low, depth))
    default: throw Self.fault("an object is of kind 0x\(String(bytes[start], radix: 16)), which values have no kind for")
    }
  }

  private func integer(at offset: Int, size: Int) throws(FormatFault) -> Int64 {
    guard offset <= bytes.count - size else { throw Self.fault("it is cut short") }
    let written = bytes[offset..<offset + size]
    // In a 16-byte integer the high half must be the sign extension of the low half. Otherwise the number exceeds 64 bits.
    let low = written.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let high = size == 16 ? written.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } : 0
    let number = Int64(bitPattern: low)
    guard size < 16 || high == (number < 0 ? .max : 0) else { throw Self.fault("an integer has more than 64 bits") }
    return number
  }

  private func double(at offset: Int, size: Int) throws(FormatFault) -> Double {
    guard offset <= bytes.count - size else { throw Self.fault("it is cut short") }
    let bits = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
  }

  /// Returns the offset of an object's content, and its length in bytes, characters or references.
  private func extent(at start: Int, _ low: Int) throws(FormatFault) -> (first: Int, count: Int) {
    if low < 0x0F { return (start + 1, low) }
    guard start + 1 < bytes.count, bytes[start + 1] >> 4 == 0x1, bytes[start + 1] & 0x0F <= 3 else {
      throw Self.fault("a length is not an integer")
    }
    let size = 1 << Int(bytes[start + 1] & 0x0F)
    guard let count = number(at: start + 2, size: size) else { throw Self.fault("a length is too great") }
    return (start + 2 + size, count)
  }

  private mutating func content(at start: Int, _ low: Int, unit: Int) throws(FormatFault) -> ArraySlice<UInt8> {
    let (first, count) = try extent(at: start, low)
    guard first <= tableStart, count <= (tableStart - first) / unit else { throw Self.fault("it is cut short") }
    try spend(count)
    return bytes[first..<first + count * unit]
  }

  private func references(at first: Int, _ count: Int) throws(FormatFault) -> [Int] {
    guard first <= tableStart, count <= (tableStart - first) / referenceSize else { throw Self.fault("it is cut short") }
    return (0..<count).map { number(at: first + $0 * referenceSize, size: referenceSize) ?? .max }
  }

  private func checkDepth(_ depth: Int) throws(FormatFault) {
    if depth > PropertyList.depthMax { throw Self.fault("it nests deeper than \(PropertyList.depthMax) levels") }
  }

  private mutating func list(at start: Int, _ low: Int, _ depth: Int) throws(FormatFault) -> [Value] {
    try checkDepth(depth)
    let (first, count) = try extent(at: start, low)
    var elements: [Value] = []
    for object in try references(at: first, count) { elements.append(try value(of: object, depth: depth + 1)) }
    return elements
  }

  private mutating func dictionary(at start: Int, _ low: Int, _ depth: Int) throws(FormatFault) -> ObjectValue {
    try checkDepth(depth)
    let (first, count) = try extent(at: start, low)
    guard count <= bytes.count else { throw Self.fault("it is cut short") }
    let objects = try references(at: first, count * 2)
    var members = ObjectValue()
    for (key, object) in zip(objects.prefix(count), objects.suffix(count)) {
      guard case .string(let name) = try value(of: key, depth: depth + 1) else { throw Self.fault("a key is no text") }
      let before = others
      let value = try value(of: object, depth: depth + 1)
      if !members.appendIfAbsent(name, value) { throw Self.fault("the key “\(YAMLScalar.shown(name))” appears twice in a dictionary") }
      if depth == 1, others > before { namesOfOthers.append(name) }
    }
    return members
  }
}
