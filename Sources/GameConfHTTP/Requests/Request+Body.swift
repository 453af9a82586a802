// The body of a request as JSON.

internal import GameConfAPI
internal import GameConfCore

extension Request {
  /// The body as JSON; nil when there is none.
  /// - Throws: `MALFORMED_JSON`. That it says it is JSON was seen before the handler was called.
  func jsonIfPresent() throws(Problem) -> Value? {
    if body.isEmpty { return nil }
    var limits = JSONLimits()
    // How many bytes a body may have was decided as it came.
    limits.bytesMax = body.count
    do {
      return try JSONReader.value(from: body, limits: limits)
    } catch {
      throw Problem(.malformedJSON, "\(error.message) (byte \(error.offset))", pointer: error.pointer)
    }
  }

  /// The body as JSON.
  /// - Throws: `MALFORMED_JSON`, also when there is none.
  func json() throws(Problem) -> Value {
    guard let value = try jsonIfPresent() else { throw Problem(.malformedJSON, "The body is empty; this call needs JSON.", pointer: "") }
    return value
  }
}
