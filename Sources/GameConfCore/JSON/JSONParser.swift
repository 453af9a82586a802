// A recursive descent parser of JSON over a memory region: values, lists, objects and white space.

struct JSONParser {
  let base: UnsafePointer<UInt8>
  let end: Int
  let limits: JSONLimits
  let depthMax: Int
  var at = 0
  var depth = 0
  /// True if an integer that exceeds 64 bits is parsed as a double at the current position.
  var admitsWideIntegers: Bool
  /// The names of the members inside which ``admitsWideIntegers`` is true.
  private let wideNames: [String]
  /// A buffer for strings with escapes, reused to avoid an allocation for each.
  var scratch: [UInt8] = []

  init(_ bytes: UnsafeRawBufferPointer, limits: JSONLimits) {
    self.limits = limits
    self.depthMax = min(limits.depthMax, JSONLimits.depthCeiling)
    self.admitsWideIntegers = limits.wideIntegers == .admitted
    if case .within(let names) = limits.wideIntegers { self.wideNames = names } else { self.wideNames = [] }
    guard let start = bytes.baseAddress else {
      self.base = UnsafePointer(bitPattern: 1).unsafelyUnwrapped
      self.end = 0
      return
    }
    self.base = start.assumingMemoryBound(to: UInt8.self)
    self.end = bytes.count
  }

  /// Parses the whole text, which must be one value with nothing but white space before and after it.
  mutating func document() throws(JSONError) -> Value {
    if end > limits.bytesMax { throw Self.tooLarge(limits) }
    try refuseOtherEncodings()
    skipSpace()
    if at == end { throw error(.empty, "The text is empty; a JSON value is needed.") }
    let value = try value()
    skipSpace()
    if at < end { throw error(.trailingData, "The text must end after the value, but it goes on with \(shown(at)).") }
    return value
  }

  mutating func value() throws(JSONError) -> Value {
    guard at < end else { throw error(.syntax, "The text ends where a value is expected.") }
    switch base[at] {
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try list()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default:
      let kinds = "object, list, string in double quotes, number, true, false or null"
      throw error(.syntax, "A value is expected here (\(kinds)), not \(shown(at)).")
    }
  }

  private mutating func object() throws(JSONError) -> Value {
    try enter()
    var object = ObjectValue()
    skipSpace()
    if at < end, base[at] == UInt8(ascii: "}") { return leave(.object(object)) }
    object.reserveCapacity(4)
    while true {
      guard at < end else { throw error(.syntax, "The text ends inside an object; a name in double quotes or } is expected here.") }
      guard base[at] == UInt8(ascii: "\"") else {
        throw error(.syntax, "A member's name in double quotes is expected here, not \(shown(at)).")
      }
      let nameAt = at
      let name = try string()
      skipSpace()
      guard at < end, base[at] == UInt8(ascii: ":") else {
        throw error(.syntax, "A colon should follow the name “\(JSONPointer.clipped(name, bytesMax: 64))”, not \(shown(at)).")
      }
      at += 1
      skipSpace()
      let value: Value
      let admittedWideIntegers = admitsWideIntegers
      if !wideNames.isEmpty, wideNames.contains(name) { admitsWideIntegers = true }
      do throws(JSONError) { value = try self.value() } catch {
        throw error.within("/" + JSONPointer.escaped(name))
      }
      admitsWideIntegers = admittedWideIntegers
      guard object.appendIfAbsent(name, value) else {
        throw JSONError(
          code: .duplicateName, pointer: "/" + JSONPointer.escaped(name), offset: nameAt,
          message: "The name “\(JSONPointer.clipped(name, bytesMax: 64))” appears twice in this object; each name may appear once.")
      }
      skipSpace()
      guard at < end else { throw error(.syntax, "The text ends inside an object; a comma or } is expected here.") }
      switch base[at] {
      case UInt8(ascii: ","):
        at += 1
        skipSpace()
        if at < end, base[at] == UInt8(ascii: "}") { throw error(.syntax, "A member should follow the comma, not }.") }
      case UInt8(ascii: "}"): return leave(.object(object))
      default: throw error(.syntax, "A comma or } is expected here, not \(shown(at)).")
      }
    }
  }

  private mutating func list() throws(JSONError) -> Value {
    try enter()
    var elements: [Value] = []
    skipSpace()
    if at < end, base[at] == UInt8(ascii: "]") { return leave(.list(elements)) }
    while true {
      do throws(JSONError) { elements.append(try value()) } catch { throw error.within("/" + String(elements.count)) }
      skipSpace()
      guard at < end else { throw error(.syntax, "The text ends inside a list; a comma or ] is expected here.") }
      switch base[at] {
      case UInt8(ascii: ","):
        at += 1
        skipSpace()
        if at < end, base[at] == UInt8(ascii: "]") { throw error(.syntax, "A value should follow the comma, not ].") }
      case UInt8(ascii: "]"): return leave(.list(elements))
      default: throw error(.syntax, "A comma or ] is expected here, not \(shown(at)).")
      }
    }
  }

  private mutating func enter() throws(JSONError) {
    if depth == depthMax { throw error(.tooDeep, "Lists and objects may nest \(depthMax) deep, not deeper.") }
    depth += 1
    at += 1
  }

  private mutating func leave(_ value: Value) -> Value {
    depth -= 1
    at += 1
    return value
  }

  private mutating func word(_ word: StaticString, _ value: Value) throws(JSONError) -> Value {
    let count = word.utf8CodeUnitCount
    let matches = end - at >= count && (0..<count).allSatisfy { base[at + $0] == word.utf8Start[$0] }
    guard matches else { throw error(.syntax, "The words are true, false and null, in small letters and without quotes.") }
    at += count
    return value
  }

  @inline(__always)
  mutating func skipSpace() {
    while at < end {
      switch base[at] {
      case 0x20, 0x0A, 0x0D, 0x09: at += 1
      default: return
      }
    }
  }

  private func refuseOtherEncodings() throws(JSONError) {
    guard end >= 2 else { return }
    if end >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF {
      throw error(.syntax, "The text begins with a byte order mark; leave out the bytes EF BB BF.")
    }
    if (base[0] == 0xFE && base[1] == 0xFF) || (base[0] == 0xFF && base[1] == 0xFE) {
      throw error(.invalidUTF8, "The text seems to be UTF-16; JSON is read as UTF-8 only.")
    }
  }

  func error(_ code: JSONError.Code, _ message: String, at offset: Int? = nil) -> JSONError {
    JSONError(code: code, pointer: "", offset: offset ?? at, message: message)
  }

  static func tooLarge(_ limits: JSONLimits) -> JSONError {
    let message = "The text may have \(limits.bytesMax) bytes, not more."
    return JSONError(code: .tooLarge, pointer: "", offset: max(limits.bytesMax, 0), message: message)
  }

  /// Returns the character at a byte offset, in the form in which error messages quote it.
  func shown(_ offset: Int) -> String {
    guard offset < end else { return "the end of the text" }
    let byte = base[offset]
    if byte > 0x20, byte < 0x7F { return "“\(Character(UnicodeScalar(byte)))”" }
    let hex = String(byte, radix: 16, uppercase: true)
    return "the byte 0x\(hex.count == 1 ? "0" : "")\(hex)"
  }
}

extension JSONError {
  /// Returns the same error with its pointer prefixed by one reference token.
  func within(_ step: String) -> JSONError {
    JSONError(code: code, pointer: step + pointer, offset: offset, message: message)
  }
}
