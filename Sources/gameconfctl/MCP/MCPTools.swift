// Offers calls of the daemon as tools: the list of tools for this user, and their execution.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Synchronization

/// Lists tools and executes them with the rights of this program's user.
final class MCPTools: Sendable {
  /// The maximum size of a result in bytes; language models do not read more.
  private static let answerBytesMax = 256 << 10

  let scope: MCPScope
  private let daemon: DaemonClient
  /// The id of the newest audit entry that this program has written and reported.
  private let newestLine = Mutex<Int64>(0)

  /// Creates the tools over a client of the daemon.
  /// - Parameter session: The session that the audit log has with each change.
  init(daemon: DaemonClient, scope: MCPScope, session: String) {
    var daemon = daemon
    daemon.session = session
    daemon.waiting = nil
    daemon.program = "mcp"
    (self.daemon, self.scope) = (daemon, scope)
  }

  // MARK: Listing

  /// Returns the tools that this user may call, in the order of the call table.
  func list() async -> [Value] {
    let access = await access()
    return scope.endpoints.filter { MCPScope.permits(access, $0) }.map { MCPToolText(endpoint: $0, scope: scope).value }
  }

  /// Returns the access that the daemon gives this user. If no daemon answers, returns full access, so that the tool's call reports the
  /// failure.
  private func access() async -> MCPScope.Access {
    do throws(CtlFailure) {
      _ = try await daemon.ask(Calls.storeCopies)
      return .admin
    } catch {
      switch error {
      case .problem(let problem) where problem.code == .notPermitted:
        // The refusal names the needed role only to a user who has some role. A user without any role has only the games socket.
        guard problem.extensions["needs"] != nil else { return .gamesSocket }
        return problem.extensions["tester"] == true ? .tester : .reader
      case .problem(let problem) where problem.code != .adminOnly: return .admin
      default: return await answersGames() ? .gamesSocket : .admin
      }
    }
  }

  private func answersGames() async -> Bool {
    do throws(CtlFailure) { _ = try await daemon.ask(Calls.games) } catch { return false }
    return true
  }

  // MARK: Calling

  /// Executes a tool and returns the result of `tools/call`.
  func call(_ params: ObjectValue) async throws(MCPError) -> ObjectValue {
    guard let name = params["name"]?.stringValue, let endpoint = scope.endpoints.first(where: { $0.id == name }) else {
      throw .parameters("There is no tool “\(params["name"]?.stringValue ?? "")” here.")
    }
    let arguments: ObjectValue
    switch params["arguments"] {
    case nil, .null?: arguments = ObjectValue()
    case .object(let given): arguments = given
    default: throw .parameters("The arguments of a tool are an object.")
    }
    do throws(CtlFailure) {
      let filled = try MCPArguments(arguments, of: MCPToolText(endpoint: endpoint, scope: scope))
      let filter = try await filter(of: filled.variables["game"])
      do throws(CtlFailure) {
        return try Self.result(filter.shown(try await outcome(endpoint, filled), of: endpoint, filled))
      } catch { return Self.failed(error, filter) }
    } catch { return Self.failed(error, MCPFilter()) }
  }

  private func outcome(_ endpoint: Endpoint, _ filled: MCPArguments) async throws(CtlFailure) -> Value {
    guard endpoint.changes != nil else {
      let (response, path) = try await daemon.exchange(endpoint, filled.variables, filled.query, filled.body, [])
      return try Self.answer(response, path)
    }
    if endpoint.id == Calls.revert.endpoint.id { try await checkPlayer(filled.variables) }
    guard let revision = filled.revision else { return try await plan(endpoint, filled) }
    return try await apply(endpoint, filled, revision)
  }

  private static func answer(_ response: Response, _ path: String) throws(CtlFailure) -> Value {
    response.body.isEmpty ? [:] : try DaemonClient.value(response, path)
  }

  /// Makes a dry run of the change at the present revision, and returns the result with that revision.
  private func plan(_ endpoint: Endpoint, _ filled: MCPArguments) async throws(CtlFailure) -> Value {
    let revision = try await presentRevision(endpoint, filled.variables)
    let query = filled.query + [("dry_run", "true")]
    let (response, path) = try await writing.exchange(endpoint, filled.variables, query, filled.body, Self.condition(revision))
    return [
      "state": "planned", "revision": .integer(revision), "answer": try Self.answer(response, path),
      "note": .string("Nothing was changed. Repeat the call with “revision”: \(revision) to apply it."),
    ]
  }

  /// Returns the present revision of the player or game, on which the change is made conditional (compare-and-swap).
  private func presentRevision(_ endpoint: Endpoint, _ variables: [String: String]) async throws(CtlFailure) -> Int64 {
    let head =
      endpoint.changes == .player
      ? try await daemon.ask(Calls.player, variables, query: [("history", "0")]).head : try await daemon.ask(Calls.themes, variables).head
    let name = Self.revisionHeader(endpoint)
    guard let revision = head[name].flatMap({ Int64($0) }) else {
      throw .refused(["The daemon's answer has no \(name), so the change cannot be planned."])
    }
    return revision
  }

  private static func revisionHeader(_ endpoint: Endpoint) -> String {
    endpoint.changes == .player ? "Gameconf-Player-Revision" : "Gameconf-Revision"
  }

