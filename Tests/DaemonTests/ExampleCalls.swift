// All calls of the running daemon's OpenAPI document with their examples, and the preparations that examples need.

import GameConfCore
import Testing

/// A call of the OpenAPI document with its example.
struct ExampleCall {
  let name: String
  let method: String
  let path: String
  let isOnGames: Bool
  let needs: String
  let changes: String?
  let isRepeatable: Bool
  /// The statuses of success.
  let statuses: Set<Int>
  /// True if the call answers 304 to a request with the ETag of its answer.
  let hasUnchanged: Bool
  /// True if its successful answer never ends.
  let isStream: Bool
  /// The media types of its successful answers, without parameters.
  let answers: Set<String>
  /// The media type of its request body; nil without a body.
  let mediaType: String?
  /// The values of the path's variables, by name.
  var variables: [String: String]
  var query: [String: String]
  /// The schemas of its query parameters, by name.
  let querySchemas: [String: Value]
  var headers: [String: String]
  var body: Value?

  init(method: String, path: String, operation: Value) {
    name = operation["operationId"]?.stringValue ?? ""
    self.method = method.uppercased()
    self.path = path
    let rules = operation["x-gameconf"]
    isOnGames = rules?["sockets"]?.listValue?.contains("games") ?? false
    needs = rules?["needs"]?.stringValue ?? ""
    changes = rules?["changes"]?.stringValue
    isRepeatable = rules?["repeatable"] == true
    let responses = operation["responses"]?.objectValue ?? ObjectValue()
    statuses = Set(responses.names.compactMap { Int($0) }.filter { $0 < 300 })
    hasUnchanged = responses["304"] != nil
    // Google's stream has the media type of JSON, so the document does not show that it never ends.
    isStream = responses["200"]?["content"]?["text/event-stream"] != nil || name == "firebaseInvalidations"
    answers = Set(
      responses.members.filter { (Int($0.name) ?? 600) < 300 }.flatMap { $0.value["content"]?.objectValue?.names ?? [] }.map(Self.bare))
    let content = operation["requestBody"]?["content"]?.objectValue?.members.first
    mediaType = content?.name
    body = content?.value["example"]
    var given: [String: [String: String]] = [:]
    let parameters = operation["parameters"]?.listValue ?? []
    let ofQuery = parameters.filter { $0["in"] == "query" }
    querySchemas = Dictionary(uniqueKeysWithValues: ofQuery.map { ($0["name"]?.stringValue ?? "", $0["schema"] ?? .null) })
    for parameter in parameters {
      guard let name = parameter["name"]?.stringValue, let place = parameter["in"]?.stringValue, let example = parameter["example"]
      else { continue }
      given[place, default: [:]][name] = example.stringValue ?? String(decoding: JSONWriter.bytes(example), as: UTF8.self)
    }
    variables = given["path"] ?? [:]
    query = given["query"] ?? [:]
    headers = given["header"] ?? [:]
  }

  /// Returns a media type without its parameters.
  static func bare(_ mediaType: String) -> String { String(mediaType.prefix { $0 != ";" }) }

  /// Returns all calls of a document.
  static func all(of document: Value) -> [ExampleCall] {
    (document["paths"]?.objectValue ?? ObjectValue()).members.flatMap { path in
      (path.value.objectValue ?? ObjectValue()).members.map { ExampleCall(method: $0.name, path: path.name, operation: $0.value) }
    }
  }

  /// Returns the call with its own player, so that examples do not affect each other.
  func about(_ player: String) -> ExampleCall {
    var call = self
    if call.variables["player"] != nil { call.variables["player"] = player }
    if call.query["player"] != nil { call.query["player"] = player }
    if case .object(var object)? = call.body, object["player"] != nil {
      object["player"] = .string(player)
      call.body = .object(object)
    }
    return call
  }

  /// Returns the variable of a path segment, which may end in a verb: `{namespace}:fetch`.
  static func variable(in segment: Substring) -> String? {
    guard segment.hasPrefix("{"), let close = segment.firstIndex(of: "}") else { return nil }
    return String(segment[..<close].dropFirst())
  }

