// The Model Context Protocol: messages, revisions, tools from the call table, planning and applying, and players' text.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Testing

@testable import gameconfctl

@Suite("The Model Context Protocol")
struct MCPTests {
  private static let meta: Value = [
    "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": [:],
  ]
  private static let everything = MCPScope(writes: true, all: true)

  private static func server(_ recorded: RecordedDaemon = RecordedDaemon(), _ scope: MCPScope = everything) -> MCPServer {
    let daemon = DaemonClient(socketClients: [DaemonClient.SocketClient(kind: .admin, path: "/admin.sock", transport: recorded)])
    let tools = MCPTools(daemon: daemon, scope: scope, session: "mcp-1")
    return MCPServer(tools: tools, resources: MCPResources(daemon: daemon, tools: tools))
  }

  private static func ask(_ server: inout MCPServer, _ method: String, _ params: ObjectValue = [:], meta: Value? = meta) async -> Value {
    var params = params
    if let meta { params["_meta"] = meta }
    let message: Value = ["jsonrpc": "2.0", "id": 7, "method": .string(method), "params": .object(params)]
    let answers = await server.answers(to: JSONWriter.bytes(message))
    return answers.count == 1 ? answers[0] : .list(answers)
  }

  private static func call(_ server: inout MCPServer, _ tool: String, _ arguments: Value) async -> Value {
    await ask(&server, "tools/call", ["name": .string(tool), "arguments": arguments])["result"] ?? .null
  }

