// The report of faults: every fault, each once.

import GameConfAPI
import GameConfCore
import Testing

@testable import gameconfctl

@Suite("Reported faults")
struct TroubleTests {
  @Test("the command health prints each fault of a degraded game on its own line")
  func faults() async {
    let answer = HealthAnswer(
      status: .degraded, degraded: [Degradation(game: "g", what: "catalog", detail: "g.yaml:1:1: a\ng.yaml:2:1: b")])
    let daemon = RecordedDaemon(["GET /health/ready": .json(answer)])
    #expect(await run("health", admin: daemon).out == "degraded\ng\tcatalog\t-\tg.yaml:1:1: a\ng\tcatalog\t-\tg.yaml:2:1: b\n")
    #expect(
      await run("health", admin: daemon, isTerminal: true, width: 30).out == """
        degraded
        GAME  WHAT     DETAIL
        g     catalog  g.yaml:1:1: a
        g     catalog  g.yaml:2:1: b

        """)
  }

  @Test(
    "a violated constraint is printed once: a single one in the first line, several in lines below it",
    arguments: [
      (
        Problem(.constraintViolated, "a: It must fit. (x, y)", errors: [.init(.constraintViolated, "a: It must fit. (x, y)")]),
        "gameconfctl: a: It must fit. (x, y) [CONSTRAINT_VIOLATED]\n"
      ),
      (
        Problem(
          .constraintViolated, "2 constraints would not hold.",
          errors: [.init(.constraintViolated, "a: It must fit. (x)"), .init(.constraintViolated, "b: It must not. (y)")]),
        "gameconfctl: 2 constraints would not hold. [CONSTRAINT_VIOLATED]\n  a: It must fit. (x) [CONSTRAINT_VIOLATED]\n"
          + "  b: It must not. (y) [CONSTRAINT_VIOLATED]\n"
      ),
    ] as [(Problem, String)])
  func constraints(problem: Problem, printed: String) async {
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config/speed": .json(Sample.value()), "PUT /v1/games/g/overrides/speed": .problem(problem),
    ])
    #expect(await run("config", "set", "g", "speed", "4", admin: daemon).err == printed)
  }
}
