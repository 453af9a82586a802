// Parses the query of a request target and checks it against the query parameters of the request's route.

internal import GameConfCore

enum QueryParser {
  /// Returns the query parameters by name. The fault of an unknown, repeated, empty or undecodable parameter contains its name.
  /// - Parameters:
  ///   - bare: Parameters that may appear without `=`; their value is then `true`.
  ///   - repeated: Parameters that may appear several times; their values are joined with commas.
  ///   - ignoresUnknown: True if unknown parameters are accepted and ignored.
  static func read(
    _ bytes: ArraySlice<UInt8>, admitted: Set<String>, bare: Set<String> = [], repeated: Set<String> = [], ignoresUnknown: Bool = false
  ) throws(ServerFault) -> [String: String] {
    var query: [String: String] = [:]
    if bytes.isEmpty { return query }
    for part in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      guard let name = PercentEncoding.decode(part[..<(equals ?? part.endIndex)]) else {
        throw ServerFault(.malformedQueryParameter, "The name of a query parameter is not percent-encoded UTF-8.")
      }
      if !admitted.contains(name) {
        if ignoresUnknown { continue }
        throw unknown(name, admitted)
      }
      guard var value = PercentEncoding.decode(equals.map { part[($0 + 1)...] } ?? []) else {
        throw ServerFault(.malformedQueryParameter, "The query parameter \(name) is not percent-encoded UTF-8.", at: .parameter(name))
      }
      if equals == nil, bare.contains(name) { value = "true" }
      if value.isEmpty {
        throw ServerFault(
          .malformedQueryParameter, "The query parameter \(name) is empty; give it a value or leave it out.", at: .parameter(name))
      }
      if let earlier = query[name], repeated.contains(name) { value = earlier + "," + value }
      if query.updateValue(value, forKey: name) != nil, !repeated.contains(name) {
        throw ServerFault(.malformedQueryParameter, "The query parameter \(name) is given more than once.", at: .parameter(name))
      }
    }
    return query
  }

  private static func unknown(_ name: String, _ admitted: Set<String>) -> ServerFault {
    if name.isEmpty { return ServerFault(.malformedQueryParameter, "The query holds a parameter without a name.") }
    let known = admitted.isEmpty ? "takes no query parameters" : "takes \(admitted.sorted().joined(separator: ", "))"
    return ServerFault(.unknownQueryParameter, "There is no query parameter “\(name)” here; this call \(known).", at: .parameter(name))
  }
}
