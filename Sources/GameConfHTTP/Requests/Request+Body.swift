// The body of a request as JSON.

package import GameConfAPI
package import GameConfCore

extension Request {
  /// The body as JSON; nil when there is none.
  /// - Parameter wideIntegers: The integers that are read as doubles if they do not fit 64 bits.
  /// - Throws: `MALFORMED_JSON`. That it says it is JSON was seen before the handler was called.
  package func jsonIfPresent(wideIntegers: JSONLimits.IntegerOverflowPolicy = .inGameData) throws(Problem) -> Value? {
    if body.isEmpty { return nil }
    return try Self.json(body, wideIntegers: wideIntegers)
  }

  /// The body as JSON.
  /// - Throws: `MALFORMED_JSON`, also when there is none.
  func json(wideIntegers: JSONLimits.IntegerOverflowPolicy) throws(Problem) -> Value {
    guard let value = try jsonIfPresent(wideIntegers: wideIntegers) else {
      throw Problem(.malformedJSON, "The body is empty; this call needs JSON.", pointer: "")
    }
    return value
  }

  /// The bytes of a body without a byte order mark, which some programs write and RFC 8259 lets a reader ignore.
  static func unmarked(_ body: [UInt8]) -> [UInt8] {
    body.first == 0xEF && body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
  }

  /// The bytes of a body as JSON.
  /// - Throws: `MALFORMED_JSON`.
  static func json(_ body: [UInt8], wideIntegers: JSONLimits.IntegerOverflowPolicy) throws(Problem) -> Value {
    let body = unmarked(body)
    var limits = JSONLimits()
    // How many bytes a body may have was decided as it came.
    limits.bytesMax = body.count
    do throws(JSONError) {
      do throws(JSONError) { return try JSONReader.value(from: body, limits: limits) } catch {
        // Few bodies have such a number: only they are read again, with a look at each member's name.
        guard error.code == .numberOutOfRange, wideIntegers != .refused else { throw error }
        limits.wideIntegers = wideIntegers
        return try JSONReader.value(from: body, limits: limits)
      }
    } catch {
      throw Problem(.malformedJSON, "\(error.message) (byte \(error.offset))", pointer: error.pointer)
    }
  }
}