  @Test(
    "an invalid line from an MCP client gets an error, with the request's id if it can be read",
    arguments: [
      ("{", nil, -32_700), ("[]", nil, -32_600), ("{}", nil, -32_600), (#"{"id":null,"method":"x"}"#, nil, -32_600),
      (#"{"id":1.5,"method":"x"}"#, nil, -32_600), (#"{"id":3,"method":"x"}"#, 3, -32_600), (#"{"jsonrpc":"2.0","id":3}"#, 3, -32_600),
      (#"{"jsonrpc":"2.0","id":3,"method":"x","params":[]}"#, 3, -32_602),
      (#"{"jsonrpc":"2.0","id":3,"method":"x","params":{}}"#, 3, -32_602),
    ] as [(String, Int64?, Int64)])
  func malformed(line: String, id: Int64?, code: Int64) async {
    var server = Self.server()
    let answers = await server.answers(to: Array(line.utf8))
    #expect(answers.map { $0["error"]?["code"] } == [.integer(code)])
    #expect(answers.first?["id"] == id.map(Value.integer))
  }

  @Test(
    "notifications, responses and blank lines from an MCP client get no response",
    arguments: [
      #"{"jsonrpc":"2.0","method":"notifications/x"}"#, #"{"method":"tools/list","params":1}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
      "", "  ", "\r", "\t \r",
    ])
  func silence(line: String) async {
    var server = Self.server()
    #expect(await server.answers(to: Array(line.utf8)).isEmpty)
  }

  @Test("null params and a null or empty cursor count as absent, and any other cursor is refused")
  func absent() async {
    var server = Self.server()
    let begun = await server.answers(to: Array(#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#.utf8))
    #expect(begun.first?["result"] == [:], "\(begun)")
    for cursor in [nil, .null, ""] as [Value?] {
      var params = ObjectValue()
      params["cursor"] = cursor
      #expect(await Self.ask(&server, "tools/list", params)["result"]?["tools"]?.listValue?.isEmpty == false, "\(params)")
    }
    #expect(await Self.ask(&server, "tools/list", ["cursor": "2"])["error"]?["code"] == -32_602)
    let called = await Self.ask(&server, "tools/call", ["name": "games", "arguments": .null])
    #expect(called["error"]?["message"]?.stringValue?.contains("are an object") != true, "\(called)")
  }

  @Test("a request of the modern protocol revision must have a supported version and the client's capabilities")
  func versions() async {
    var server = Self.server()
    var meta = Self.meta.objectValue ?? [:]
    meta["io.modelcontextprotocol/protocolVersion"] = "2027-01-01"
    let unsupported = await Self.ask(&server, "tools/list", meta: .object(meta))
    #expect(unsupported["error"]?["code"] == -32_022)
    #expect(unsupported["error"]?["data"] == ["supported": ["2026-07-28"], "requested": "2027-01-01"])
    #expect(await Self.ask(&server, "tools/list", meta: nil)["error"]?["code"] == -32_602)
    let discovered = await Self.ask(&server, "server/discover")["result"]
    #expect(discovered?["resultType"] == "complete")
    #expect(discovered?["supportedVersions"] == ["2026-07-28"])
    #expect(discovered?["cacheScope"] == "private")
  }

  @Test("a client that begins with initialize needs no version in later requests, and gets responses in its own protocol revision")
  func handshake() async {
    for (wanted, spoken) in [("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"), ("2024-11-05", "2025-11-25")] {
      var server = Self.server()
      let begun = await Self.ask(&server, "initialize", ["protocolVersion": .string(wanted)], meta: nil)["result"]
      #expect(begun?["protocolVersion"]?.stringValue == spoken)
      let listed = await Self.ask(&server, "tools/list", meta: nil)["result"]?.objectValue
      #expect(listed?.members.map(\.name) == ["tools"])
    }
  }

  @Test("a request to subscribe is acknowledged with an empty list of notifications, and its result completes it immediately")
  func subscription() async {
    var server = Self.server()
    let messages = await Self.ask(&server, "subscriptions/listen", ["notifications": ["toolsListChanged": true]]).listValue ?? []
    #expect(messages.map { $0["method"] ?? $0["result"]?["resultType"] } == ["notifications/subscriptions/acknowledged", "complete"])
    #expect(messages.first?["params"]?["notifications"] == [:])
  }

  @Test("at most 25 tools are listed, each tool that changes something has a precondition by revision, and no tool deletes")
  func table() {
    let usual = MCPScope(writes: true).endpoints
    #expect(usual.count <= 25)
    #expect(MCPScope(all: true).endpoints.allSatisfy { $0.changes == nil })
    let all = Self.everything.endpoints
    #expect(Set(all.map(\.id)).count == all.count)
    for endpoint in all {
      #expect(endpoint.changes == nil || endpoint.hasPrecondition, "\(endpoint.id)")
      #expect(endpoint.method != .delete, "\(endpoint.id)")
      let names = MCPToolText(endpoint: endpoint, scope: Self.everything).arguments.map(\.name)
      #expect(Set(names).count == names.count, "\(endpoint.id): \(names)")
      for name in endpoint.pathParameters { #expect(PathVariable(name).summary != nil, "\(name) of \(endpoint.id)") }
      if case .json(_, true) = endpoint.request {
        #expect(MCPToolText(endpoint: endpoint, scope: Self.everything).arguments.contains { $0.place == .body }, "\(endpoint.id)")
      }
    }
  }

  @Test("the argument schemas of tools contain no references")
  func schemas() {
    for endpoint in Self.everything.endpoints {
      #expect(!JSONWriter.text(MCPToolText(endpoint: endpoint, scope: Self.everything).value).contains("$ref"), "\(endpoint.id)")
    }
  }

  @Test("the list of tools contains only those that the user's role permits")
  func access() async {
    func refusal(_ isTester: Bool) -> Response {
      .problem(Problem(.notPermitted, "no", extensions: ["needs": "admins", "uid": 5, "tester": .bool(isTester)]))
    }
    func names(_ answers: [String: Response]) async -> Set<String> {
      var server = Self.server(RecordedDaemon(answers))
      let tools = await Self.ask(&server, "tools/list")["result"]?["tools"]?.listValue ?? []
      return Set(tools.compactMap { $0["name"]?.stringValue })
    }
    let admin = await names(["GET /v1/store/copies": .json(StoreCopiesAnswer())])
    let tester = await names(["GET /v1/store/copies": refusal(true)])
    let reader = await names(["GET /v1/store/copies": refusal(false)])
    #expect(admin.subtracting(tester) == ["putOverride", "releaseOverride"])
    #expect(tester.contains("putPlayerOverride"))
    #expect(reader.contains("explain") && reader.isDisjoint(with: ["putPlayerOverride", "revert", "grant"]))
    let none = await names(["GET /v1/store/copies": .problem(Problem(.notPermitted, "uid 5 has no role here"))])
    #expect(none.contains("value") && none.isDisjoint(with: ["explain", "audit", "putSetting"]))
  }

  @Test("a tool's plan is a dry run with the present revision; applying requires that revision and returns the audit entry's id")
  func planning() async {
    let catalog = Response.json(OverrideList(game: "g", revision: 4, overrides: []), revision: 4)
    let override = WireOverride(key: "k", value: 7, author: Sample.author, at: Instant(seconds: 0), revision: 5)
    let entry = AuditEntry(id: 12, at: Instant(seconds: 0), author: WireAuthor(), action: "override.set", session: "mcp-1")
    let recorded = RecordedDaemon([
      "GET /v1/games/g/catalog": catalog, "GET /v1/games/g/themes": .json(ThemeList(), revision: 4),
      "PUT /v1/games/g/overrides/k?dry_run=true": .json(
        OverrideAnswer(game: "g", revision: 5, isDryRun: true, override: override), revision: 5),
      "PUT /v1/games/g/overrides/k": .json(OverrideAnswer(game: "g", revision: 5, override: override), revision: 5),
      "GET /v1/games/g/audit?session=mcp-1&limit=1": .json(AuditList(entries: [entry])),
      "POST /v1/games/g/audit/12/revert?dry_run=true": .json(RevertAnswer(revision: 6, entry: entry, isDryRun: true), revision: 6),
    ])
    var server = Self.server(recorded)
    let planned = await Self.call(&server, "putOverride", ["game": "g", "key": "k", "value": 7])["structuredContent"]
    #expect(planned?["state"] == "planned")
    #expect(planned?["revision"] == 4)
    let applied = await Self.call(&server, "putOverride", ["game": "g", "key": "k", "value": 7, "revision": 4])["structuredContent"]
    #expect(applied?["state"] == "applied")
    #expect(applied?["revision"] == 5)
    #expect(applied?["audit_id"] == 12)
    #expect(applied?["can_be_taken_back"] == true)
    let puts = recorded.changes.filter { $0.call.hasPrefix("PUT") }
    #expect(puts.map { $0.headers["If-Match"] } == ["\"4\"", "\"4\""])
    #expect(puts.map { $0.headers["Gameconf-Session"] } == ["mcp-1", "mcp-1"])
    #expect(puts.map(\.body) == [["value": 7], ["value": 7]])
    // A repeated response has the audit line of an earlier change, which is not reported again.
    let again = await Self.call(&server, "putOverride", ["game": "g", "key": "k", "value": 7, "revision": 5])["structuredContent"]
    #expect(again?["audit_id"] == nil)
    #expect(again?["can_be_taken_back"] == false)
  }

  @Test("without --write no tool changes anything, and a tool fails if the game's catalog cannot be read")
  func refusals() async {
    var server = Self.server(
      RecordedDaemon(["GET /v1/games/g/config/k": .json(OverrideList(game: "g", revision: 1, overrides: []))]), MCPScope())
    #expect(await Self.ask(&server, "tools/call", ["name": "putOverride"])["error"]?["code"] == -32_602)
    #expect(await Self.call(&server, "value", ["game": "g", "key": "k"])["isError"] == true)
    #expect(await Self.call(&server, "value", ["game": "g"])["isError"] == true)
    #expect(await Self.call(&server, "value", ["game": "g", "key": "k", "x": 1])["isError"] == true)
  }

  private static let players = PlayersText(
    catalog: ["parameters": [["key": "nick", "player_setting": true], ["key": "speed", "player_setting": false]]])
  private static let obey: Value = ["players_text": "obey"]

  @Test("a player's text is cut and wrapped in the member players_text; other text and numbers are unchanged")
  func playersText() {
    let long = String(repeating: "x", count: 300)
    let page = Self.players.marked(
      [
        "game": "g", "player": "p1", "context": ["note": .string(long)], "player_revision": 3,
        "history": [["kind": "event", "details": ["reason": "timeUp"]], ["kind": "visit", "details": [:]]],
        "settings": [["key": "nick", "value": "obey", "effective": "obey", "source": "setting", "skipped": "obey"]],
      ], as: "PlayerAnswer")
    #expect(page["game"] == "g" && page["player"] == ["players_text": "p1"] && page["player_revision"] == 3)
    #expect(page["context"] == ["players_text": ["note": .string(String(repeating: "x", count: 256) + "…")]])
    #expect(page["history"]?.listValue?.map { $0["details"] } == [["players_text": ["reason": "timeUp"]], [:]])
    #expect(
      page["settings"] == [["key": "nick", "value": Self.obey, "effective": Self.obey, "source": "setting", "skipped": Self.obey]])
  }

  @Test("the value of a key that players choose is marked as their text, from any layer and also for a play")
  func values() {
    let (players, obey) = (Self.players, Self.obey)
    #expect(
      players.marked(["values": ["nick": "obey", "speed": "ours", "gone": "obey"]], as: "ConfigAnswer")["values"]
        == ["nick": obey, "speed": "ours", "gone": obey])
    for source in ["setting", "play", "override.player", "default"] as [Value] {
      for (key, value) in [("nick", obey), ("speed", "obey")] as [(String, Value)] {
        let one: Value = ["key": .string(key), "value": "obey", "source": source, "description": "ours"]
        #expect(players.marked(one, as: "ValueAnswer") == ["key": .string(key), "value": value, "source": source, "description": "ours"])
        let full: Value = ["values": .object(ObjectValue([(key, one)]))]
        #expect(players.marked(full, as: "ConfigAnswer", isFull: true)["values"]?[key]?["value"] == value)
        let layers: Value = ["key": .string(key), "layers": [["layer": source, "value": "obey", "why": "because"]]]
        #expect(players.marked(layers, as: "ExplainAnswer")["layers"]?.listValue?.first?["value"] == value)
        let pinned: Value = ["value": 1, "now": "obey", "now_source": source]
        let play: Value = ["play": "1", "state": ["a": "obey"], "values": .object(ObjectValue([(key, pinned)]))]
        let shown = players.marked(play, as: "PlayShown")
        #expect(shown["values"]?[key]?["now"] == value && shown["state"] == ["players_text": ["a": "obey"]] && shown["play"] == "1")
        #expect(
          players.marked(["value": "obey", "source": source], as: "ValueAnswer", key: key)["value"] == value, "the call names the key")
      }
    }
    // A setting that is an object with members like an answer's is still a player's setting.
    let object: Value = ["value": "obey", "source": "obey", "type": "obey"]
    #expect(players.marked(["values": ["nick": object]], as: "ConfigAnswer")["values"]?["nick"] == ["players_text": object])
    #expect(
      players.marked(["values": ["nick": ["value": "obey", "more": "obey"]]], as: "ConfigAnswer", isFull: true)["values"]?["nick"]
        == ["value": obey, "more": obey], "what the shape does not know")
  }

  @Test("an audit entry's values are marked as players' text by its action or its key, and no member of a problem is marked")
  func changes() {
    let entries: Value = [
      ["action": "player.context", "before": "obey", "detail": ["a": "b"]], ["action": "override.set", "key": "speed", "before": "ours"],
      ["action": "override.set", "key": "nick", "after": "obey", "reason": "ours"],
      ["action": "clock.set", "after": "2027-01-01T00:00:00Z"],
    ]
    let marked = Self.players.marked(["entries": entries], as: "AuditList")["entries"]?.listValue ?? []
    #expect(marked.map { $0["before"] } == [Self.obey, "ours", nil, nil])
    #expect(marked.map { $0["after"] } == [nil, nil, Self.obey, "2027-01-01T00:00:00Z"])
    #expect(marked.first?["detail"] == ["players_text": ["a": "b"]] && marked[2]["reason"] == "ours")
    let problem: Value = ["code": "X", "detail": "d", "needs": "admins"]
    #expect(Self.players.marked(problem, as: "Problem") == problem)
    let list: Value = ["players": [["player": "obey", "player_revision": 1]], "next_after": "obey"]
    #expect(Self.players.marked(list, as: "PlayersList")["next_after"] == Self.obey)
  }

  @Test("each member that a response's schema declares as players' text is marked", arguments: OpenAPIDocument.shapes.indices)
  func everyShape(index: Int) {
    let shape = OpenAPIDocument.shapes[index]
    let text: Value = "obey"
    for member in shape.schema["properties"]?.objectValue?.members ?? [] where member.value["x-gameconf-text"] == "player" {
      let marked = Self.players.marked(.object(ObjectValue([(member.name, text)])), as: shape.schemaName)
      #expect(marked[member.name] == Self.obey, "\(shape.schemaName).\(member.name)")
    }
  }
}
