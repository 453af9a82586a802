// What admins hear of the daemon as a whole, and by gameconfctl.
import GameConfCore
import Testing

@Suite("Watching the daemon as an admin")
struct AdminWatchTests {
  @Test("an admin is told the games, then each game that changes and each line of the audit log")
  func all() throws {
    let daemon = try RunningDaemon()
    let stream = try StreamReader(daemon.adminSocket, "/v1/watch")
    let state = stream.data()
    #expect(state["games"]?.listValue?.isEmpty == false && state["store"]?["state"] == "good")
    _ = try daemon.control("config", "set", "wheresthedot", "arcade_time_limit_base", "3.5", "--reason", "why")
    let game = try #require(stream.next())
    #expect(game.event == "game" && game.data.contains("wheresthedot"))
    let line = try #require(stream.next())
    #expect(line.event == "audit" && line.data.contains("arcade_time_limit_base") && line.data.contains("why"))
    #expect(try daemon.ask("GET", "/v1/watch").status == 403)
  }

  @Test("gameconfctl config watch and audit follow print what is told")
  func commands() throws {
    let daemon = try RunningDaemon()
    let environment = ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket]
    let watch = try ChildProcess(Built.control, ["config", "watch", "wheresthedot", "--count", "1"], environment: environment)
    let follow = try ChildProcess(
      Built.control, ["audit", "follow", "wheresthedot", "--lines", "0", "--count", "1"], environment: environment)
    // Whichever connects later than the first change sees a later one.
    for step in 1...30 {
      _ = try daemon.control("config", "set", "wheresthedot", "arcade_time_limit_base", "\(3.0 + Double(step) / 8)", "--reason", "why")
    }
    #expect(watch.waitForEnd().output.contains("override.game"))
    #expect(follow.waitForEnd().output.contains("override.set"))
  }
}