  /// Returns the target with the variables replaced by their values.
  func target(dryRun: Bool = false) -> String {
    let filled = path.split(separator: "/").map { segment -> String in
      guard let name = Self.variable(in: segment) else { return String(segment) }
      return (variables[name] ?? "") + segment.dropFirst(name.count + 2)
    }
    let queryText = (query.merging(dryRun ? ["dry_run": "true"] : [:]) { $1 }).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    return "/" + filled.joined(separator: "/") + (queryText.isEmpty ? "" : "?" + queryText.joined(separator: "&"))
  }
}

/// A daemon with the shipped games and writable catalogs, on which examples are prepared.
struct ExampleDaemon {
  let daemon: RunningDaemon
  private let games = ["adventure", "dartsscore", "kidsdoku2", "remembersquare", "wheresthedot"]

  init(folder: TemporaryFolder? = nil, arguments: [String] = []) throws {
    var catalogs: [String: String] = [:]
    for game in games {
      let bytes = try #require(TemporaryFolder.read(Built.tree + "/Defaults/\(game).yaml"))
      catalogs[game + ".yaml"] = String(decoding: bytes, as: UTF8.self)
    }
    daemon = try RunningDaemon(catalogs: catalogs, folder: folder, arguments: arguments)
  }

  /// Returns the calls of the running daemon's document.
  func calls() throws -> [ExampleCall] { ExampleCall.all(of: try daemon.ask("GET", "/openapi.json").json) }

  /// Sends a call. A key is added unless the call's body already identifies the request.
  func send(_ call: ExampleCall, key: String? = nil, ifMatch: String? = nil, dryRun: Bool = false) throws -> RawConnection.Answer {
    var headers = call.headers
    if let ifMatch { headers["If-Match"] = "\"\(ifMatch)\"" }
    if let key, call.body?["event_id"] == nil { headers["Idempotency-Key"] = key }
    return try daemon.ask(
      call.method, call.target(dryRun: dryRun), body: call.body, headers: headers, admin: !call.isOnGames || call.changes == "game")
  }

  /// Performs the preparations of a call's example, and returns the call with the ids of the created things.
  func prepared(_ call: ExampleCall) throws -> ExampleCall {
    var call = call
    for step in Self.before[call.name] ?? [] { try step(self, &call) }
    return call
  }

  /// Returns the revision or tag that matches a call's `If-Match`, and one that does not.
  func conditions(for call: ExampleCall) throws -> (own: String, other: String) {
    if call.changes == "play_state" { return ("", "0123456789abcdef") }
    let (own, other) = try revisions(for: call)
    return (String(own), String(other))
  }

  private func revisions(for call: ExampleCall) throws -> (own: Int64, other: Int64) {
    let base = "/v1/games/\(call.variables["game"] ?? "")"
    func revision(_ target: String, _ header: String) throws -> Int64? {
      try daemon.ask("GET", target, admin: true).headers[header].flatMap { Int64($0) }
    }
    let ofGame = try #require(try revision(base + "/catalog", "gameconf-revision"), "\(call.name)")
    var ofPlayer: Int64?
    if let player = call.variables["player"] { ofPlayer = try revision("\(base)/players/\(player)", "gameconf-player-revision") }
    switch call.changes {
    case "player":
      let own = try #require(ofPlayer, "\(call.name)")
      return (own, ofGame == own ? own + 1_000 : ofGame)
    case "template":
      let newest = try daemon.ask("GET", base + "/template/versions", admin: true).json["versions"]?.listValue?.first?["version"]
      let own = newest?.integerValue ?? 0
      return (own, ofGame == own ? own + 1_000 : ofGame)
    default: return (ofGame, ofPlayer.map { $0 == ofGame ? ofGame + 1_000 : $0 } ?? ofGame + 1_000)
    }
  }

