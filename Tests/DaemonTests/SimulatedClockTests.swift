// Values that depend on the time follow the game's and the player's clocks, also in cached answers.

import GameConfCore
import Testing

@Suite("Values by simulated time")
struct SimulatedClockTests {
  private static let catalog = """
    gameconf: 1
    game: clocked
    title: Clocked
    locales: [en]
    parameters:
      daily_seed: {type: string, default: {daily_hash: clocked}, section: Daily, description: The seed of the day.}
    """

  private func seed(_ daemon: RunningDaemon, query: String = "") throws -> String {
    try #require(try daemon.ask("GET", "/v1/games/clocked/config\(query)").json["values"]?["daily_seed"]?.stringValue)
  }

  private func expected(on day: String) -> String {
    SHA256.hex(SHA256.digest(of: "clocked-\(day)".utf8).prefix(8))
  }

  private func move(_ daemon: RunningDaemon, player: String? = nil, _ body: Value) throws -> RawConnection.Answer {
    try daemon.ask("PUT", "/v1/games/clocked\(player.map { "/players/\($0)" } ?? "")/clock", body: body, admin: true)
  }

  @Test("moving a game's or player's clock changes the next read, and persists over a restart") func moved() throws {
    let daemon = try RunningDaemon(catalogs: ["clocked.yaml": Self.catalog], arguments: ["--clock", "2026-11-21T12:00:00Z"])
    for _ in 0..<3 { #expect(try seed(daemon) == expected(on: "2026-11-21")) }
    #expect(try move(daemon, ["advance": "P1D"]).status == 200)
    for _ in 0..<3 { #expect(try seed(daemon) == expected(on: "2026-11-22")) }
    #expect(try move(daemon, player: "p", ["advance": "P1M"]).status == 200)
    #expect(try seed(daemon, query: "?player=p") == expected(on: "2026-12-22"))
    #expect(try seed(daemon, query: "?player=q") == expected(on: "2026-11-22"))
    let backwards = try move(daemon, ["now": "2026-11-21T12:00:00Z"])
    #expect(backwards.status == 409)
    #expect(backwards.code == "CLOCK_BACKWARDS")
    try daemon.restart(killing: true)
    #expect(try seed(daemon) == expected(on: "2026-11-22"))
    #expect(try seed(daemon, query: "?player=p") == expected(on: "2026-12-22"))
  }

  @Test("a change of a game's clock that expects another revision is refused with the game's revision, not a player's")
  func expectedRevision() throws {
    let daemon = try RunningDaemon(catalogs: ["clocked.yaml": Self.catalog])
    for (method, body) in [("PUT", ["advance": "P1D"]), ("DELETE", nil)] as [(String, Value?)] {
      let refused = try daemon.ask(method, "/v1/games/clocked/clock", body: body, headers: ["If-Match": "\"1000\""], admin: true)
      #expect(refused.status == 412 && refused.code == "REVISION_CHANGED", "\(refused.text)")
      #expect(refused.json["revision"]?.integerValue != nil && refused.json["player_revision"] == nil, "\(refused.text)")
    }
  }

  @Test("a cached answer changes with the simulated day, a year ahead and at one day per second")
  func cached() throws {
    let daemon = try RunningDaemon(catalogs: ["clocked.yaml": Self.catalog])
    #expect(try move(daemon, ["advance": "P1Y", "rate": 86_400.0]).status == 200)
    let first = try seed(daemon)
    #expect(try daemon.waits { try seed(daemon) != first })
    #expect(try move(daemon, ["rate": 0.0]).status == 200)
    let held = try seed(daemon)
    for _ in 0..<3 { #expect(try seed(daemon) == held) }
  }
}
