// Values pinned for one play: the answers that have them, their lifetime, and refusals.

import GameConfCore
import Glibc
import Testing

@Suite("Plays", .serialized)
struct PlayTests {
  /// Opens a play and returns its id.
  private func open(_ player: TestPlayer, _ body: Value? = nil, admin: Bool = false) throws -> String {
    let answer = try player.daemon.ask("POST", player.path + "/plays", body: body, admin: admin)
    #expect(answer.status == 201, "\(answer.text)")
    let id = try #require(answer.json["play"]?.stringValue)
    #expect(answer.headers["location"] == player.path + "/plays/" + id)
    return id
  }

  private func values(_ player: TestPlayer, _ query: String) throws -> Value {
    let answer = try player.daemon.ask("GET", "/v1/games/\(player.game)/config?player=\(player.player)\(query)")
    #expect(answer.status == 200, "\(answer.text)")
    return answer.json["values"] ?? .null
  }

  @Test("a play of dartsscore keeps its settings over changes, an override, a kill and its end")
  func darts() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "dartsscore")
    #expect(try player.choose("attempts", 5).status == 200)
    let play = try open(player)
    let before = try values(player, "&play=\(play)")
    #expect(before["attempts"] == 5)
    for (key, value) in [("attempts", 20), ("time_for_answer_ms", 20_000), ("sound_tap_enabled", false)] as [(String, Value)] {
      #expect(try player.choose(key, value).status == 200)
    }
    #expect(try daemon.put("answers_count", 7, game: "dartsscore").status == 201)
    for restart in [false, true] {
      if restart { try daemon.restart(killing: true) }
      #expect(try values(player, "&play=\(play)") == before)
      let now = try values(player, "")
      #expect(now["attempts"] == 20 && now["answers_count"] == 7 && now["sound_tap_enabled"] == false)
      let one = try daemon.ask("GET", "/v1/games/dartsscore/config/attempts?player=p1&play=\(play)").json
      #expect(one["value"] == 5 && one["source"] == "play" && one["reason"] == "TARGETING_MATCH" && one["type"] == "integer")
      let shown = try daemon.ask("GET", player.path + "/plays/\(play)").json
      #expect(shown["differs"] == ["attempts", "time_for_answer_ms", "answers_count", "sound_tap_enabled"])
      #expect(shown["values"]?["attempts"]?["source"] == "setting" && shown["values"]?["attempts"]?["now"] == 20)
      #expect(shown["values"]?["answers_count"]?["now_source"] == "override.game")
      #expect(shown["values"]?["darts_per_attempt"]?["differs"] == nil)
    }
    let closed = try daemon.ask("POST", player.path + "/plays/\(play)/close")
    #expect(closed.status == 200 && closed.json["open"] == false && closed.json["closed_at"] != nil)
    let again = try daemon.ask("POST", player.path + "/plays/\(play)/close")
    #expect(again.status == 200 && again.json["was_closed"] == true && again.json["closed_at"] == closed.json["closed_at"])
    #expect(try values(player, "&play=\(play)") == before)
    // “Start over” in the app closes one play and opens another.
    let next = try open(player)
    #expect(try values(player, "&play=\(next)")["attempts"] == 20)
    let list = try daemon.ask("GET", player.path + "/plays").json["plays"]?.listValue ?? []
    #expect(list.map { $0["play"] } == [.string(next), .string(play)] && list.map { $0["open"] } == [true, false])
    let page = try daemon.ask("GET", player.path + "/plays?limit=1").json
    #expect(page["next_before"] == .string(next))
    #expect(try daemon.ask("GET", player.path + "/plays?limit=1&before=\(next)").json["plays"]?.listValue?.first?["play"] == .string(play))
  }

  private static func story(chapters: String) -> String {
    """
    gameconf: 1
    game: story
    title: Story
    locales: [en, fr]
    parameters:
      chapters:
        type: list
        default:
    \(chapters)
        schema: {type: array, items: {type: object, properties: {title: {localized: true}, lines: {type: array, items: {localized: true}}}}}
        section: Content
        description: The chapters.
      hello: {type: localized, default: {en: Hello, fr: Bonjour}, section: Content, description: A greeting.}
    """
  }

  @Test("a play of adventure keeps its French chapters when a new catalog changes or removes them")
  func story() throws {
    let old = "      - {title: {en: One, fr: Un}, lines: [{en: Go, fr: Va}, {en: Stop, fr: Arrête}]}"
    let daemon = try RunningDaemon(catalogs: ["story.yaml": Self.story(chapters: old)])
    let (reader, other) = (TestPlayer(daemon: daemon, game: "story"), TestPlayer(daemon: daemon, game: "story", player: "p2"))
    let play = try open(reader)
    let new = "      - {title: {en: Two, fr: Deux}, lines: []}"
    let newer = Self.story(chapters: new).replacing("hello:", with: "greeting:")
    try daemon.folder.write(newer, to: "games/story.yaml")
    #expect(try daemon.ask("POST", "/v1/reload", admin: true).status == 200)
    for restart in [false, true] {
      if restart { try daemon.restart(killing: true) }
      let french = try values(reader, "&play=\(play)&locale=fr")
      #expect(french["chapters"] == [["title": "Un", "lines": ["Va", "Arrête"]]])
      #expect(french["hello"] == "Bonjour", "the catalog has the key no more")
      #expect(french["greeting"] == "Bonjour", "what the play has not pinned answers as ever")
      #expect(french.objectValue?.names == ["chapters", "greeting", "hello"])
      #expect(try values(reader, "&play=\(play)&locale=*")["chapters"]?.listValue?[0]["title"] == ["en": "One", "fr": "Un"])
      #expect(try values(reader, "&play=\(play)&locale=ru&keys=hello") == ["hello": "Hello"])
      #expect(try values(other, "&locale=fr")["chapters"]?.listValue?[0]["title"] == "Deux")
      let gone = try daemon.ask("GET", "/v1/games/story/config/hello?player=p1&play=\(play)").json
      #expect(gone["value"] == "Hello" && gone["source"] == "play")
      #expect(try daemon.ask("GET", "/v1/games/story/config/hello?player=p1").code == "UNKNOWN_KEY")
      let shown = try daemon.ask("GET", reader.path + "/plays/\(play)").json
      #expect(shown["differs"] == ["chapters", "hello"] && shown["values"]?["hello"]?["now"] == nil)
    }
    let full = try daemon.ask("GET", "/v1/games/story/config?player=p1&play=\(play)&detail=full").json
    #expect(full["values"]?["chapters"]?["source"] == "play" && full["values"]?["greeting"]?["source"] == "default")
  }

  @Test("a play of wheresthedot that opened before midnight UTC keeps its daily seed")
  func midnight() throws {
    let daemon = try RunningDaemon(arguments: ["--clock", "2026-11-21T23:59:59Z"])
    let (one, two) = (TestPlayer(daemon: daemon), TestPlayer(daemon: daemon, player: "p2"))
    let today = try one.read("daily_seed")["value"]
    #expect(try two.read("daily_seed")["value"] == today)
    let play = try open(one)
    #expect(try daemon.ask("PUT", "/v1/games/wheresthedot/clock", body: ["advance": "PT1S"], admin: true).status == 200)
    let tomorrow = try one.read("daily_seed")["value"]
    #expect(tomorrow != today)
    #expect(try two.read("daily_seed")["value"] == tomorrow)
    let pinned = try daemon.ask("GET", "/v1/games/wheresthedot/config/daily_seed?player=p1&play=\(play)").json
    #expect(pinned["value"] == today && pinned["next_change_at"] == nil)
    #expect(try daemon.ask("GET", one.path + "/plays/\(play)").json["opened_at"] == "2026-11-21T23:59:59Z")
  }

  @Test("resetting a game's clock moves plays from the simulated future to the present, and keeps their values")
  func clockReset() throws {
    let now = "2026-11-21T12:00:00Z"
    let daemon = try RunningDaemon(arguments: ["--clock", now])
    let (one, two) = (TestPlayer(daemon: daemon), TestPlayer(daemon: daemon, player: "p2"))
    let before = try open(two)
    #expect(try daemon.ask("PUT", "/v1/games/wheresthedot/clock", body: ["advance": "P1M"], admin: true).status == 200)
    let seed = try one.read("daily_seed")["value"]
    let (ahead, closed) = (try open(one), try open(one))
    #expect(try daemon.ask("POST", one.path + "/plays/\(closed)/close").status == 200)
    #expect(try daemon.ask("GET", one.path + "/plays/\(ahead)").json["opened_at"] == "2026-12-21T12:00:00Z")
    let dry = try daemon.ask("DELETE", "/v1/games/wheresthedot/clock?dry_run=true", admin: true).json
    #expect(dry["plays"] == 2 && dry["players"] == 1)
    #expect(try daemon.ask("GET", one.path + "/plays/\(ahead)").json["opened_at"] == "2026-12-21T12:00:00Z")
    let reset = try daemon.ask("DELETE", "/v1/games/wheresthedot/clock", admin: true).json
    #expect(reset["plays"] == 2 && reset["players"] == 1, "\(reset)")
    for restart in [false, true] {
      if restart { try daemon.restart(killing: true) }
      let shown = try daemon.ask("GET", one.path + "/plays/\(ahead)").json
      #expect(shown["opened_at"] == .string(now) && shown["open"] == true)
      #expect(shown["values"]?["daily_seed"]?["value"] == seed, "what was pinned stays")
      let ended = try daemon.ask("GET", one.path + "/plays/\(closed)").json
      #expect(ended["opened_at"] == .string(now) && ended["closed_at"] == .string(now))
      #expect(try daemon.ask("GET", two.path + "/plays/\(before)").json["opened_at"] == .string(now))
      let list = try daemon.ask("GET", one.path + "/plays").json["plays"]?.listValue ?? []
      #expect(list.map { $0["opened_at"] } == [.string(now), .string(now)])
    }
  }

  @Test("values that a play has pinned are in POST, OFREP and watch answers, with the play as the top layer", .needs(.ofrep))
  func everywhere() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "dartsscore")
    let play = try open(player, ["keys": ["attempts", "answers_count"]])
    _ = try daemon.put("attempts", 15, game: "dartsscore")
    let request: Value = ["player": "p1", "play": .string(play)]
    let posted = try daemon.ask("POST", "/v1/games/dartsscore/config", body: request).json["values"]
    #expect(posted?["attempts"] == 10 && posted?["time_for_answer_ms"] == 15_000)
    #expect(try daemon.ask("POST", "/v1/games/dartsscore/config/attempts", body: request).json["value"] == 10)
    let flags = "/v1/games/dartsscore/ofrep/v1/evaluate/flags"
    let context: Value = ["context": ["targetingKey": "p1", "play": .string(play)]]
    let flag = try daemon.ask("POST", flags + "/attempts", body: context).json
    #expect(flag["value"] == 10 && flag["metadata"]?["source"] == "play")
    let bulk = try daemon.ask("POST", flags, body: context)
    #expect(bulk.json["flags"]?.listValue?.first { $0["key"] == "attempts" }?["value"] == 10)
    let tag = try #require(bulk.headers["etag"])
    #expect(try daemon.ask("POST", flags, body: context, headers: ["If-None-Match": tag]).status == 304)
    let plain: Value = ["context": ["targetingKey": "p1"]]
    #expect(try daemon.ask("POST", flags, body: plain, headers: ["If-None-Match": tag]).status == 200, "the play is part of the tag")
    let explained = try daemon.ask("GET", "/v1/games/dartsscore/config/attempts/explain?player=p1&play=\(play)", admin: true).json
    #expect(explained["value"] == 10 && explained["source"] == "play")
    let layers = explained["layers"]?.listValue ?? []
    #expect(layers.first?["layer"] == "play" && layers.filter { $0["applied"] == true }.count == 1)
    let stream = try StreamReader(daemon.gamesSocket, "/v1/games/dartsscore/watch?player=p1&play=\(play)")
    let state = stream.data()["values"]
    #expect(state?["attempts"]?["value"] == 10 && state?["attempts"]?["source"] == "play")
    #expect(state?["time_for_answer_ms"]?["source"] == "default")
    // Pinned values do not change, so the first notification is of the key that is not pinned.
    _ = try daemon.put("attempts", 20, game: "dartsscore")
    _ = try daemon.put("answers_count", 4, game: "dartsscore", player: "p1")
    _ = try daemon.put("darts_per_attempt", 2, game: "dartsscore")
    #expect(stream.data()["values"]?.objectValue?.names == ["darts_per_attempt"])
    try daemon.restart(killing: true)
    let later = try StreamReader(daemon.gamesSocket, "/v1/games/dartsscore/watch?player=p1&play=\(play)&keys=attempts")
    #expect(later.data()["values"]?["attempts"]?["value"] == 10, "read from the store before the first byte")
    let id = try #require(try daemon.ask("GET", "/v1/games/dartsscore/config?player=p1&play=\(play)").headers["gameconf-id"])
    let waited = try daemon.ask("GET", "/v1/games/dartsscore/config?player=p1&play=\(play)&wait=1&after=\(id)")
    #expect(waited.status == 304)
  }

  @Test("a read with an unknown play, with one of another player or game, or with a play but no player is refused", .needs(.ofrep))
  func refused() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "dartsscore")
    let play = try open(player)
    let base = "/v1/games/dartsscore/config"
    for target in [
      base + "?player=p2&play=\(play)", "/v1/games/wheresthedot/config?player=p1&play=\(play)", base + "/attempts?player=p2&play=\(play)",
      base + "?player=p1&play=\(play)x", base + "?player=p1&play=%F0%9F%8E%AF", "/v1/games/dartsscore/watch?player=p2&play=\(play)",
      "/v1/games/dartsscore/players/p2/plays/\(play)", player.path + "/plays?before=nothing",
    ] {
      let answer = try daemon.ask("GET", target)
      #expect(answer.status == 404 && answer.code == "UNKNOWN_PLAY", "\(target): \(answer.text)")
    }
    #expect(try daemon.ask("POST", "/v1/games/dartsscore/players/p2/plays/\(play)/close").code == "UNKNOWN_PLAY")
    let nobody = try daemon.ask("GET", base + "?play=\(play)")
    #expect(nobody.status == 400 && nobody.code == "MALFORMED_QUERY_PARAMETER" && nobody.json["parameter"] == "play")
    let posted = try daemon.ask("POST", base, body: ["play": .string(play)])
    #expect(posted.status == 400 && posted.pointer == "/play")
    let flags = "/v1/games/dartsscore/ofrep/v1/evaluate/flags"
    for context in [["targetingKey": "p2", "play": .string(play)], ["play": .string(play)], ["targetingKey": "p1", "play": 5]] as [Value] {
      let answer = try daemon.ask("POST", flags, body: ["context": context])
      #expect(answer.status == 400 && answer.json["errorCode"] == "INVALID_CONTEXT", "\(answer.text)")
    }
    #expect(try daemon.ask("GET", "/v1/games/dartsscore/players").json["players"]?.listValue?.count != 2, "nobody was made")
  }

  @Test("opening a play with invalid keys, another player's context or too many values is refused")
  func badKeys() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "dartsscore")
    func refused(_ body: Value) throws -> RawConnection.Answer { try daemon.ask("POST", player.path + "/plays", body: body) }
    let unknown = try refused(["keys": ["attempts", "attemps"]])
    #expect(unknown.status == 404 && unknown.code == "UNKNOWN_KEY" && unknown.pointer == "/keys/1" && unknown.text.contains("attempts"))
    #expect(try refused(["keys": ["attempts", "attempts"]]).pointer == "/keys/1")
    #expect(try refused(["keys": []]).pointer == "/keys")
    #expect(try refused(["context": ["targetingKey": "p2"]]).code == "PLAYERS_DIFFER")
    #expect(try refused(["context": ["locale": "no-such-language-at-all"]]).status == 400)
    #expect(try refused(["kees": []]).status == 400)
    let large = try refused(["context": ["x": .string(String(repeating: "x", count: 9_000))]])
    #expect(large.status == 422 && large.code == "VALUE_TOO_LARGE" && large.pointer == "/context")
    #expect(try daemon.ask("POST", player.path + "/plays?dry_run=true").json["dry_run"] == true)
    #expect(try daemon.ask("GET", player.path + "/plays").json["plays"] == [])
    #expect(try player.revision() == 0)
  }

  @Test("a player's seventeenth open play, or more than 1 MiB of values, is refused until a play is closed")
  func limits() throws {
    let text = String(repeating: "x", count: 250_000)
    let parameters = [("small", "x")] + (1...5).map { ("t\($0)", text) }
    let lines = parameters.map { "  \($0): {type: string, default: \($1), section: S, description: D}" }
    let catalog = "gameconf: 1\ngame: large\ntitle: Large\nlocales: [en]\nparameters:\n" + lines.joined(separator: "\n") + "\n"
    let daemon = try RunningDaemon(catalogs: ["large.yaml": catalog])
    let player = TestPlayer(daemon: daemon, game: "large")
    let over = try daemon.ask("POST", player.path + "/plays")
    #expect(over.status == 422 && over.code == "VALUE_TOO_LARGE", "\(over.text)")
    let most: Value = ["keys": ["t1", "t2", "t3", "t4"]]
    let first = try open(player, most)
    let little: Value = ["keys": ["small"]]
    for _ in 2...16 { _ = try open(player, little) }
    let full = try daemon.ask("POST", player.path + "/plays", body: little)
    #expect(full.status == 409 && full.code == "LIMIT_REACHED", "\(full.text)")
    #expect(try daemon.ask("POST", player.path + "/plays/\(first)/close").status == 200)
    _ = try open(player, most)
    let limits = try daemon.ask("GET", "/v1/status", admin: true).json["limits"]
    #expect(limits?["open_plays_per_player_max"] == 16 && limits?["play_bytes_max"] == .integer(1 << 20))
  }

  @Test("a repeated request opens no second play, a forgotten player has no play, and an admin's play is audited")
  func repeats() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon, game: "dartsscore")
    let headers = ["Idempotency-Key": "k1"]
    let first = try daemon.ask("POST", player.path + "/plays", headers: headers)
    let again = try daemon.ask("POST", player.path + "/plays", headers: headers)
    #expect(again.body == first.body && again.headers["gameconf-repeated"] == "true")
    let play = try open(player, ["reason": "looking"], admin: true)
    let line = try #require(try daemon.audit(game: "dartsscore").first)
    #expect(
      line["action"] == "play.open" && line["player"] == "p1" && line["detail"]?["play"] == .string(play) && line["reason"] == "looking")
    #expect(try daemon.ask("GET", player.path + "/plays").json["plays"]?.listValue?.count == 2)
    let dry = try daemon.ask("DELETE", player.path + "?dry_run=true", admin: true).json
    #expect(dry["removed"]?["plays"] == 2)
    #expect(try daemon.ask("GET", player.path + "/plays").json["plays"]?.listValue?.count == 2)
    #expect(try daemon.ask("DELETE", player.path, admin: true).status == 204)
    for restart in [false, true] {
      if restart { try daemon.restart(killing: true) }
      #expect(try daemon.ask("GET", "/v1/games/dartsscore/config?player=p1&play=\(play)").code == "UNKNOWN_PLAY")
      #expect(try daemon.ask("GET", player.path + "/plays").json["plays"] == [])
    }
  }

  @Test("a play pins and shows secrets only for users who may read them")
  func secrets() throws {
    let folder = try TemporaryFolder()
    try folder.write("secret_readers: {mine: [\(geteuid())]}\n", to: "gameconfd.yaml")
    var play = ""
    do {
      let daemon = try RunningDaemon(
        catalogs: ["mine.yaml": Mine.catalog], folder: folder, arguments: ["--config", folder.path + "/gameconfd.yaml"])
      let player = TestPlayer(daemon: daemon, game: "mine")
      play = try open(player, admin: true)
      // On the games socket, even a user whom `secret_readers` names does not see the secret.
      #expect(try values(player, "&play=\(play)")["token"] == nil)
      #expect(try daemon.read(at: "/v1/games/mine/config?player=p1&play=\(play)", admin: true)["values"]?["token"] == "open")
      #expect(try daemon.read(at: player.path + "/plays/\(play)", admin: true)["values"]?["token"]?["value"] == "open")
      daemon.stop()
    }
    // The user is no longer in `secret_readers`, and the key is no longer secret. It was secret when the play pinned it, so it stays
    // hidden.
    let daemon = try RunningDaemon(
      catalogs: ["mine.yaml": Mine.catalog.replacing(", secret: true", with: "")], folder: folder)
    let player = TestPlayer(daemon: daemon, game: "mine")
    #expect(try values(player, "&play=\(play)")["token"] == nil)
    #expect(try daemon.ask("GET", "/v1/games/mine/config/token?player=p1&play=\(play)").code == "SECRET_KEY")
    let shown = try daemon.ask("GET", player.path + "/plays/\(play)").json["values"]?["token"]
    #expect(shown?["masked"] == true && shown?["value"] == .null)
    let stream = try StreamReader(daemon.gamesSocket, "/v1/games/mine/watch?player=p1&play=\(play)")
    #expect(stream.data()["values"]?["token"] == nil)
    #expect(try daemon.ask("GET", "/v1/games/mine/config?player=p1&play=\(play)&detail=full").json["values"]?["token"]?["masked"] == true)
  }

  @Test("a play of a client that may not read a secret pins the other keys, and naming the secret is refused")
  func secretsOfOthers() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    let player = TestPlayer(daemon: daemon, game: "mine")
    let named = try daemon.ask("POST", player.path + "/plays", body: ["keys": ["lives", "token"]])
    #expect(named.status == 403 && named.code == "SECRET_KEY" && named.pointer == "/keys/1")
    let play = try open(player)
    let shown = try daemon.ask("GET", player.path + "/plays/\(play)").json["values"]?.objectValue
    #expect(shown?.names == ["lives", "sound", "speed", "title"])
  }
}
