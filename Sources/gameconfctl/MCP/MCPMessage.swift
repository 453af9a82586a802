// The messages of the Model Context Protocol: JSON-RPC 2.0 with one message on each line.

import GameConfAPI
import GameConfCore

/// An error that JSON-RPC returns to a client.
struct MCPError: Error, Equatable {
  var code: Int64
  var message: String
  var data: Value?

  static func malformed(_ message: String) -> MCPError { MCPError(code: -32_600, message: message) }
  static func parameters(_ message: String) -> MCPError { MCPError(code: -32_602, message: message) }
}

/// A message from a client, which is one line of JSON.
enum MCPMessage: Equatable {
  case request(id: Value, method: String, params: ObjectValue)
  /// A notification or a response, which the server does not answer.
  case unanswered
  /// A line that is not a valid message.
  /// - Parameter id: The id of the request; nil if it cannot be read.
  case malformed(id: Value?, MCPError)

  /// The maximum size of a line in bytes.
  static let bytesMax = 4 << 20

  init(_ line: [UInt8]) {
    // Some clients end a message with two line breaks, so an empty line is no error.
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
      self = .unanswered
      return
    }
    let value: Value
    var limits = JSONLimits(depthMax: 128, bytesMax: Self.bytesMax)
    // The daemon accepts wide integers only in members with a game's data, so the limits here are the same.
    limits.wideIntegers = .inGameData
    do throws(JSONError) {
      value = try JSONReader.value(from: line, limits: limits)
    } catch {
      self = .malformed(id: nil, MCPError(code: -32_700, message: "The line is not JSON: \(error.message)"))
      return
    }
    guard case .object(let object) = value else {
      self = .malformed(id: nil, .malformed("A message is one JSON object; batches are not supported."))
      return
    }
    let method = object["method"]?.stringValue
    guard let given = object["id"] else {
      self = method != nil || Self.isResponse(object) ? .unanswered : .malformed(id: nil, .malformed("A message names its method."))
      return
    }
    if method == nil, Self.isResponse(object) {
      self = .unanswered
      return
    }
    let id: Value? =
      switch given {
      case .string, .integer: given
      default: nil
      }
    guard let id else {
      self = .malformed(id: nil, .malformed("The id of a request is a string or an integer."))
      return
    }
    guard object["jsonrpc"] == "2.0" else {
      self = .malformed(id: id, .malformed("A message has “jsonrpc”: “2.0”."))
      return
    }
    guard let method else {
      self = .malformed(id: id, .malformed("A request names its method."))
      return
    }
    switch object["params"] {
    case nil, .null?: self = .request(id: id, method: method, params: ObjectValue())
    case .object(let params): self = .request(id: id, method: method, params: params)
    default: self = .malformed(id: id, .parameters("The params of a request are an object."))
    }
  }

  private static func isResponse(_ object: ObjectValue) -> Bool { object["result"] != nil || object["error"] != nil }
}
