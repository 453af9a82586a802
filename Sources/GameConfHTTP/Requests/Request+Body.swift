// Parses the body of a request as JSON.

package import GameConfAPI
package import GameConfCore

extension Request {
  /// Returns the request's body as JSON; nil if it is empty.
  /// - Parameter wideIntegers: Selects the members of the JSON in which integers beyond 64 bits are accepted. They become doubles.
  /// - Throws: `MALFORMED_JSON`. The Content-Type was checked before the handler was called.
  package func jsonIfPresent(wideIntegers: JSONLimits.IntegerOverflowPolicy = .inGameData) throws(Problem) -> Value? {
    if body.isEmpty { return nil }
    return try Self.json(body, wideIntegers: wideIntegers)
  }

  /// Returns the request's body as JSON.
  /// - Throws: `MALFORMED_JSON`, also if the body is empty.
  func json(wideIntegers: JSONLimits.IntegerOverflowPolicy) throws(Problem) -> Value {
    guard let value = try jsonIfPresent(wideIntegers: wideIntegers) else {
      throw Problem(.malformedJSON, "The body is empty; this call needs JSON.", pointer: "")
    }
    return value
  }

  /// Returns the body without a byte order mark. Some programs write one, and RFC 8259 allows a parser to ignore it.
  package static func unmarked(_ body: [UInt8]) -> [UInt8] {
    body.first == 0xEF && body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
  }

  /// Parses the bytes of a body as JSON.
  /// - Throws: `MALFORMED_JSON`.
  package static func json(_ body: [UInt8], wideIntegers: JSONLimits.IntegerOverflowPolicy) throws(Problem) -> Value {
    let body = unmarked(body)
    var limits = JSONLimits()
    // The server has already limited the body's size, so the parser's own limit must not be lower.
    limits.bytesMax = body.count
    do throws(JSONError) {
      do throws(JSONError) { return try JSONReader.value(from: body, limits: limits) } catch {
        // Integers beyond 64 bits are rare. Only a body that has one is parsed again. The second parse is slower if it must compare the
        // names of members.
        guard error.code == .numberOutOfRange, wideIntegers != .refused else { throw error }
        limits.wideIntegers = wideIntegers
        return try JSONReader.value(from: body, limits: limits)
      }
    } catch {
      throw Problem(.malformedJSON, "\(error.message) (byte \(error.offset))", pointer: error.pointer)
    }
  }
}
