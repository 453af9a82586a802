// The query of a target, held against the names an endpoint takes.

internal import GameConfAPI

enum Query {
  /// The parameters; unknown, repeated, empty and undecodable ones are refused by name.
  static func read(_ bytes: ArraySlice<UInt8>, admitted: Set<String>) throws(Problem) -> [String: String] {
    var query: [String: String] = [:]
    if bytes.isEmpty { return query }
    for part in bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
      let equals = part.firstIndex(of: UInt8(ascii: "="))
      guard let name = PercentEncoding.decode(part[..<(equals ?? part.endIndex)]) else {
        throw Problem(.malformedQueryParameter, "The name of a query parameter is not percent-encoded UTF-8.")
      }
      if !admitted.contains(name) { throw unknown(name, admitted) }
      guard let value = PercentEncoding.decode(equals.map { part[($0 + 1)...] } ?? []) else {
        throw Problem.query(.malformedQueryParameter, name, "The query parameter \(name) is not percent-encoded UTF-8.")
      }
      if value.isEmpty {
        throw Problem.query(.malformedQueryParameter, name, "The query parameter \(name) is empty; give it a value or leave it out.")
      }
      if query.updateValue(value, forKey: name) != nil {
        throw Problem.query(.malformedQueryParameter, name, "The query parameter \(name) is there more than once.")
      }
    }
    return query
  }

  private static func unknown(_ name: String, _ admitted: Set<String>) -> Problem {
    if name.isEmpty { return Problem(.malformedQueryParameter, "The query holds a parameter without a name.") }
    let known = admitted.isEmpty ? "takes no query parameters" : "takes \(admitted.sorted().joined(separator: ", "))"
    return .query(.unknownQueryParameter, name, "There is no query parameter “\(name)” here; this call \(known).")
  }
}
