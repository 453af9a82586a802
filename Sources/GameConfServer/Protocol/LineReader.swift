// Finds lines that end in CR LF, in bytes that arrive in arbitrary pieces, and refuses lines with control characters.

internal import Glibc

/// A stateless search for the end of a line that arrives in pieces. The caller stores the offset that the search has reached.
struct LineReader: Sendable {
  enum LineScan {
    /// The line is incomplete and free of faults so far.
    case more
    /// A complete line without its CR LF, and the offset of the next line.
    case line(UnsafeRawBufferPointer, end: Int)
    /// The line does not end before the offset `window`, its limit.
    case tooLong
    case failed(RequestFault)
  }

  /// - Parameters:
  ///   - scanned: The offset up to which earlier calls have searched, so that small pieces do not cause quadratic work.
  ///   - window: The offset at which the line must have ended.
  func next(_ bytes: UnsafeRawBufferPointer, from start: Int, scanned: inout Int, window: Int) -> LineScan {
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
    // Refuses a TLS hello or other binary data immediately instead of waiting for a line end until the timeout.
    for at in scanned..<reach where LineReader.isControl(bytes[at]) && !(bytes[at] == 13 && at == reach - 1) {
      return .failed(.controlCharacter)
    }
    if bytes.count >= window { return .tooLong }
    scanned = bytes[reach - 1] == 13 ? reach - 1 : reach
    return .more
  }

  /// Returns the fault to report for a line. A control character is reported before any other fault, so that the answer does not depend on
  /// the pieces in which the bytes arrived.
  func worst(_ line: UnsafeRawBufferPointer, _ fault: RequestFault) -> RequestFault {
    line.contains(where: LineReader.isControl) ? .controlCharacter : fault
  }

  static func isControl(_ byte: UInt8) -> Bool { (byte < 32 && byte != 9) || byte == 127 }
}

enum ChunkSize {
  private static let digitsMax = 15

  /// Parses the line before a chunk of a chunked body: the size in hexadecimal digits, possibly with an extension. Nil for another line.
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
