// The resources that a client can attach without calling a tool: the status, each game's catalog, the newest lines of its audit log.

import GameConfAPI
import GameConfCore

struct MCPResources: Sendable {
  private static let scheme = "gameconf://"
  private static let auditLines = "20"

  private var daemon: DaemonClient
  let tools: MCPTools
  private var scope: MCPScope { tools.scope }

  init(daemon: DaemonClient, tools: MCPTools) {
    self.daemon = daemon
    self.daemon.waiting = nil
    self.tools = tools
  }

  private enum Kind: String, CaseIterable {
    case catalog, audit

    var description: String {
      switch self {
      case .catalog: "The game's catalog: keys, themes, products, placements, gates."
      case .audit: "The newest lines of the audit log: author, change, time and reason."
      }
    }
  }

  func list() async throws(MCPError) -> [Value] {
    var list: [Value] = []
    if scope.game == nil { list.append(Self.entry("uri", "status", "status", "The daemon's state on one page.")) }
    let games: [String]
    do throws(CtlFailure) {
      games = if let game = scope.game { [game] } else { try await daemon.ask(Calls.games).answer.games.map(\.game) }
    } catch { throw Self.internalError(error) }
    for game in games.sorted() {
      for kind in Kind.allCases {
        list.append(Self.entry("uri", "games/\(PercentEncoding.encode(game))/\(kind)", "\(game) \(kind)", kind.description))
      }
    }
    return list
  }

  var templates: [Value] {
    if scope.game != nil { return [] }
    return Kind.allCases.map { Self.entry("uriTemplate", "games/{game}/\($0)", "\($0)", $0.description) }
  }

  private static func entry(_ member: String, _ place: String, _ name: String, _ description: String) -> Value {
    [
      member: .string(scheme + place), "name": .string(name), "description": .string(description), "mimeType": "application/json",
    ]
  }

  func read(_ params: ObjectValue, isLegacy: Bool) async throws(MCPError) -> Value {
    guard let uri = params["uri"]?.stringValue else { throw .parameters("resources/read takes a uri.") }
    do throws(CtlFailure) {
      guard let value = try await value(of: uri) else { throw CtlFailure.problem(Problem(.notFound, "")) }
      let text = SafeText.json(value, pretty: false)
      return ["uri": .string(uri), "mimeType": "application/json", "text": .string(text)]
    } catch {
      guard case .problem(let problem) = error, problem.status == 404 else { throw Self.internalError(error) }
      throw MCPError(code: isLegacy ? -32_002 : -32_602, message: "Resource not found", data: ["uri": .string(uri)])
    }
  }

  private func value(of uri: String) async throws(CtlFailure) -> Value? {
    guard uri.hasPrefix(Self.scheme) else { return nil }
    let parts = uri.dropFirst(Self.scheme.count).split(separator: "/", omittingEmptySubsequences: false)
    if parts == ["status"], scope.game == nil {
      return MCPFilter().shown(try await daemon.ask(Calls.status).value, as: StatusAnswer.schemaName)
    }
    guard parts.count == 3, parts[0] == "games", let game = PercentEncoding.decode(parts[1].utf8),
      let kind = Kind(rawValue: String(parts[2])),
      scope.game == nil || scope.game == game
    else { return nil }
    let filter = try await tools.filter(of: game)
    switch kind {
    case .catalog: return filter.shown(try await daemon.ask(Calls.catalog, ["game": game]).value, as: CatalogAnswer.schemaName)
    case .audit:
      let query = [("limit", Self.auditLines)] + (scope.player.map { [("player", $0)] } ?? [])
      return filter.shown(try await daemon.ask(Calls.audit, ["game": game], query: query).value, as: AuditList.schemaName)
    }
  }

  private static func internalError(_ failure: CtlFailure) -> MCPError {
    MCPError(code: -32_603, message: failure.lines.map(\.unescaped).joined(separator: "\n"))
  }
}
