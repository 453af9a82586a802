// Games' reads over the socket of the built daemon, with the five shipped games.

import GameConfCore
import Testing

@Suite("A game reads its values", .serialized)
struct ReadingTests {
  @Test("the daemon serves the five shipped games with all values of their catalogs")
  func shipped() throws {
    let daemon = try RunningDaemon()
    let games = try daemon.ask("GET", "/v1/games")
    #expect(games.status == 200)
    let ids = games.json["games"]?.listValue?.compactMap { $0["game"]?.stringValue }
    #expect(ids == ["adventure", "dartsscore", "kidsdoku2", "remembersquare", "wheresthedot"])
    let config = try daemon.ask("GET", "/v1/games/dartsscore/config")
    #expect(config.text.contains(#""dart_size":30"#))
    #expect(config.text.contains(#""sound_tap_volume":0.5"#))
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/config").text.contains(#""arcade_radius_base":18.0"#))
  }

  @Test("the answer of one value has its type, source, reason and revision")
  func oneValue() throws {
    let daemon = try RunningDaemon()
    let answer = try daemon.ask("GET", "/v1/games/wheresthedot/config/arcade_time_limit_base")
    #expect(answer.status == 200)
    #expect(answer.json["value"] == 2.5)
    #expect(answer.json["type"] == "double")
    #expect(answer.json["source"] == "default")
    #expect(answer.json["reason"] == "STATIC")
    #expect(answer.headers["gameconf-revision"] != nil)
    let posted = try daemon.ask(
      "POST", "/v1/games/wheresthedot/config/arcade_time_limit_base", body: ["player": "p1", "context": ["platform": "ios"]])
    #expect(posted.json["value"] == 2.5)
  }

  @Test(
    "a read with its ETag gets 304, and HEAD gets only GET's headers",
    arguments: ["config", "config/arcade_time_limit_base", "config/daily_seed", "catalog"])
  func etag(path: String) throws {
    let daemon = try RunningDaemon()
    let target = "/v1/games/wheresthedot/\(path)"
    let first = try daemon.ask("GET", target)
    let tag = try #require(first.headers["etag"])
    #expect(try daemon.ask("GET", target, headers: ["If-None-Match": tag]).status == 304)
    #expect(try daemon.ask("GET", target, headers: ["If-None-Match": #""other""#]).status == 200)
    let head = try daemon.ask("HEAD", target)
    #expect(head.status == 200)
    #expect(head.headers["etag"] == tag)
    #expect(head.headers["content-length"] == String(first.body.count))
  }

  @Test("localized texts are in the requested locale, or in the fallback for an unknown one")
  func locales() throws {
    let daemon = try RunningDaemon()
    let french = try daemon.ask("GET", "/v1/games/adventure/config/chapters?locale=fr-CA").json["value"]
    let german = try daemon.ask("GET", "/v1/games/adventure/config/chapters?locale=de").json["value"]
    let english = try daemon.ask("GET", "/v1/games/adventure/config/chapters").json["value"]
    #expect(german == english)
    #expect(french != english)
    #expect(english?.listValue?.first?["title"] == "Ice Cave")
    let whole = try daemon.ask("GET", "/v1/games/adventure/config/chapters?locale=*").json["value"]
    #expect(whole?.listValue?.first?["title"]?["en"] == "Ice Cave")
  }

  @Test("a config request may select keys, and may request the details of their values")
  func detail() throws {
    let daemon = try RunningDaemon()
    let some = try daemon.ask("GET", "/v1/games/dartsscore/config?keys=attempts,dart_size")
    #expect(some.json["values"]?.objectValue?.names == ["attempts", "dart_size"])
    let full = try daemon.ask("GET", "/v1/games/dartsscore/config?detail=full&keys=dart_size")
    #expect(full.json["values"]?["dart_size"]?["unit"] == "pt")
  }

  @Test(
    "a read that cannot be answered is refused with its error code and a remedy",
    arguments: [
      ("GET", "/v1/games/nothing/config", 404, "UNKNOWN_GAME"),
      ("GET", "/v1/games/wheresthedot/config/arcade_time_limit_bas", 404, "UNKNOWN_KEY"),
      ("GET", "/v1/games/wheresthedot/config?color=red", 400, "UNKNOWN_QUERY_PARAMETER"),
      ("GET", "/v1/games/wheresthedot/config?player=", 400, "MALFORMED_QUERY_PARAMETER"),
      ("DELETE", "/v1/games/wheresthedot/config", 405, "METHOD_NOT_ALLOWED"),
      ("GET", "/v1/nothing", 404, "NOT_FOUND"),
      ("GET", "/v1/status", 403, "ADMIN_ONLY"),
      ("POST", "/v1/reload", 403, "ADMIN_ONLY"),
      ("GET", "/v1/games/wheresthedot/config?detail=some", 400, "MALFORMED_QUERY_PARAMETER"),
      ("GET", "/v1/games/%ff/config", 400, "MALFORMED_PATH"),
    ])
  func refused(method: String, target: String, status: Int, code: String) throws {
    let daemon = try RunningDaemon()
    let answer = try daemon.ask(method, target)
    #expect(answer.status == status)
    #expect(answer.code == code)
    #expect(answer.headers["content-type"] == "application/problem+json")
    #expect(answer.detail?.isEmpty == false)
    if status == 405 { #expect(answer.headers["allow"] == "GET, HEAD, POST") }
  }

  @Test("a player that differs from the targetingKey is refused, and an unknown key gets suggestions")
  func differing() throws {
    let daemon = try RunningDaemon()
    let answer = try daemon.ask(
      "POST", "/v1/games/wheresthedot/config", body: ["player": "a", "context": ["targetingKey": "b"]])
    #expect(answer.status == 400)
    #expect(answer.code == "PLAYERS_DIFFER")
    let unknown = try daemon.ask("GET", "/v1/games/wheresthedot/config/arcade_time_limit_bas")
    #expect(
      unknown.detail
        == "“arcade_time_limit_bas” is not a parameter of wheresthedot. Did you mean “arcade_time_limit_base” or “arcade_time_limit_min”?")
  }

  @Test("a browser's request is refused before routing")
  func browser() throws {
    let daemon = try RunningDaemon()
    #expect(try daemon.ask("GET", "/v1/games", headers: ["Origin": "http://evil.example"]).code == "BROWSER_REFUSED")
    #expect(try daemon.ask("GET", "/v1/games", headers: ["Sec-Fetch-Mode": "cors"]).code == "BROWSER_REFUSED")
  }
}
