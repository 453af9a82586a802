// The text of one YAML file: its validated bytes, and the conversion of offsets to lines and columns.

/// The text of a YAML file, in which every line break is a single line feed.
struct YAMLText: Sendable {
  /// The maximum size of a file, in bytes: 4 MiB.
  static let bytesMax = 4 << 20

  /// The index of the file among those that are parsed together.
  let file: Int
  /// The text in UTF-8 without a byte order mark. Tabs are not replaced.
  let bytes: [UInt8]
  private let lineStarts: [Int]

  /// Creates the text from the bytes of a file: removes a byte order mark and normalizes line breaks.
  /// - Parameter faults: The list to which a fault is appended if the bytes are not valid text.
  init(_ raw: [UInt8], file: Int, faults: inout [TextFault]) {
    self.file = file
    var bytes: [UInt8] = []
    var complaint: (offset: Int, message: String)?
    if raw.count > Self.bytesMax {
      complaint = (0, "The file has \(raw.count) bytes; one may have \(Self.bytesMax) (4 MiB).")
    } else {
      bytes = Self.oneLineEnd(raw)
      complaint = Self.complaint(about: bytes)
    }
    var starts = [0]
    if let complaint, complaint.offset == 0 { bytes = [] }
    for at in bytes.indices where bytes[at] == UInt8(ascii: "\n") { starts.append(at + 1) }
    lineStarts = starts
    if let complaint { faults.append(TextFault(place: TextPosition(file: file, offset: complaint.offset), message: complaint.message)) }
    self.bytes = bytes
  }

  /// Returns the line and the column at an offset, both counted from 1. Columns count Unicode scalars.
  func position(of offset: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let start = lineStarts[low]
    let column = bytes[start..<max(start, min(offset, bytes.count))].count { $0 & 0xC0 != 0x80 }
    return (low + 1, column + 1)
  }

  private static func oneLineEnd(_ raw: [UInt8]) -> [UInt8] {
    let text = raw.starts(with: [0xEF, 0xBB, 0xBF]) ? raw[3...] : raw[...]
    guard text.contains(UInt8(ascii: "\r")) else { return Array(text) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var at = text.startIndex
    while at < text.endIndex {
      if text[at] == UInt8(ascii: "\r") {
        bytes.append(UInt8(ascii: "\n"))
        if at + 1 < text.endIndex, text[at + 1] == UInt8(ascii: "\n") { at += 1 }
      } else {
        bytes.append(text[at])
      }
      at += 1
    }
    return bytes
  }

  private static func complaint(about bytes: [UInt8]) -> (offset: Int, message: String)? {
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      if byte < 0x80 {
        if byte < 0x20 && byte != 0x09 && byte != 0x0A || byte == 0x7F {
          let code = String(byte, radix: 16, uppercase: true)
          return (at, "The control character U+\(String(repeating: "0", count: 4 - code.count))\(code) is not allowed in it.")
        }
        at += 1
        continue
      }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      let end = min(at + length, bytes.count)
      guard String(validating: bytes[at..<end], as: UTF8.self) != nil else {
        return (at, "The file is not UTF-8 here; save it as UTF-8.")
      }
      at = end
    }
    return nil
  }
}
