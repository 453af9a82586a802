// The bytes of a head that has been read, and the fields found in them when somebody asks.

internal import GameConfAPI

/// A request's head, kept for what handlers ask of it.
struct HeadText: Sendable {
  let bytes: [UInt8]
  let head: RequestHead

  var target: ArraySlice<UInt8> { bytes[head.target] }

  /// The values of every field of that name, which must be given in lower case.
  func values(of name: StaticString) -> [ArraySlice<UInt8>] {
    bytes.withUnsafeBytes { raw in
      var values: [ArraySlice<UInt8>] = []
      var start = head.fieldsStart
      while start < head.end - 2 {
        guard let end = raw[start...].firstIndex(of: 10), let colon = raw[start..<end].firstIndex(of: UInt8(ascii: ":")) else { break }
        if FieldBytes.equalsLowercased(UnsafeRawBufferPointer(rebasing: raw[start..<colon]), name) {
          var (lower, upper) = (colon + 1, end - 1)
          while lower < upper, raw[lower] == 32 || raw[lower] == 9 { lower += 1 }
          while upper > lower, raw[upper - 1] == 32 || raw[upper - 1] == 9 { upper -= 1 }
          values.append(bytes[lower..<upper])
        }
        start = end + 1
      }
      return values
    }
  }

  /// The value of a field that may be there once.
  func value(of name: StaticString) throws(Problem) -> String? {
    let values = values(of: name)
    guard let value = values.first else { return nil }
    if values.count > 1 { throw .header(name, "There is more than one \(name) header. Send one.") }
    guard let text = String(validating: value, as: UTF8.self) else {
      throw .header(name, "The value of \(name) is not UTF-8.")
    }
    return text
  }

  /// The value of a field that is a list, its lines joined.
  func list(_ name: StaticString) -> String? {
    let values = values(of: name)
    return values.isEmpty ? nil : values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
  }
}
