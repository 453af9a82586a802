// The server side of the Model Context Protocol: responds to each method, in the current revision and in older ones with a handshake.

import GameConfAPI
import GameConfCore

/// Responds to the messages of one client.
struct MCPServer {
  /// The revision of the protocol in which each request carries the version, so that no handshake is needed.
  static let modernVersion = "2026-07-28"
  /// The older revisions of the protocol, which begin with a handshake; the newest first.
  static let legacyVersions = ["2025-11-25", "2025-06-18"]

  /// The longest time in milliseconds for which a client may cache a list or a response.
  private static let listMilliseconds: Int64 = 60_000
  private static let versionKey = "io.modelcontextprotocol/protocolVersion"
  private static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"

  /// The two kinds of protocol revisions: without a handshake, and with one.
  private enum ProtocolEra { case modern, legacy }

  let tools: MCPTools
  let resources: MCPResources
  private var hasBegun = false

  init(tools: MCPTools, resources: MCPResources) {
    (self.tools, self.resources) = (tools, resources)
  }

  /// Responds to a line from the client.
  /// - Returns: The messages to send; empty for a line that needs no response.
  mutating func answers(to line: [UInt8]) async -> [Value] {
    switch MCPMessage(line) {
    case .unanswered: return []
    case .malformed(let id, let error): return [Self.failure(id, error)]
    case .request(let id, let method, let params):
      do throws(MCPError) {
        let era = try era(method, params)
        if era == .modern, method == "subscriptions/listen" { return Self.closedSubscription(id) }
        let result = try await result(era, method, params)
        return [["jsonrpc": "2.0", "id": id, "result": .object(result)]]
      } catch { return [Self.failure(id, error)] }
    }
  }

  private static func failure(_ id: Value?, _ error: MCPError) -> Value {
    var failure = ObjectValue([("code", .integer(error.code)), ("message", .string(error.message))])
    if let data = error.data { failure["data"] = data }
    var message: ObjectValue = ["jsonrpc": "2.0"]
    if let id { message["id"] = id }
    message["error"] = .object(failure)
    return .object(message)
  }

  /// Confirms a subscription and ends it immediately, because the lists cannot change while the program runs.
  private static func closedSubscription(_ id: Value) -> [Value] {
    let meta: Value = ["io.modelcontextprotocol/subscriptionId": id]
    return [
      ["jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": ["_meta": meta, "notifications": [:]]],
      ["jsonrpc": "2.0", "id": id, "result": ["resultType": "complete", "_meta": meta]],
    ]
  }

  private func era(_ method: String, _ params: ObjectValue) throws(MCPError) -> ProtocolEra {
    guard let version = params["_meta"]?[Self.versionKey] else {
      if hasBegun || method == "initialize" || method == "ping" { return .legacy }
      throw .parameters(
        "Each request names its version in _meta as \(Self.versionKey): \(Self.modernVersion); older clients begin with initialize.")
    }
    guard version.stringValue == Self.modernVersion else {
      throw MCPError(
        code: -32_022, message: "Unsupported protocol version",
        data: ["supported": [.string(Self.modernVersion)], "requested": .string(version.stringValue ?? JSONWriter.text(version))])
    }
    guard params["_meta"]?[Self.capabilitiesKey]?.objectValue != nil else {
      throw .parameters("Each request names its client's capabilities in _meta as \(Self.capabilitiesKey), an object.")
    }
    return .modern
  }

  private mutating func result(_ era: ProtocolEra, _ method: String, _ params: ObjectValue) async throws(MCPError) -> ObjectValue {
    var result: ObjectValue
    var isCacheable = true
    switch (era, method) {
    case (.legacy, "initialize"):
      hasBegun = true
      return begun(params)
    case (.legacy, "ping"): return ObjectValue()
    case (.modern, "server/discover"):
      result = [
        "supportedVersions": [.string(Self.modernVersion)], "capabilities": Self.capabilities,
        "instructions": .string(tools.scope.instructions),
      ]
    case (_, "tools/list"):
      try Self.checkCursor(params)
      result = ["tools": .list(await tools.list())]
    case (_, "tools/call"):
      result = try await tools.call(params)
      isCacheable = false
    case (_, "resources/list"):
      try Self.checkCursor(params)
      result = ["resources": .list(try await resources.list())]
    case (_, "resources/templates/list"):
      try Self.checkCursor(params)
      result = ["resourceTemplates": .list(resources.templates)]
    case (_, "resources/read"): result = ["contents": [try await resources.read(params, isLegacy: era == .legacy)]]
    default: throw MCPError(code: -32_601, message: "There is no method “\(method)” here.")
    }
    guard era == .modern else { return result }
    result["resultType"] = "complete"
    result["_meta"] = ["io.modelcontextprotocol/serverInfo": Self.info]
    if isCacheable {
      // Responses are private, because permissions differ by user. Resources change at any time, so clients may not cache them.
      result["ttlMs"] = .integer(method == "resources/read" ? 0 : Self.listMilliseconds)
      result["cacheScope"] = "private"
    }
    return result
  }

  private func begun(_ params: ObjectValue) -> ObjectValue {
    let wanted = params["protocolVersion"]?.stringValue ?? ""
    return [
      "protocolVersion": .string(Self.legacyVersions.contains(wanted) ? wanted : Self.legacyVersions[0]),
      "capabilities": Self.capabilities, "serverInfo": Self.info, "instructions": .string(tools.scope.instructions),
    ]
  }

  private static let capabilities: Value = ["tools": [:], "resources": [:]]
  private static let info: Value = ["name": "gameconfd", "version": .string(ReleaseVersion.version)]

  /// Refuses a cursor, because every list has only one page.
  private static func checkCursor(_ params: ObjectValue) throws(MCPError) {
    // Some serializers write an absent member as null or as an empty text, so both count as absent.
    switch params["cursor"] {
    case nil, .null?, .string("")?: return
    default: throw .parameters("The list has one page; leave out the cursor.")
    }
  }
}
