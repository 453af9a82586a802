// Tests of live requests with large games, secrets, forgotten players, restarts, and texts of players with escapes and markup.

import GameConfCore
import Glibc
import Testing

@Suite("Live requests with hostile input", .serialized)
struct LiveHostileTests {
  private static let game = "/v1/games/wheresthedot"
  private static let key = "arcade_time_limit_base"

  /// A game's connection, whose requests are all answered by one event loop, so that viewers see them in their order.
  private final class GameConnection {
    private let connection: RawConnection

    init(_ socket: String) throws { connection = try RawConnection(socket) }

    /// Sends requests in one piece and returns their answers.
    @discardableResult
    func ask(_ targets: [String]) throws -> [RawConnection.Answer] {
      connection.send(targets.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
      return try targets.map { _ in try #require(connection.answer()) }
    }

    @discardableResult
    func post(_ target: String, _ body: Value) throws -> RawConnection.Answer {
      let text = JSONWriter.text(body)
      connection.send(
        "POST \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")
      return try #require(connection.answer())
    }
  }

  /// The lines of a viewer before a read of this key.
  private static func lines(of viewer: LiveTests.Viewer, until key: String) -> [Value] {
    var lines: [Value] = []
    while let line = viewer.next(), line["kind"] != "read" || line["key"]?.stringValue != key { lines.append(line) }
    return lines
  }

  @Test("each read of a game whose 3 000 keys are read together is shown to viewers or counted as dropped")
  func threeThousand() throws {
    let keys = (0..<3_000).map { "key_\($0)" }
    let catalog =
      "gameconf: 1\ngame: many\ntitle: Many\nlocales: [en]\nparameters:\n"
      + keys.map { "  \($0): {type: integer, default: 1, section: s, description: d}\n" }.joined()
    let daemon = try RunningDaemon(catalogs: ["many.yaml": catalog])
    let viewers = try (0..<2).map { _ in try LiveTests.Viewer(daemon, "/v1/games/many/live") }
    let path = "/v1/games/many/config"
    let game = try GameConnection(daemon.gamesSocket)
    // All values by three ways, then each key, and in groups.
    #expect(try game.ask([path, path + "?detail=full", path + "?player=p1"]).allSatisfy { $0.status == 200 })
    for start in stride(from: 0, to: keys.count, by: 100) {
      #expect(try game.ask(keys[start..<(start + 100)].map { "\(path)/\($0)" }).allSatisfy { $0.status == 200 })
    }
    #expect(try game.ask([path + "?keys=key_1,key_2999", path + "/key_0?player=marker"]).allSatisfy { $0.status == 200 })
    for viewer in viewers {
      var (shown, leftOut, counts) = ([Value](), 0, [Int64]())
      while let line = viewer.next(), line["player"] != "marker" {
        if line["kind"] == "left_out" { leftOut += Int(line["count"]?.integerValue ?? 0) }
        if line["kind"] == "read" { shown.append(line) }
        if line["kind"] == "read", line["key"] == nil, let count = line["count"]?.integerValue { counts.append(count) }
      }
      #expect(shown.count + leftOut == 3 + 3_000 + 1, "\(shown.count) shown, \(leftOut) dropped")
      let seen = shown.compactMap { $0["key"]?.stringValue }
      // The order is kept, and only the oldest lines are dropped.
      #expect(seen == keys.filter(Set(seen).contains) && !seen.isEmpty)
      #expect(counts.allSatisfy { $0 == 3_000 || $0 == 2 }, "\(counts)")
    }
  }

  private static let secrets = """
    gameconf: 1
    game: vault
    title: Vault
    locales: [en]
    parameters:
      api_key: {type: string, secret: true, pattern: "^[A-Z]+[a-z]*$", default: HUSHalpha, section: s, description: d}
      number: {type: integer, secret: true, default: 471147114, section: s, description: d}
      words: {type: list, secret: true, default: [HUSHone, HUSHtwo], section: s, description: d}
      wide: {type: string, secret: true, flagd: {state: ENABLED, variants: {HUSHwide: HUSHwide, HUSHtall: HUSHtall}, defaultVariant: HUSHwide, targeting: {"if": [{"==": [{var: a}, 1]}, HUSHtall]}}, section: s, description: d}
      chosen: {type: integer, default: 1, rules: [{when: {">": [{parameter: number}, 5]}, value: 2}], section: s, description: d}
      plain: {type: integer, default: 1, section: s, description: d}

    """

  @Test(
    "no line of live requests shows the value of a secret parameter, by whatever call it is requested",
    .needs(.ofrep, .firebase, .revenueCat), arguments: [false, true])
  func secrets(isReader: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("secret_readers: {vault: [\(geteuid())]}\n", to: "gameconfd.yaml")
    let daemon = try RunningDaemon(
      catalogs: ["vault.yaml": Self.secrets], folder: folder, arguments: isReader ? ["--config", folder.path + "/gameconfd.yaml"] : [])
    let viewer = try LiveTests.Viewer(daemon, "/v1/games/vault/live")
    let (path, keys) = ("/v1/games/vault", ["api_key", "number", "words", "wide"])
    let context: Value = ["context": ["targetingKey": "p", "a": 1]]
    var answers: [RawConnection.Answer] = []
    for socket in [daemon.gamesSocket, daemon.adminSocket] {
      let client = try GameConnection(socket)
      for query in ["", "?player=p", "?detail=full", "?detail=full&player=p", "?locale=*", "?keys=api_key,number,plain"] {
        answers += try client.ask([path + "/config" + query, path + "/config" + query])
      }
      answers.append(try client.post(path + "/config", context))
      answers.append(try client.post(path + "/ofrep/v1/evaluate/flags", context))
      for key in keys {
        answers += try client.ask(["", "?player=p", "?detail=full"].map { path + "/config/" + key + $0 })
        answers.append(try client.post(path + "/config/" + key, context))
        answers.append(try client.post(path + "/ofrep/v1/evaluate/flags/" + key, context))
        answers.append(try client.post("/v1/projects/vault/namespaces/firebase:fetch", ["app_instance_id": "p"]))
      }
      answers += try client.ask([path + "/config/image", path + "/config/image?player=p"])
      answers += try client.ask(["/v1/subscribers/p", "/v1/subscribers/p/offerings"].map { path + "/revenuecat" + $0 })
      let watch = try StreamReader(socket, path + "/watch?player=p")
      #expect(watch.next()?.event == "state")
      for (key, value) in [("api_key", "HUSHlater"), ("number", 471_147_555), ("words", ["HUSHx"]), ("wide", "HUSHtall"), ("plain", 7)]
        as [(String, Value)]
      {
        for player in ["", "/players/p"] {
          #expect(try daemon.ask("PUT", path + player + "/overrides/" + key, body: ["value": value], admin: true).status < 300)
        }
        answers += try client.ask([path + "/config/" + key, path + "/config/" + key + "?player=p", path + "/config"])
        // Refused values are quoted to their author only.
        _ = try daemon.ask("PUT", path + "/overrides/" + key, body: ["value": ["HUSHbad": 471_147_114]], admin: true)
        _ = try daemon.ask("PUT", path + "/players/p/settings/" + key, body: ["value": value])
        _ = try daemon.ask("POST", path + "/overrides/clear", body: ["scope": "all"], admin: true)
      }
      answers += try client.ask([path + "/config/plain?player=marker", path + "/config/plain?player=marker"])
    }
    // A secret reader gets the values themselves, but not in the lines.
    #expect(answers.contains { $0.text.contains("HUSH") } == isReader)
    // The marker is read after the watchers' lines of other event loops were shown.
    _ = try daemon.ask("GET", path + "/config/chosen?player=marker")
    var lines = Self.lines(of: viewer, until: "chosen")
    _ = try daemon.ask("GET", path + "/config/chosen?player=marker")
    lines += Self.lines(of: viewer, until: "chosen")
    for line in lines {
      let text = JSONWriter.text(line)
      #expect(!text.contains("HUSH") && !text.contains("471147"), "\(text)")
    }
    let doors = Set(lines.compactMap { $0["door"]?.stringValue })
    #expect(doors.isSuperset(of: ["value", "config", "image", "ofrep", "firebase", "revenuecat", "watch", "api"]), "\(doors.sorted())")
    #expect(lines.contains { $0["kind"] == "refusal" && $0["key"]?.stringValue.map(keys.contains) == true })
  }

  @Test(
    "forgetting a player removes the player's live requests that a viewer has not received yet, and counts them as dropped",
    arguments: [true, false])
  func forgotten(isStored: Bool) throws {
    let daemon = try RunningDaemon()
    // Not an override, after which the image is written while the viewers begin.
    if isStored { #expect(try daemon.ask("POST", Self.game + "/players/leaving/visits").status == 200) }
    let (asleep, awake) = (try LiveTests.Viewer(daemon), try LiveTests.Viewer(daemon))
    let game = try GameConnection(daemon.gamesSocket)
    let read = Self.game + "/config/" + Self.key
    // So many lines that the sleeping viewer's socket is full, and its lines stay in the ring.
    let (rounds, each) = (12, 250)
    var count = 0
    for round in 0..<rounds {
      try game.ask((0..<each).map { _ in read + "?player=staying" } + [read + "?player=round\(round)"])
      count += each + 1
      while let line = awake.next(), line["player"]?.stringValue != "round\(round)" {}
    }
    try game.ask((0..<20).map { _ in read + "?player=leaving" })
    count += 20
    let forgotten = try daemon.control("player", "forget", "wheresthedot", "leaving", "--yes")
    #expect(forgotten.status == 0, "\(forgotten.errors)")
    try game.ask([read + "?player=marker"])
    var (shown, leftOut, found) = (0, 0, 0)
    while let line = asleep.next(), line["player"] != "marker" {
      if line["kind"] == "left_out" { leftOut += Int(line["count"]?.integerValue ?? 0) }
      if line["kind"] == "read" { shown += 1 }
      if JSONWriter.text(line).contains("leaving") { found += 1 }
    }
    #expect(found == 0 && shown + leftOut == count, "\(found) lines of the player; \(shown) shown, \(leftOut) dropped of \(count)")
  }

  @Test("after a restart, an override that was set before shows the time of day since which its reads are known")
  func restarted() throws {
    let daemon = try RunningDaemon()
    _ = try daemon.control("config", "set", "wheresthedot", Self.key, "3.5")
    _ = try daemon.control("config", "set", "wheresthedot", Self.key, "4.5", "--player", "p1")
    _ = try daemon.read(at: Self.game + "/config/" + Self.key)
    try daemon.restart()
    let since = /no request to the daemon since [0-2][0-9]:[0-5][0-9]; games that map the file are not seen/
    for path in ["", "/players/p1"] {
      let changes = try daemon.read(at: Self.game + path + "/changes", admin: true)["changes"]?.listValue ?? []
      let words = changes.first { $0["key"]?.stringValue == Self.key }?["read"]?["words"]?.stringValue ?? ""
      #expect(words.wholeMatch(of: since) != nil, "\(words)")
    }
    let listed = try daemon.control("config", "changes", "wheresthedot")
    #expect(listed.output.contains("no request to the daemon since ") && !listed.output.contains("since it was set"), "\(listed.output)")
    let explained = try daemon.control("config", "explain", "wheresthedot", Self.key)
    #expect(explained.output.firstMatch(of: since) != nil, "\(explained.output)")
    // A new override is known from its beginning.
    _ = try daemon.control("config", "set", "wheresthedot", Self.key, "2.5")
    #expect(try daemon.control("config", "changes", "wheresthedot").output.contains("since it was set"))
  }

  @Test("“gameconfctl live” escapes what players wrote, on a terminal and as JSON", arguments: [false, true])
  func printed(isJSON: Bool) throws {
    let daemon = try RunningDaemon()
    let more = isJSON ? ["--json"] : []
    let process = try ChildProcess(
      Built.control, ["live", "wheresthedot", "--count", "5"] + more,
      environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket])
    if isJSON {
      #expect(process.outputLine()?.contains(#""start""#) == true)
    } else {
      #expect(process.waitForLine(containing: "requests of wheresthedot") != nil)
    }
    let player = "%3Cb%3E%E2%80%AE%F0%9F%A6%8Aevil%22%5C"
    let evil = "<img src=x>\u{1b}[2J\u{202E}\u{7}\u{9b}31m\r\n\tover"
    _ = try daemon.ask("GET", Self.game + "/config/" + Self.key + "?player=" + player)
    _ = try daemon.ask("GET", Self.game + "/config/%1B%5B2J%E2%80%AE%0Aover?player=" + player)
    for event in [evil, "game_over"] {
      let body: Value = ["event": .string(event), "mode": .string(evil), "score": .string(evil), "reason": .string(evil)]
      _ = try daemon.ask("POST", Self.game + "/players/\(player)/events", body: body)
    }
    _ = try daemon.ask("POST", Self.game + "/players/\(player)/purchases", body: ["product": .string(evil)])
    let ended = process.waitForEnd()
    let text = ended.output
    #expect(ended.status == 0 && text.split(separator: "\n", omittingEmptySubsequences: false).count == 6, "\(text)\(ended.errors)")
    let raw = text.unicodeScalars.filter { $0 != "\n" && $0 != "\t" && ($0.value < 0x20 || (0x7f..<0xa0).contains($0.value)) }
    #expect(raw.isEmpty && !text.contains("\u{202E}"), "\(raw)")
    guard isJSON else { return }
    let lines = try text.split(separator: "\n").map { try JSONReader.value(from: Array($0.utf8)) }
    #expect(lines.allSatisfy { $0["player"] == "<b>\u{202E}\u{1F98A}evil\"\\" }, "\(text)")
    #expect(!text.contains("\t"))
  }
}
