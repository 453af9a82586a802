// JSON that may not be longer than its reader can bear.

extension JSONWriter {
  /// The value's JSON; nil when it has more than that many bytes. No more is written than the bound and one text or number beyond it.
  public static func bytes(_ value: Value, bytesMax: Int, reserving capacity: Int = 0) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    return append(value, to: &bytes, bytesMax: bytesMax) ? bytes : nil
  }

  private static func append(_ value: Value, to bytes: inout [UInt8], bytesMax: Int) -> Bool {
    switch value {
    case .list(let elements):
      bytes.append(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        if !append(element, to: &bytes, bytesMax: bytesMax) { return false }
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      bytes.append(UInt8(ascii: "{"))
      var isFirst = true
      for member in object.members {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        appendString(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if !append(member.value, to: &bytes, bytesMax: bytesMax) { return false }
      }
      bytes.append(UInt8(ascii: "}"))
    default: append(value, to: &bytes)
    }
    return bytes.count <= bytesMax
  }
}
