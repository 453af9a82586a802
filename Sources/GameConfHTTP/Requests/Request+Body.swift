// The body of a request as JSON, and as a shape of the contract.

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

  /// The body as a shape of the contract.
  func shape<Shape: WireShape>(_ shape: Shape.Type) throws(Problem) -> Shape {
    let value = try json()
    do throws(WireFault) { return try Shape(wire: value) } catch { throw Problem(error) }
  }

  /// The body as a shape of the contract; nil when there is none.
  func shapeIfPresent<Shape: WireShape>(_ shape: Shape.Type) throws(Problem) -> Shape? {
    guard let value = try jsonIfPresent() else { return nil }
    do throws(WireFault) { return try Shape(wire: value) } catch { throw Problem(error) }
  }

  /// The reason of a change whose body holds nothing else.
  func reason() throws(Problem) -> String? { try shapeIfPresent(ReasonRequest.self)?.reason }
}
