// The output of `config explain`, for people and for programs.

import GameConfAPI
import GameConfCore
import Testing

@Suite("The command config explain")
struct ExplainTests {
  @Test("config explain shows every layer and marks the one that gives the value")
  func explain() async {
    let answer = ExplainAnswer(
      game: "g", answer: Sample.value("speed", 3.5, source: "override.game"),
      layers: [
        ExplainedLayer(
          layer: "override.game", value: 3.5, isApplied: true, why: "it stands", author: Sample.author, at: Instant(seconds: 0),
          reason: "too hard"),
        ExplainedLayer(
          layer: "default", value: 2.5, isApplied: false, why: "a layer above has a value",
          rules: [
            [
              "rule": 1, "matched": false, "condition": false,
              "conditions": [
                ["at": "/==", "expression": "platform == \"ios\"", "depth": 0, "outcome": false, "read": ["platform": "mac\u{1B}[2J"]],
                ["at": "/==", "expression": "level > 3", "depth": 1, "outcome": true, "read": ["level": nil]],
              ],
            ],
            ["rule": 2, "matched": false, "percent": ["seed": "speed", "share": 10.0, "in": false, "bucket": 49.073916]],
            [
              "rule": 3, "matched": true,
              "percent": ["seed": "s", "share": 0.5, "in": false, "bucket": nil, "why": "there is no targetingKey"],
            ],
            ["rule": 4, "matched": false, "unreached": true],
          ]),
      ])
    let daemon = RecordedDaemon(["GET /v1/games/g/config/speed/explain": .json(answer)])
    #expect(
      await run("config", "explain", "g", "speed", admin: daemon).out
        == "override.game\t3.5\tapplied\tit stands\t-\tada\t1970-01-01T00:00:00Z\ttoo hard\ndefault\t2.5\tnot applied\ta layer above has a value\t-\t-\t-\t-\n"
    )
    let page = await run("config", "explain", "g", "speed", admin: daemon, isTerminal: true, width: 160).out
    #expect(page.hasPrefix("g speed = 3.5  (override.game, STATIC, revision 7)\n"))
    #expect(page.contains("\n* override.game"))
    #expect(page.contains("rules of default\n  1. no match\n     no    platform == \"ios\"   ← platform = "))
    #expect(page.contains("\n     yes     level > 3   ← level is absent\n"))
    #expect(page.contains("\n     no    10 % of the players, salted with speed: this one's bucket is 49.073916\n"))
    #expect(page.contains("\n  3. matched\n     no    0.5 % of the players, salted with s: there is no targetingKey\n"))
    #expect(page.contains("\n  4. not looked at"))
    #expect(!page.contains("\u{1B}"))
  }
}