  /// Returns everything that a dry run must not change: revisions, overrides, players, templates, clocks and the newest audit line.
  func state() throws -> [String: String] {
    var state: [String: String] = [:]
    for game in games {
      for part in ["config?detail=full", "overrides?players=all", "audit?limit=1", "players?limit=500", "template/versions"] {
        state[game + "/" + part] = try daemon.ask("GET", "/v1/games/\(game)/\(part)", admin: true).text
      }
      let clock = try daemon.ask("GET", "/v1/games/\(game)/clock", admin: true).json
      state[game + "/clock"] = "\(clock["anchor"] ?? .null) \(clock["rate"] ?? .null)"
    }
    state["copies"] = try daemon.ask("GET", "/v1/store/copies", admin: true).text
    return state
  }
}

extension ExampleDaemon {
  typealias ExampleStep = @Sendable (ExampleDaemon, inout ExampleCall) throws -> Void

  /// Returns a step that sends a request about the call's player or game, and takes the ids in the answer.
  private static func ask(_ method: String, _ path: String, _ body: Value? = nil) -> ExampleStep {
    { here, call in
      let game = call.variables["game"] ?? "wheresthedot"
      let target = path.replacing("p/", with: "/v1/games/\(game)/players/\(call.variables["player"] ?? "")/", maxReplacements: 1)
        .replacing("…", with: "/v1/games/\(game)").replacing("{transaction}", with: call.variables["transaction"] ?? "")
      let answer = try here.daemon.ask(method, target, body: body, admin: true)
      #expect((200...299).contains(answer.status), "before \(call.name): \(method) \(target) answered \(answer.status) \(answer.text)")
      if call.variables["transaction"] != nil, let newest = try here.newestTransaction(of: call) { call.variables["transaction"] = newest }
    }
  }

  private func newestTransaction(of call: ExampleCall) throws -> String? {
    guard let player = call.variables["player"], let game = call.variables["game"] else { return nil }
    return try daemon.ask("GET", "/v1/games/\(game)/players/\(player)/transactions").json["transactions"]?.listValue?.last?["id"]?
      .stringValue
  }

  private static let buy = ask("POST", "p/purchases", ["product": "removeads"])
  private static let subscribe = ask("POST", "p/purchases", ["product": "monthly_sub_2"])
  private static let askToBuyOn = ask("PUT", "p/store/behaviour", ["ask_to_buy": true])
  private static let overridden = ask("PUT", "…/overrides/arcade_difficulty_step", ["value": 15])

