// Several keys in one command, windows of any override, and a player in one line: requests and output.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Testing

@testable import gameconfctl

@Suite("Commands about several things")
struct SeveralTests {
  private static let bob = WireAuthor(uid: 4_000_000_000, name: "bob")

  private static func override(_ key: String, _ value: Value, author: WireAuthor = bob, until: Instant? = nil) -> WireOverride {
    WireOverride(
      key: key, player: nil, value: value, window: until.map { WireWindow(id: "w3", from: Instant(seconds: 0), until: $0) }, author: author,
      at: Instant(seconds: 60), reason: "spring", revision: 7)
  }

  @Test("config set with several KEY=VALUE makes one import, parses each value by its key's type, and prints each key")
  func keys() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config/a": .json(Sample.value("a", 2.5)), "GET /v1/games/g/config/b": .json(Sample.value("b", 1.5)),
      "POST /v1/games/g/overrides/import": .json(
        {
          var answer = ImportAnswer(game: "g", revision: 7, imported: 2)
          answer.overrides = [Self.override("a", 4.0), Self.override("b", 7.0)]
          answer.replaced = [Self.override("b", 1.5)]
          return answer
        }()),
    ])
    let outcome = await run("config", "set", "g", "a=4", "b=7", "--reason", "r", admin: daemon)
    #expect(
      outcome.out == """
        a is overridden with 4.0 for the game, was 2.5 (default); revision 7
        b is overridden with 7.0 for the game, was 1.5 (default); it replaces the override that bob set 1970-01-01T00:01:00Z: “spring”; revision 7

        """, "\(outcome.err)")
    let body = daemon.changes.last?.body
    #expect(body?["overrides"] == [["key": "a", "value": 4.0], ["key": "b", "value": 7.0]] && body?["reason"] == "r")
  }

  @Test("config set of several keys reports a refused key like a single one, and says that no key was set")
  func refused() async {
    let items = [Problem.Item(.outOfRange, "b: 99 is above the maximum of 20.", pointer: "/overrides/1/value")]
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config/a": .json(Sample.value("a", 2.5)), "GET /v1/games/g/config/b": .json(Sample.value("b", 1.5)),
      "POST /v1/games/g/overrides/import": .problem(Problem(.rowsRefused, "1 rows are refused, so nothing was changed.", errors: items)),
    ])
    let outcome = await run("config", "set", "g", "a=4", "b=99", admin: daemon)
    #expect(
      outcome
        == RunResult(status: 1, out: "", err: "gameconfctl: b: 99 is above the maximum of 20. Nothing was changed. [OUT_OF_RANGE]\n"))
  }

  @Test(
    "config set with conflicting arguments is a usage error, and no request is sent",
    arguments: [
      ["a=1", "b"], ["a=1", "a=2"], ["a", "1", "b=2"], ["a=1", "b=2", "--replace", "--for", "1h"], ["a=1", "--value-json", "2"], ["=1"],
    ])
  func usage(words: [String]) async {
    let daemon = RecordedDaemon()
    #expect(await run(["config", "set", "g"] + words, admin: daemon).status == 2)
    #expect(daemon.calls == [])
  }

  @Test("config set accepts a value with an equals sign if key and value are two words")
  func equals() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config/a": .json(Sample.value("a", "x", type: "string")),
      "PUT /v1/games/g/overrides/a": .json(OverrideAnswer(game: "g", revision: 2, override: Self.override("a", "b=c"))),
    ])
    #expect(await run("config", "set", "g", "a", "b=c", admin: daemon).status == 0)
    #expect(daemon.changes.map(\.body) == [["value": "b=c"]])
  }

  @Test("themes milestone accepts a time window only together with a number")
  func milestone() async {
    let daemon = RecordedDaemon()
    #expect(await run("themes", "milestone", "g", "ocean", "--for", "1h", admin: daemon).status == 2)
    #expect(daemon.calls == [])
  }

  @Test("player make runs a command for each part of the player, in a fixed order")
  func made() throws {
    var make = try #require(
      try GameConfCtl.parseAsRoot([
        "player", "make", "g", "p", "--points", "200", "--best", "arcade=9", "--premium", "--setting", "sound=off", "--set", "a=4", "--set",
        "b=7", "--reason", "r",
      ]) as? PlayerMake)
    make.connection.timeout = 30
    let shared = ["--timeout", "30.0", "--reason", "r", "--"]
    #expect(
      try make.steps() == [
        ["player", "score", "--lifetime", "200", "--best", "arcade=9"] + shared + ["g", "p"],
        ["player", "settings"] + shared + ["g", "p", "sound", "off"], ["iap", "premium"] + shared + ["g", "p", "on"],
        ["config", "set", "--player", "p"] + shared + ["g", "a=4", "b=7"],
      ])
  }

  @Test("player make replaces a known player only after confirmation")
  func known() async {
    let reset = PlayerResetAnswer(playerRevision: 1, isKnown: true, removed: ["history_entries": 3])
    let daemon = RecordedDaemon(["POST /v1/games/g/players/p/reset?dry_run=true": .json(reset)])
    let outcome = await run("player", "make", "g", "p", "--points", "200", admin: daemon, answering: ["n"])
    #expect(outcome.status == 1)
    #expect(outcome.err.contains("history_entries 3 removed?"), "\(outcome.err)")
    #expect(daemon.calls == ["POST /v1/games/g/players/p/reset?dry_run=true"])
  }
}
