// Operations on texts in expressions: comparison and search by bytes, and conversion between numbers and text.

enum LogicText {
  /// Orders two texts by their Unicode scalars, which is also the order of their UTF-8 bytes.
  static func order(_ left: String, _ right: String, _ run: inout LogicEvaluator) -> LogicOrder {
    guard run.spend(bytes: min(left.utf8.count, right.utf8.count)) else { return .unordered }
    if ByteText.areSame(left, right) { return .equal }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? .less : .greater
  }

  /// Converts a value to a text as the operator `cat` does; returns nil if the text exceeds a limit.
  static func of(_ value: Value, _ run: inout LogicEvaluator) -> String? {
    if case .string(let text) = value { return text }
    var text = ""
    return append(value, to: &text, &run) ? text : nil
  }

  /// Appends the text of a value, converted as the operator `cat` does.
  /// - Returns: False if a limit was exceeded.
  static func append(_ value: Value, to text: inout String, _ run: inout LogicEvaluator) -> Bool {
    guard run.spend() else { return false }
    switch value {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += String(number)
    case .double(let number): text += self.number(number)
    case .string(let part):
      guard run.spend(bytes: part.utf8.count) else { return false }
      guard text.utf8.count + part.utf8.count <= LogicLimits.producedTextBytesMax else {
        run.exceed(.producedText)
        return false
      }
      text += part
    case .object: text += "[object Object]"
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        guard append(element, to: &text, &run) else { return false }
      }
    }
    guard text.utf8.count <= LogicLimits.producedTextBytesMax else {
      run.exceed(.producedText)
      return false
    }
    return true
  }

  /// Formats a number as JavaScript does, such as `18`, `0.1` or `1e+21`.
  static func number(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    if number == 0 { return "0" }
    var digits: [UInt8] = []
    var exponent = 0
    var fraction = 0
    var hasPoint = false
    let bytes = Array(number.magnitude.description.utf8)
    for (at, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: ".") {
        hasPoint = true
      } else if byte == UInt8(ascii: "e") {
        exponent = Int(String(decoding: bytes[(at + 1)...], as: UTF8.self)) ?? 0
        break
      } else {
        digits.append(byte)
        if hasPoint { fraction += 1 }
      }
    }
    exponent += digits.count - fraction
    while digits.first == UInt8(ascii: "0") {
      digits.removeFirst()
      exponent -= 1
    }
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    return (number < 0 ? "-" : "") + written(digits, pointAfter: exponent)
  }

  private static func written(_ digits: [UInt8], pointAfter place: Int) -> String {
    let text = String(decoding: digits, as: UTF8.self)
    switch place {
    case digits.count...21 where place >= digits.count: return text + String(repeating: "0", count: place - digits.count)
    case 1...21: return text.prefix(place) + "." + text.dropFirst(place)
    case -5...0: return "0." + String(repeating: "0", count: -place) + text
    default:
      let mantissa = digits.count == 1 ? text : text.prefix(1) + "." + text.dropFirst()
      return mantissa + (place > 0 ? "e+" : "e-") + String(abs(place - 1))
    }
  }

  /// Parses a decimal number, which may have white space around it. Returns NaN for any other text, also for an empty one.
  static func parsedNumber(_ text: String, _ run: inout LogicEvaluator) -> LogicNumber {
    guard run.spend(bytes: text.utf8.count) else { return .notANumber }
    let trimmed = trimmed(text[...])
    var utf8 = trimmed.utf8[...]
    let isNegative = utf8.first == UInt8(ascii: "-")
    if isNegative || utf8.first == UInt8(ascii: "+") { utf8 = utf8.dropFirst() }
    var digitCount = 0
    var whole: Int64? = 0
    var isWhole = true
    while let byte = utf8.first {
      if let digit = digit(byte) {
        digitCount += 1
        if isWhole { whole = whole.flatMap { appending(digit, to: $0) } }
      } else if byte == UInt8(ascii: "."), isWhole {
        isWhole = false
      } else {
        break
      }
      utf8 = utf8.dropFirst()
    }
    guard digitCount > 0 else { return .notANumber }
    if utf8.first == UInt8(ascii: "e") || utf8.first == UInt8(ascii: "E") {
      isWhole = false
      utf8 = utf8.dropFirst()
      if utf8.first == UInt8(ascii: "-") || utf8.first == UInt8(ascii: "+") { utf8 = utf8.dropFirst() }
      guard !utf8.isEmpty else { return .notANumber }
      while let byte = utf8.first, digit(byte) != nil { utf8 = utf8.dropFirst() }
    }
    guard utf8.isEmpty else { return .notANumber }
    if isWhole, let whole { return .integer(isNegative ? -whole : whole) }
    return .double(Double(trimmed) ?? .nan)
  }

  @inline(__always)
  private static func digit(_ byte: UInt8) -> Int64? { byte >= 48 && byte <= 57 ? Int64(byte &- 48) : nil }

  private static func appending(_ digit: Int64, to number: Int64) -> Int64? {
    let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
    let (sum, isOver) = product.addingReportingOverflow(digit)
    return isTooLarge || isOver ? nil : sum
  }

  static func trimmed(_ text: Substring) -> Substring {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0d) }
    var utf8 = text.utf8
    while let byte = utf8.first, isBlank(byte) { utf8 = utf8.dropFirst() }
    while let byte = utf8.last, isBlank(byte) { utf8 = utf8.dropLast() }
    return Substring(utf8)
  }

  static func starts(_ text: String, with prefix: String) -> Bool { text.utf8.starts(with: prefix.utf8) }

  static func ends(_ text: String, with suffix: String) -> Bool {
    let missing = text.utf8.count - suffix.utf8.count
    return missing >= 0 && text.utf8.dropFirst(missing).elementsEqual(suffix.utf8)
  }

  /// True if a text contains another one. Each compared byte counts toward the step limit, because this naive search is quadratic in the
  /// worst case.
  static func contains(_ text: String, _ part: String, _ run: inout LogicEvaluator) -> Bool {
    let found = text.utf8.withContiguousStorageIfAvailable { text in
      part.utf8.withContiguousStorageIfAvailable { part in search(text, part, &run) }
    }
    if let found = found.flatMap({ $0 }) { return found }
    return Array(text.utf8).withUnsafeBufferPointer { text in
      Array(part.utf8).withUnsafeBufferPointer { part in search(text, part, &run) }
    }
  }

  private static func search(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>, _ run: inout LogicEvaluator) -> Bool {
    if part.isEmpty { return true }
    guard part.count <= text.count else { return false }
    var compared = 0
    for start in 0...(text.count - part.count) {
      var at = 0
      while at < part.count, text[start + at] == part[at] { at += 1 }
      if at == part.count { return true }
      compared += at + 1
      if compared >= 4096 {
        guard run.spend(bytes: compared) else { return false }
        compared = 0
      }
    }
    _ = run.spend(bytes: compared)
    return false
  }
}
