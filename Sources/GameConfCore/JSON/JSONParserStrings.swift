// Parses the strings of JSON: plain ASCII in a fast path, escapes and UTF-8 byte by byte.

extension JSONParser {
  /// Parses the string whose opening quote is at the current position.
  mutating func string() throws(JSONError) -> String {
    at += 1
    let start = at
    skipPlainASCII()
    if at < end, base[at] == UInt8(ascii: "\"") {
      let text = String(decoding: UnsafeBufferPointer(start: base + start, count: at - start), as: UTF8.self)
      at += 1
      return text
    }
    return try stringBeyondASCII(from: start)
  }

  /// Advances to the first byte that is a quote, a backslash, a control character or not ASCII. It tests eight bytes at a time (SWAR).
  @inline(__always)
  private mutating func skipPlainASCII() {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    while end - at >= 8 {
      let word = UnsafeRawPointer(base + at).loadUnaligned(as: UInt64.self)
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let found = ((word &- ones &* 0x20) | (quote &- ones) | (backslash &- ones) | word) & highs
      if found != 0 { break }
      at += 8
    }
    while at < end {
      let byte = base[at]
      if byte < 0x20 || byte >= 0x80 || byte == 0x22 || byte == 0x5C { return }
      at += 1
    }
  }

  private mutating func stringBeyondASCII(from start: Int) throws(JSONError) -> String {
    var runStart = start
    var hasEscapes = false
    while true {
      skipPlainASCII()
      guard at < end else { throw error(.syntax, "The text ends inside a string; a closing double quote is missing.") }
      switch base[at] {
      case UInt8(ascii: "\""):
        let run = UnsafeBufferPointer(start: base + runStart, count: at - runStart)
        at += 1
        guard hasEscapes else { return String(decoding: run, as: UTF8.self) }
        scratch.append(contentsOf: run)
        return String(decoding: scratch, as: UTF8.self)
      case UInt8(ascii: "\\"):
        if !hasEscapes { scratch.removeAll(keepingCapacity: true) }
        hasEscapes = true
        scratch.append(contentsOf: UnsafeBufferPointer(start: base + runStart, count: at - runStart))
        try escape()
        runStart = at
      case 0x00..<0x20:
        let message = "A control character inside a string is written as an escape, such as \\n or \\u0009"
        throw error(.controlCharacter, "\(message); this is \(shown(at)).")
      default: try skipMultiByte()
      }
    }
  }

  private mutating func escape() throws(JSONError) {
    let start = at
    guard at + 1 < end else { throw error(.syntax, "The text ends inside an escape.") }
    let letter = base[at + 1]
    at += 2
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(letter)
    case UInt8(ascii: "b"): scratch.append(0x08)
    case UInt8(ascii: "t"): scratch.append(0x09)
    case UInt8(ascii: "n"): scratch.append(0x0A)
    case UInt8(ascii: "f"): scratch.append(0x0C)
    case UInt8(ascii: "r"): scratch.append(0x0D)
    case UInt8(ascii: "u"):
      let scalar = try escapedScalar(from: start)
      UTF8.encode(scalar).map { scratch.append(contentsOf: $0) }
    default:
      throw error(.syntax, "A backslash must be followed by one of \" \\ / b f n r t u, not \(shown(start + 1)).", at: start)
    }
  }

  private mutating func escapedScalar(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let first = try hexDigits(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let half = "\\u" + String(first, radix: 16, uppercase: true)
    let lone = error(
      .loneSurrogate, "\(half) is half of a surrogate pair; a high half (D800 to DBFF) is followed by a low one (DC00 to DFFF).", at: start)
    guard first < 0xDC00, end - at >= 2, base[at] == UInt8(ascii: "\\"), base[at + 1] == UInt8(ascii: "u") else { throw lone }
    let secondAt = at
    at += 2
    let second = try hexDigits(from: secondAt)
    guard (0xDC00..<0xE000).contains(second) else { throw lone }
    guard let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) else { throw lone }
    return scalar
  }

  private mutating func hexDigits(from start: Int) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard at < end else { throw error(.syntax, "The text ends inside an escape.") }
      let byte = base[at]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
      default: throw error(.syntax, "\\u must be followed by four hexadecimal digits, not \(shown(at)).", at: start)
      }
      value = value << 4 | UInt32(digit)
      at += 1
    }
    return value
  }

  /// Skips a character of two to four bytes. Overlong encodings, surrogates and values above U+10FFFF are not valid UTF-8 (RFC 3629).
  private mutating func skipMultiByte() throws(JSONError) {
    let first = base[at]
    let count: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: count = 2
    case 0xE0: (count, second) = (3, 0xA0...0xBF)
    case 0xED: (count, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: count = 3
    case 0xF0: (count, second) = (4, 0x90...0xBF)
    case 0xF4: (count, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: count = 4
    default: throw invalidUTF8()
    }
    guard end - at >= count, second.contains(base[at + 1]) else { throw invalidUTF8() }
    for next in 2..<max(count, 2) where !(0x80...0xBF).contains(base[at + next]) { throw invalidUTF8() }
    at += count
  }

  private func invalidUTF8() -> JSONError {
    error(.invalidUTF8, "The text is not UTF-8 here: \(shown(at)) does not begin a well-formed character.")
  }
}
