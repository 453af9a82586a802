// Finds lines that end in CR LF in bytes that arrive in any pieces, and refuses the bytes no line may hold.

internal import Glibc

/// Looks for one line; the state of the search is the caller's.
struct LineReader: Sendable {
  enum Outcome {
    /// No line end yet, and nothing wrong yet.
    case more
    /// A line without its CR LF, and where the next begins.
    case line(UnsafeRawBufferPointer, end: Int)
    /// The window holds no line end.
    case tooLong
    case failed(RequestFault)
  }

  /// - Parameters:
  ///   - scanned: up to where an earlier call has looked; every byte is looked at once, however small the pieces.
  ///   - window: where the line must have ended.
  func next(_ bytes: UnsafeRawBufferPointer, from start: Int, scanned: inout Int, window: Int) -> Outcome {
    let reach = min(bytes.count, window)
    guard let base = bytes.baseAddress, scanned < reach else { return bytes.count >= window ? .tooLong : .more }
    if let found = memchr(base + scanned, 10, reach - scanned) {
      let at = base.distance(to: UnsafeRawPointer(found))
      let length = at - start - 1
      if length < 0 || bytes[at - 1] != 13 {
        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<at])
        return .failed(worst(line, .bareLineFeed))
      }
      scanned = at + 1
      return .line(UnsafeRawBufferPointer(rebasing: bytes[start..<at - 1]), end: at + 1)
    }
    // Without this a TLS hello or noise would be waited on until the timeout.
    for at in scanned..<reach where LineReader.isControl(bytes[at]) && !(bytes[at] == 13 && at == reach - 1) {
      return .failed(.controlCharacter)
    }
    if bytes.count >= window { return .tooLong }
    scanned = bytes[reach - 1] == 13 ? reach - 1 : reach
    return .more
  }

  /// The fault to name: a control character in the line comes before whatever else is wrong, so that the answer does not depend on how
  /// the bytes were split.
  func worst(_ line: UnsafeRawBufferPointer, _ fault: RequestFault) -> RequestFault {
    line.contains(where: LineReader.isControl) ? .controlCharacter : fault
  }

  static func isControl(_ byte: UInt8) -> Bool { (byte < 32 && byte != 9) || byte == 127 }
}

/// The size at a chunk's begin.
enum ChunkSize {
  private static let digitsMax = 15

  /// The size; nil when the line does not begin with hexadecimal digits alone or before an extension.
  static func read(_ line: UnsafeRawBufferPointer) -> Int? {
    var (size, digits) = (0, 0)
    for byte in line {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: return digits > 0 && isExtension(line.dropFirst(digits)) ? size : nil
      }
      digits += 1
      if digits > digitsMax { return nil }
      size = size << 4 | Int(digit)
    }
    return digits > 0 ? size : nil
  }

  private static func isExtension(_ rest: Slice<UnsafeRawBufferPointer>) -> Bool {
    let rest = rest.drop { $0 == 32 || $0 == 9 }
    return rest.first == UInt8(ascii: ";") && !rest.contains(where: LineReader.isControl)
  }
}
