// Properties of answers that game developers rely on: complete, and the same until something changes.

import GameConfCore
import Glibc
import Testing

@Suite("Answers to games")
struct GameDeveloperTests {
  private static let noon = ["--clock", "2026-11-21T12:00:00Z"]

  @Test("entitlements, transactions and the player's page answer 304 until the player changes")
  func unchanged() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    _ = try player.event(score: 5)
    for path in ["/entitlements", "/transactions", "", "?history=0"] {
      let first = try daemon.ask("GET", player.path + path)
      let tag = try #require(first.headers["etag"])
      // The simulated clock runs, so each of these answers contains another time.
      var instants: Set<String> = []
      while instants.count < 2 {
        let again = try daemon.ask("GET", player.path + path)
        #expect(again.headers["etag"] == tag)
        instants.insert((again.json["at"] ?? again.json["now"])?.stringValue ?? "")
      }
      let known = try daemon.ask("GET", player.path + path, headers: ["If-None-Match": tag])
      #expect(known.status == 304 && known.headers["gameconf-player-revision"] != nil, "\(path)")
    }
    let before = try daemon.ask("GET", player.path + "/entitlements").headers["etag"]
    #expect(try daemon.ask("POST", player.path + "/purchases", body: ["product": "removeads"]).status == 201)
    let after = try daemon.ask("GET", player.path + "/entitlements", headers: ["If-None-Match": before ?? ""])
    #expect(after.status == 200 && after.headers["etag"] != before)
  }

  @Test("unknown keys of a config request are listed apart, with and without details", arguments: ["", "&detail=full", "&player=p1"])
  func unknownKeys(more: String) throws {
    let daemon = try RunningDaemon()
    let path = "/v1/games/dartsscore/config"
    let answer = try daemon.ask("GET", path + "?keys=attempts,newer_key,dart_size,other" + more)
    #expect(answer.status == 200)
    #expect(answer.json["values"]?.objectValue?.names == ["attempts", "dart_size"])
    #expect(answer.json["unknown"] == ["newer_key", "other"])
    let posted = try daemon.ask("POST", path, body: ["keys": ["newer_key"], "player": "p1"])
    #expect(posted.json["values"] == [:] && posted.json["unknown"] == ["newer_key"])
    #expect(try daemon.ask("GET", path + "?keys=attempts" + more).json["unknown"] == nil)
    #expect(try daemon.ask("GET", path + "/newer_key").code == "UNKNOWN_KEY", "one key alone is asked for by name")
  }

  @Test(
    "a locale is accepted in the forms of games and systems; one without a language is ignored and reported",
    arguments: [("fr-FR", "La", nil), ("fr_FR", "La", nil), ("fr_FR.UTF-8", "La", nil), ("!!", "Ic", "locale"), ("_", "Ic", "locale")]
      as [(String, String, String?)])
  func locales(locale: String, begins: String, ignored: String?) throws {
    let daemon = try RunningDaemon()
    let path = "/v1/games/adventure/config/chapters"
    let encoded = locale.replacing("!", with: "%21")
    let fetched = try daemon.ask("GET", path + "?locale=" + encoded)
    let posted = try daemon.ask("POST", path, body: ["context": ["locale": .string(locale)]])
    for answer in [fetched, posted] {
      #expect(answer.status == 200 && answer.headers["gameconf-ignored"] == ignored, "\(answer.text.prefix(200))")
      let title = answer.json["value"]?.listValue?.first?["title"]?.stringValue ?? ""
      #expect(title.hasPrefix(begins), "\(title)")
    }
    let player = TestPlayer(daemon: daemon)
    let event = try player.event(score: 60, more: [("context", ["locale": .string(locale)])])
    #expect(event.status == 200 && event.headers["gameconf-ignored"] == ignored)
  }

  @Test("an event's occurred_at is a time of the host's clock, independent of the simulated one")
  func occurred() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    let player = TestPlayer(daemon: daemon)
    #expect(try daemon.ask("PUT", "/v1/games/wheresthedot/clock", body: ["advance": "P2M"], admin: true).status == 200)
    let late = try player.event(score: 60, more: [("occurred_at", "2026-11-21T11:00:00Z")])
    #expect(late.status == 200, "\(late.text)")
    #expect(late.json["occurred_at"] == "2026-11-21T11:00:00Z" && late.json["simulated_at"] == "2027-01-21T11:00:00Z")
    let older = try player.event(score: 60, more: [("occurred_at", "2026-11-21T10:00:00Z")])
    #expect(older.json["occurred_at"] == "2026-11-21T10:00:00Z" && older.json["simulated_at"] == "2027-01-21T11:00:00Z")
    let history = try player.page("?history=2")["history"]?.listValue ?? []
    #expect(history.map { $0["details"]?["occurred_at"] } == ["2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"])
    #expect(history.allSatisfy { $0["details"]?["simulated_at"] == "2027-01-21T11:00:00Z" })
    #expect(try player.event(more: [("occurred_at", "2026-11-14T11:59:59Z")]).code == "OCCURRED_TOO_EARLY")
    #expect(try player.event(more: [("occurred_at", "2027-01-21T11:00:00Z")]).code == "OCCURS_AHEAD", "simulated time is not asked for")
  }

  @Test("an event's answer has its unlocked items by id in the caller's language, and its ads by placement")
  func oneEvent() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    let player = TestPlayer(daemon: daemon)
    let answer = try player.event(score: 60, id: "g1", more: [("context", ["locale": "es"])])
    #expect(answer.json["unlocked"]?["themes"] == ["forest": ["name": "Bosque"]])
    #expect(answer.json["unlocked"]?["milestones"]?.objectValue?.names == ["forest"])
    #expect(answer.json["unlocked"]?["achievements"]?["first_dot"]?["name"] == "Primer punto")
    #expect(answer.json["ads"]?["game_over"]?["show"] == false)
    #expect(answer.json["scores"]?["is_best"] == true)
    // A repeat has the names of the first answer, even if the player's language has changed since.
    #expect(try daemon.ask("PUT", player.path + "/context", body: ["context": ["locale": "en"]]).status == 200)
    let again = try player.event(score: 60, id: "g1", more: [("context", ["locale": "es"])])
    #expect(again.text == answer.text && again.headers["gameconf-repeated"] != nil)
    let zero = try TestPlayer(daemon: daemon, player: "p2").event(score: 0)
    #expect(zero.json["scores"]?["is_best"] == false && zero.json["scores"]?["best_score"] == 0)
  }

  @Test("a purchase's answer has the entitlements and unlocked themes, and a locked theme names its products")
  func onePurchase() throws {
    let daemon = try RunningDaemon(arguments: Self.noon)
    let player = TestPlayer(daemon: daemon)
    #expect(try player.theme("aurora")["unlocks_with"] == ["theme.aurora", "premium"])
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/themes/aurora").json["unlocks_with"] == ["theme.aurora", "premium"])
    #expect(try player.theme("forest")["unlocks_with"] == nil, "nothing that is sold unlocks it")
    let bought = try daemon.ask("POST", player.path + "/purchases", body: ["product": "theme.aurora"], headers: ["Idempotency-Key": "k1"])
    #expect(bought.status == 201)
    #expect(bought.json["unlocked"]?["themes"] == ["aurora": ["name": "Aurora"]])
    #expect(bought.json["entitlements"] == (try daemon.ask("GET", player.path + "/entitlements").json))
    #expect(try player.theme("aurora")["unlocks_with"] == nil)
    let again = try daemon.ask("POST", player.path + "/purchases", body: ["product": "theme.aurora"], headers: ["Idempotency-Key": "k1"])
    #expect(again.text == bought.text)
    let id = try #require(bought.json["transaction"]?["id"]?.stringValue)
    let refunded = try daemon.ask("POST", player.path + "/transactions/\(id)/refund", admin: true)
    #expect(refunded.json["locked_themes"] == ["aurora"] && refunded.json["entitlements"]?["purchased"]?["theme.aurora"] == false)
    let whole = try daemon.ask("POST", player.path + "/purchases?dry_run=true", body: ["product": "premium"])
    #expect(whole.json["unlocked"]?["themes"]?.objectValue?.names == ["aurora", "doctorping", "inferno", "spacetravel"])
    #expect(whole.json["entitlements"]?["is_ad_free"] == true)
    #expect(try player.theme("aurora")["unlocked"] == false, "a dry run changes nothing")
  }

  @Test("a fixed segment of a call's path is not a key: other methods get 405 with the allowed ones")
  func reservedPaths() throws {
    let daemon = try RunningDaemon()
    let path = "/v1/games/wheresthedot/overrides/"
    for (word, method, allowed) in [("export", "PUT", "GET, HEAD"), ("import", "GET", "POST"), ("clear", "DELETE", "POST")] {
      let answer = try daemon.ask(method, path + word, admin: true)
      #expect(answer.status == 405 && answer.headers["allow"] == allowed, "\(method) \(word): \(answer.text)")
    }
  }

  @Test("a FIFO among catalogs or drop-ins is reported, and a reload does not block on it")
  func pipes() throws {
    let folder = try TemporaryFolder()
    try folder.write("gameconf: 1\n", to: "cave.d/10-first.yaml")
    mkfifo(folder.path + "/cave.d/20-pipe.yaml", 0o600)
    mkfifo(folder.path + "/cave.yaml", 0o600)
    mkfifo(folder.path + "/hut.yaml", 0o600)
    let ending = try ChildProcess(Built.control, ["catalog", "validate", folder.path]).waitForEnd()
    #expect(ending.status == 1, "\(ending)")
    for name in ["cave.yaml", "hut.yaml"] { #expect(ending.errors.contains("/\(name): is not a regular file"), "\(ending.errors)") }
  }

  @Test("a parameter with the name of a call is refused", arguments: ["export", "import", "clear", "simulate", "image"])
  func reservedKeys(key: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      gameconf: 1
      game: cave
      title: Cave
      locales: [en]
      parameters:
        \(key): {type: integer, default: 1, section: A, description: One.}
      """, to: "cave.yaml")
    let ending = try ChildProcess(Built.control, ["catalog", "validate", folder.path + "/cave.yaml"]).waitForEnd()
    #expect(ending.status == 1 && (ending.output + ending.errors).contains("cave.yaml:6:3: “\(key)” cannot be the id of a parameter"))
  }
}
