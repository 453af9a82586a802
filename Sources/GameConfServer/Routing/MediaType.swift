// The check that a body is of the type that its route takes.

/// Judges a body before any handler sees it.
enum MediaType {
  /// The reason why a body is not what the route takes, if it is not.
  static func refusal<App>(of text: HeadText, to route: Route<App>) -> ServerFault? {
    let wanted: String
    switch route.content {
    case .none: return ServerFault(.malformedRequest, "\(route.method.rawValue) \(route.path) takes no body; leave it out.")
    case .type(let type): wanted = type
    }
    if let given = text.field("content-type"), !given.isRepeated, Self.is(given.value, wanted) { return nil }
    let given = text.values(of: "content-type").map { String(decoding: $0, as: UTF8.self) }
    let instead = given.isEmpty ? "" : ", not \(given.joined(separator: " and "))"
    return ServerFault(.unsupportedMediaType, "Send the body with Content-Type: \(wanted)\(instead).")
  }

  /// True if it is that media type, in UTF-8 if it says so.
  static func `is`(_ type: ArraySlice<UInt8>, _ wanted: String) -> Bool {
    // As nearly every client writes it.
    if wanted.utf8.withContiguousStorageIfAvailable({ wanted in type.withUnsafeBufferPointer { $0.elementsEqual(wanted) } }) ?? false {
      return true
    }
    let typeEnd = type.firstIndex(of: semicolon) ?? type.endIndex
    guard letters(of: type[..<typeEnd]).elementsEqual(wanted.utf8) else { return false }
    var rest = type[typeEnd...]
    while rest.popFirst() != nil {
      let end = rest.firstIndex(of: semicolon) ?? rest.endIndex
      let parameter = letters(of: rest[..<end])
      if parameter.starts(with: "charset=".utf8), !parameter.elementsEqual("charset=utf-8".utf8) { return false }
      rest = rest[end...]
    }
    return true
  }

  private static let semicolon = UInt8(ascii: ";")

  /// The significant letters of a part: no blanks, no quotes, and no difference of case.
  private static func letters(of part: ArraySlice<UInt8>) -> some Sequence<UInt8> {
    part.lazy.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\"") }.map(FieldBytes.lowercased)
  }
}
