// Simulated clocks and gates on the command line, against recorded responses.

import GameConfAPI
import GameConfCore
import Testing

@testable import gameconfctl

@Suite("Commands of simulated time")
struct ClockCommandTests {
  @Test("iap clock prints the time of a game's clock, and notes its rate")
  func show() async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/clock": .json(ClockAnswer(game: "g", now: Instant(seconds: 5), host: Instant(seconds: 4), rate: 0.5))
    ])
    let outcome = await run("iap", "clock", "g", admin: daemon)
    #expect(outcome == RunResult(status: 0, out: "1970-01-01T00:00:05Z\n", err: "it runs 0.5 times as fast as the host's clock\n"))
  }

  @Test(
    "each way to move a game's clock sends one request",
    arguments: [
      (["set", "2027-01-31T00:00:00Z"], ["now": "2027-01-31T00:00:00Z"]), (["advance", "P1M"], ["advance": "P1M"]),
      (["rate", "60"], ["rate": 60.0]),
    ] as [([String], Value)])
  func move(arguments: [String], body: Value) async {
    let daemon = RecordedDaemon([
      "PUT /v1/games/g/clock": .json(ClockAnswer(game: "g", now: Instant(seconds: 5), host: Instant(seconds: 4), rate: 1, isFrozen: true))
    ])
    let outcome = await run(["iap", "clock", "g", "--yes"] + arguments, admin: daemon)
    #expect(outcome.out == "the clock of g shows 1970-01-01T00:00:05Z; the host's clock is frozen\n")
    #expect(daemon.changes.map(\.body) == [body])
  }

  @Test(
    "an invalid instant, duration or rate in a command is a usage error",
    arguments: [
      ["iap", "clock", "g", "set", "someday"], ["iap", "clock", "g", "rate", "fast"], ["iap", "clock", "g", "advance"],
      ["config", "set", "g", "speed", "3", "--until", "someday"],
    ])
  func usage(arguments: [String]) async {
    let daemon = RecordedDaemon()
    #expect(await run(arguments, admin: daemon).status == 2)
    #expect(daemon.calls == [])
  }
}

@Suite("Commands of gates")
struct GateCommandTests {
  private static let gates: Value = [["id": "door", "args": ["number": "integer", "name": "string"]]]
  private static let catalog = CatalogAnswer(document: ObjectValue([("game", "g"), ("gates", gates)]))

  private static func daemon(_ verdicts: [GateVerdict], isList: Bool) -> RecordedDaemon {
    RecordedDaemon([
      "GET /v1/games/g/catalog": .json(catalog),
      "POST /v1/games/g/players/p/gates/door": .json(GateAnswer(verdicts: verdicts, isList: isList)),
    ])
  }

  @Test("gate check sends one set of arguments, each parsed by its declared type")
  func one() async {
    let daemon = Self.daemon([GateVerdict(gate: "door", isLocked: true, reason: "LOCKED", unlocksWith: ["m", "y"])], isList: false)
    let outcome = await run(
      "gate", "check", "g", "p", "door", "number=4", "name=7", "--context", #"{"platform": "ios"}"#, admin: daemon)
    #expect(outcome == RunResult(status: 0, out: "4\t7\tlocked\tLOCKED\tm, y\n", err: ""))
    #expect(
      daemon.changes.last?.body == ["args": ["number": 4, "name": "7"], "context": ["platform": "ios"]])
  }

  @Test("gate check with a range of numbers makes a single call")
  func range() async {
    let open = GateVerdict(gate: "door", isLocked: false, reason: "OPEN")
    let daemon = Self.daemon([open, open, GateVerdict(gate: "door", isLocked: true, reason: "LOCKED", unlocksWith: ["m"])], isList: true)
    let outcome = await run("gate", "check", "g", "p", "door", "number=2..4", admin: daemon)
    #expect(outcome.out == "2\topen\tOPEN\t-\n3\topen\tOPEN\t-\n4\tlocked\tLOCKED\tm\n")
    #expect(
      daemon.changes.last?.body == [["args": ["number": 2]], ["args": ["number": 3]], ["args": ["number": 4]]])
  }

  @Test(
    "gate check with an invalid argument or a range that is too large is a usage error",
    arguments: ["number", "=4", "number=1..1001", "number=-9223372036854775808..9223372036854775807"])
  func usage(word: String) async {
    let daemon = RecordedDaemon(["GET /v1/games/g/catalog": .json(Self.catalog)])
    #expect(await run("gate", "check", "g", "p", "door", word, admin: daemon).status == 2)
    #expect(daemon.calls == ["GET /v1/games/g/catalog"])
  }
}