  /// Sets the call's audit line to the newest one.
  private static let audited: ExampleStep = { here, call in
    let line = try here.daemon.ask("GET", "/v1/games/wheresthedot/audit?limit=1", admin: true).json["entries"]?.listValue?.first
    call.variables["id"] = String(try #require(line?["id"]?.integerValue))
  }

  /// Quarantines an override with a catalog that temporarily refuses it.
  private static let quarantined: ExampleStep = { here, call in
    let file = here.daemon.folder.path + "/games/wheresthedot.yaml"
    let text = String(decoding: try #require(TemporaryFolder.read(file)), as: UTF8.self)
    let narrower = text.replacing("range: {min: 1, max: 20}", with: "range: {min: 1, max: 10}")
    #expect(narrower != text)
    for each in [narrower, text] {
      try here.daemon.folder.write(each, to: "games/wheresthedot.yaml")
      #expect(try here.daemon.ask("POST", "/v1/reload", admin: true).status == 200)
    }
  }

  private static func pushed(_ value: String, activate: String = "now") -> ExampleStep {
    ask(
      "PUT", "…/template?activate=\(activate)",
      ["parameters": ["arcade_difficulty_step": ["defaultValue": ["value": .string(value)], "valueType": "NUMBER"]]])
  }

  /// Restores a backup, which moves the previous database aside.
  private static let restored: ExampleStep = { here, call in
    let file = here.daemon.folder.path + "/taken.db"
    #expect(try here.daemon.control("store", "backup", file).status == 0)
    #expect(try here.daemon.control("store", "restore", "--yes", file).status == 0)
    let copies = try here.daemon.ask("GET", "/v1/store/copies", admin: true).json["copies"]?.listValue
    call.variables["name"] = try #require(copies?.first?["name"]?.stringValue)
  }

  /// Makes an ad due for the player.
  private static let adDue: ExampleStep = { here, call in
    try ask("POST", "p/ads/game_over/force")(here, &call)
    let target = "/v1/games/wheresthedot/players/\(call.variables["player"] ?? "")/events"
    let event: Value = ["event_id": "due", "event": "game_over", "mode": "classic", "score": 5, "reason": "timeUp"]
    let answer = try here.daemon.ask("POST", target, body: event).json
    guard case .object(var body)? = call.body else { return }
    let decision: Value = try #require(Self.found("decision_id", in: answer), "\(answer)")
    body["decision_id"] = decision
    call.body = .object(body)
  }

  /// Returns the first member with a name, at any depth.
  private static func found(_ name: String, in value: Value) -> Value? {
    if let found = value[name] { return found }
    let parts = value.objectValue?.members.map(\.value) ?? value.listValue ?? []
    return parts.lazy.compactMap { found(name, in: $0) }.first
  }

  /// Opens a play of the player.
  private static let played: ExampleStep = { here, call in
    let target = "/v1/games/wheresthedot/players/\(call.variables["player"] ?? "")/plays"
    call.variables["play"] = try #require(here.daemon.ask("POST", target).json["play"]?.stringValue)
  }

  /// Begins a scenario.
  private static let begun: ExampleStep = { here, call in
    let answer = try here.daemon.ask("POST", "/v1/scenarios", body: ["games": ["kidsdoku2": [:]]], admin: true)
    call.variables["scenario"] = try #require(answer.json["id"]?.stringValue, "\(answer.text)")
  }

  /// The preparations of each call's example; none for calls that are not listed.
  private static let before: [String: [ExampleStep]] = [
    "auditEntry": [overridden, audited], "revert": [overridden, audited], "releaseOverride": [overridden, quarantined],
    "releasePlayerOverride": [ask("PUT", "p/overrides/arcade_difficulty_step", ["value": 15]), quarantined],
    "template": [pushed("6")], "templateVersion": [pushed("6")], "activateTemplate": [pushed("8", activate: "manual")],
    "fetchTemplate": [ask("PUT", "…/template/source", ["source": "https://config.example.org/game.json", "next_seconds": 900])],
    "rollbackTemplate": [pushed("6"), pushed("7")], "rollbackFirebaseTemplate": [pushed("6"), pushed("7")], "storeCopyRemove": [restored],
    "reportAd": [adDue], "copyPlayer": [ask("PATCH", "…/players/p2", ["lifetime_score": 5])],
    "resetGameClock": [ask("PUT", "…/clock", ["advance": "P1D"])], "transaction": [buy], "finishTransaction": [buy], "refund": [buy],
    "refundDecline": [buy], "revoke": [buy], "deleteTransaction": [buy],
    "expire": [subscribe], "renew": [subscribe], "cancelRenewal": [subscribe], "billingRetry": [subscribe], "changePrice": [subscribe],
    "renewalOn": [subscribe, ask("POST", "p/transactions/{transaction}/cancel")],
    "recover": [subscribe, ask("POST", "p/transactions/{transaction}/billing_retry")],
    "acceptPrice": [
      subscribe,
      ask("POST", "p/transactions/{transaction}/change_price", ["amount": "3.99", "currency": "USD", "needs_consent": true]),
    ],
    "approve": [askToBuyOn, buy], "decline": [askToBuyOn, buy],
    "scenario": [begun], "endScenario": [begun], "renewScenario": [begun], "play": [played], "closePlay": [played],
    "putPlayState": [played],
    "resolve": [ask("PUT", "p/store/behaviour", ["interrupted": true]), buy],
  ]
}
