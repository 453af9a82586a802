// The bytes of an HTTP request's head, in which header fields are looked up on demand.

/// The bytes of an HTTP request's head, in which handlers look up header fields.
struct RequestHeadBytes: Sendable {
  let bytes: [UInt8]
  let head: RequestHead

  var target: ArraySlice<UInt8> { bytes[head.target] }

  /// Returns the values of all header fields with a name, which must be in lower case.
  func values(of name: StaticString) -> [ArraySlice<UInt8>] {
    var values: [ArraySlice<UInt8>] = []
    eachValue(of: name) { values.append(bytes[$0]) }
    return values
  }

  /// Returns the value of the first header field with a name, which must be in lower case. `isRepeated` is true if there is a second one.
  func field(_ name: StaticString) -> (value: ArraySlice<UInt8>, isRepeated: Bool)? {
    var first: Range<Int>?
    var isRepeated = false
    eachValue(of: name) { range in
      if first == nil { first = range } else { isRepeated = true }
    }
    return first.map { (bytes[$0], isRepeated) }
  }

  /// Calls the body for each header field with a name, with the range of the field's value in ``bytes``.
  private func eachValue(of name: StaticString, _ body: (Range<Int>) -> Void) {
    bytes.withUnsafeBytes { raw in
      var start = head.fieldsStart
      while start < head.end - 2 {
        var end = start
        while end < raw.count, raw[end] != UInt8(ascii: "\n") { end += 1 }
        let colon = start + name.utf8CodeUnitCount
        if colon < end, raw[colon] == UInt8(ascii: ":"),
          FieldBytes.equalsLowercased(UnsafeRawBufferPointer(rebasing: raw[start..<colon]), name)
        {
          var (lower, upper) = (colon + 1, end - 1)
          while lower < upper, raw[lower] == 32 || raw[lower] == 9 { lower += 1 }
          while upper > lower, raw[upper - 1] == 32 || raw[upper - 1] == 9 { upper -= 1 }
          body(lower..<upper)
        }
        start = end + 1
      }
    }
  }

  /// Returns the value of a header field; nil without the field. Throws if the field is repeated or not UTF-8.
  func value(of name: StaticString) throws(ServerFault) -> String? {
    guard let field = field(name) else { return nil }
    if field.isRepeated { throw .header(name, "There is more than one \(name) header. Send one.") }
    guard let text = String(validating: field.value, as: UTF8.self) else {
      throw .header(name, "The value of \(name) is not UTF-8.")
    }
    return text
  }

  /// Returns the value of a header field that is a list. The values of repeated fields are joined with commas.
  func list(_ name: StaticString) -> String? {
    let values = values(of: name)
    return values.isEmpty ? nil : values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
  }
}
