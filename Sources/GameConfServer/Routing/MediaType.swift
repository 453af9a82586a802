// Checks that a body has the media type of its route.

/// Compares a body's Content-Type with the type that its route takes.
enum MediaType {
  /// Returns the fault of a body's Content-Type; nil if the route takes it.
  static func refusal<App>(of text: RequestHeadBytes, to route: Route<App>) -> ServerFault? {
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

  /// True if a Content-Type is the wanted media type; a charset in it must be UTF-8.
  static func `is`(_ type: ArraySlice<UInt8>, _ wanted: String) -> Bool {
    // Fast path: nearly every client sends the media type without parameters, in this spelling.
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

  /// Returns the characters of a media type or parameter for a comparison: in lower case, without spaces and quotes.
  private static func letters(of part: ArraySlice<UInt8>) -> some Sequence<UInt8> {
    part.lazy.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\"") }.map(FieldBytes.lowercased)
  }
}
