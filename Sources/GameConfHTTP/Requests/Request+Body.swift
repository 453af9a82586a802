// Parses the body of a request as JSON.

package import GameConfAPI
package import GameConfCore

extension Request {
  /// Returns the body as JSON; nil without a body.
  /// - Parameter wideIntegers: The integers that become doubles if they do not fit into 64 bits.
  /// - Throws: `MALFORMED_JSON`. The Content-Type was checked before the handler was called.
  package func jsonIfPresent(wideIntegers: JSONLimits.IntegerOverflowPolicy = .inGameData) throws(Problem) -> Value? {
    if body.isEmpty { return nil }
    return try Self.json(body, wideIntegers: wideIntegers)
  }

  /// Returns the body as JSON.
  /// - Throws: `MALFORMED_JSON`, also without a body.
  func json(wideIntegers: JSONLimits.IntegerOverflowPolicy) throws(Problem) -> Value {
    guard let value = try jsonIfPresent(wideIntegers: wideIntegers) else {
      throw Problem(.malformedJSON, "The body is empty; this call needs JSON.", pointer: "")
    }
    return value
  }

  /// Returns a body without its byte order mark, which some programs write and RFC 8259 allows a parser to ignore.
  package static func unmarked(_ body: [UInt8]) -> [UInt8] {
    body.first == 0xEF && body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
  }

  /// Parses the bytes of a body as JSON.
  /// - Throws: `MALFORMED_JSON`.
  package static func json(_ body: [UInt8], wideIntegers: JSONLimits.IntegerOverflowPolicy) throws(Problem) -> Value {
    let body = unmarked(body)
    var limits = JSONLimits()
    // The server has already limited the size of the body.
    limits.bytesMax = body.count
    do throws(JSONError) {
      do throws(JSONError) { return try JSONReader.value(from: body, limits: limits) } catch {
        // Wide integers are rare. Only a body that has one is parsed again, with the slower check of member names.
        guard error.code == .numberOutOfRange, wideIntegers != .refused else { throw error }
        limits.wideIntegers = wideIntegers
        return try JSONReader.value(from: body, limits: limits)
      }
    } catch {
      throw Problem(.malformedJSON, "\(error.message) (byte \(error.offset))", pointer: error.pointer)
    }
  }
}
