// The arguments of a tool, moved to their places in the call: path, query or body.

import GameConfAPI
import GameConfCore
import GameConfTransport

struct MCPArguments {
  private(set) var variables: [String: String]
  private(set) var query: [(String, String)] = []
  private(set) var body = OutgoingRequest.Body.none
  private(set) var revision: Int64?

  init(_ given: ObjectValue, of tool: MCPToolText) throws(CtlFailure) {
    variables = tool.fixed
    let known = tool.arguments
    if let unknown = given.members.first(where: { member in !known.contains { $0.name == member.name } })?.name {
      let names = known.map(\.name)
      throw .refused([
        "“\(unknown)” is not an argument of \(tool.endpoint.id)\(names.isEmpty ? "" : "; it takes \(names.joined(separator: ", "))")."
      ])
    }
    var members = ObjectValue()
    for (name, place, _, isRequired) in known {
      guard let value = given[name], value != .null || place == .body else {
        if isRequired { throw .refused(["\(tool.endpoint.id) needs “\(name)”."]) }
        continue
      }
      switch place {
      case .path: variables[name] = try Self.text(value, name)
      case .query(let kind): query.append((name, try Self.text(value, name, kind)))
      case .body: members[name] = value
      case .revision:
        guard let number = value.integerValue, number >= 0 else {
          throw .refused(["“revision” is a whole number, from the answer of a plan."])
        }
        revision = number
      }
    }
    if let player = tool.scope.player, tool.scope.takesPlayer(tool.endpoint) { query.append(("player", player)) }
    if case .json(_, let isRequired) = tool.endpoint.request, isRequired || !members.isEmpty {
      body = .bytes(JSONWriter.bytes(.object(members)), mediaType: "application/json")
    }
  }

  private static func text(_ value: Value, _ name: String, _ kind: QueryParameter.Kind = .text()) throws(CtlFailure) -> String {
    switch (value, kind) {
    case (.list(let values), .list):
      let texts = values.compactMap(\.stringValue)
      if texts.count == values.count { return texts.joined(separator: ",") }
    case (.string(let text), _): return text
    case (.integer(let number), _): return String(number)
    case (.bool(let flag), .flag): return flag ? "true" : "false"
    default: break
    }
    throw .refused(["“\(name)” cannot be \(value.kind.rawValue == "object" ? "an object" : "a \(value.kind.rawValue)")."])
  }
}