  private static func condition(_ revision: Int64) -> [(name: String, value: String)] { [(name: "If-Match", value: "\"\(revision)\"")] }

  private func apply(_ endpoint: Endpoint, _ filled: MCPArguments, _ revision: Int64) async throws(CtlFailure) -> Value {
    let (response, path) = try await writing.exchange(endpoint, filled.variables, filled.query, filled.body, Self.condition(revision))
    var outcome: ObjectValue = [
      "state": "applied", "revision": .integer(response[Self.revisionHeader(endpoint)].flatMap { Int64($0) } ?? revision),
      "answer": try Self.answer(response, path),
    ]
    // The change has been applied. If a request from here on fails, the result must still say “applied”.
    do throws(CtlFailure) {
      guard let line = try await line(of: filled.variables["game"] ?? "") else {
        outcome["can_be_taken_back"] = false
        outcome["note"] = "The audit log has no line for it: nothing was changed, or the call is not audited."
        return .object(outcome)
      }
      outcome["audit_id"] = .integer(line)
      try await writing.checkRevert(["game": filled.variables["game"] ?? "", "id": String(line)])
      outcome["can_be_taken_back"] = true
    } catch {
      outcome["can_be_taken_back"] = false
      outcome["note"] = .string(error.lines.first?.unescaped ?? "")
    }
    return .object(outcome)
  }

  /// Returns the id of the newest audit entry that this program has written; nil if no entry is newer than the last reported one.
  private func line(of game: String) async throws(CtlFailure) -> Int64? {
    let query = [("session", daemon.session ?? ""), ("limit", "1")]
    guard let entry = try await daemon.ask(Calls.audit, ["game": game], query: query).answer.entries.first else { return nil }
    return newestLine.withLock { newest in
      guard entry.id > newest else { return nil }
      newest = entry.id
      return entry.id
    }
  }

  /// The client for changes. It uses only the admin socket, because the audit log lists only changes on that socket.
  private var writing: DaemonClient {
    var writing = daemon
    writing.socketClients.removeAll { $0.kind == .games }
    return writing
  }

  /// Refuses to revert a change that is not about the player whom the command line names.
  private func checkPlayer(_ variables: [String: String]) async throws(CtlFailure) {
    guard let player = scope.player else { return }
    let entry = try await daemon.ask(Calls.auditEntry, variables).answer
    guard entry.player == player else { throw .refused(["Line \(entry.id) is not of the player that this program is for."]) }
  }

  /// Returns the filter for responses about a game. Throws if the game's catalog cannot be read, so that no secret can pass.
  func filter(of game: String?) async throws(CtlFailure) -> MCPFilter {
    guard let game else { return MCPFilter() }
    return MCPFilter(catalog: try await daemon.ask(Calls.catalog, ["game": game]).value)
  }

  // MARK: Results

  private static func result(_ answer: Value) throws(CtlFailure) -> ObjectValue {
    let text = SafeText.json(answer, pretty: false)
    guard text.utf8.count <= answerBytesMax else {
      throw .refused([
        "The answer has \(text.utf8.count) bytes, more than \(answerBytesMax). Request less: one key, fewer lines, one player."
      ])
    }
    return ["content": [["type": "text", "text": .string(text)]], "structuredContent": answer, "isError": false]
  }

  private static func failed(_ failure: CtlFailure, _ filter: MCPFilter) -> ObjectValue {
    var problem = failure.wire?.objectValue ?? ObjectValue()
    problem["exit_status"] = nil
    let answer = filter.shown(.object(problem), as: Problem.schemaName)
    return ["content": [["type": "text", "text": .string(SafeText.json(answer, pretty: false))]], "isError": true]
  }
}

/// The filter of responses. It removes secret values and marks texts that players wrote.
struct MCPFilter {
  private let secrets: SecretFilter
  private let players: PlayersText

  init() { (secrets, players) = (SecretFilter(keys: []), PlayersText()) }
  init(catalog: Value) { (secrets, players) = (SecretFilter(catalog: catalog), PlayersText(catalog: catalog)) }

  /// Returns a response without secrets and with players' texts marked.
  /// - Parameter shape: The name of the response's schema.
  func shown(_ value: Value, as shape: String) -> Value { players.marked(secrets.masked(value), as: shape) }

  /// Returns the result of a tool without secrets and with players' texts marked. The result is a response, or a planned or applied change
  /// that contains one.
  func shown(_ outcome: Value, of endpoint: Endpoint, _ filled: MCPArguments) -> Value {
    guard case .json(let shape, _) = endpoint.answer else { return secrets.masked(outcome) }
    func marked(_ answer: Value) -> Value {
      players.marked(answer, as: shape, key: filled.variables["key"], isFull: filled.query.contains { $0 == ("detail", "full") })
    }
    let outcome = secrets.masked(outcome)
    guard endpoint.changes != nil, var object = outcome.objectValue else { return marked(outcome) }
    object["answer"] = object["answer"].map(marked)
    return .object(object)
  }
}

extension DaemonClient {
  /// Throws the reason if an audit entry cannot be reverted, which a dry run shows.
  fileprivate func checkRevert(_ variables: [String: String]) async throws(CtlFailure) {
    _ = try await ask(Calls.revert, variables, query: [("dry_run", "true")], body: nil)
  }
}
