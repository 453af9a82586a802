// Ad pacing of players over the socket.

import GameConfCore
import Testing

@Suite("Ads are paced", .serialized)
struct PlayerAdTests {
  private func shows(_ player: TestPlayer, _ count: Int) throws -> [Bool] {
    try (0..<count).map { _ in try player.ad()["show"] == true }
  }

  @Test("an ad is due on every third game over, and reading its status changes nothing")
  func everyThird() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    var shown: [Int] = []
    for game in 1...9 {
      let before = try daemon.ask("GET", player.path + "/ads/game_over").json
      #expect(try daemon.ask("GET", player.path + "/ads/game_over").json == before)
      let ad = try player.ad()
      if ad["show"] == true { shown.append(game) }
      #expect(before["would_show"] == ad["show"], "game \(game)")
      #expect(ad["show"] == true ? ad["decision_id"] != nil && ad["reason"] == nil : ad["reason"] == "NOT_DUE" && ad["decision_id"] == nil)
    }
    #expect(shown == [3, 6, 9])
    let status = try daemon.ask("GET", player.path + "/ads/game_over").json
    #expect(status["counters"]?["shows_ever"] == 3 && status["next"]?["events"] == 3 && status["event"] == "game_over")
  }

  @Test("an ad that could not be loaded at the third game over is due at the fourth, and the next ad is due at the seventh")
  func noFill() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    #expect(try shows(player, 2) == [false, false])
    let third = try player.ad()
    let report = try player.report(third["decision_id"], "no_fill")
    #expect(report.status == 200 && report.json["given_back"] == true && report.json["repeated"] == false)
    #expect(report.json["ad"]?["counters"]?["owed"] == true && report.json["ad"]?["would_show"] == true)
    #expect(try player.report(third["decision_id"], "no_fill").json["repeated"] == true)
    #expect(try player.report(third["decision_id"], "shown").code == "REPORT_CONTRADICTS")
    #expect(try shows(player, 4) == [true, false, false, true])
  }

  @Test("an override of the interval between ads applies at the next event")
  func override() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    #expect(try shows(player, 1) == [false])
    _ = try daemon.put("interstitial_every_n_game_overs", 2, game: "wheresthedot")
    #expect(try shows(player, 5) == [true, false, true, false, true])
    _ = try daemon.put("interstitial_every_n_game_overs", 1, game: "wheresthedot", player: "p1")
    #expect(try shows(player, 2) == [true, true])
  }

  @Test("a forced ad shows once and is audited; a reset restarts the ad count and cancels a forced ad")
  func forceAndReset() throws {
    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    #expect(try daemon.control("ads", "force", "wheresthedot", "p1", "game_over", "--dry-run").status == 0)
    #expect(try player.revision() == 0)
    let ending = try daemon.control("ads", "force", "wheresthedot", "p1", "game_over", "--reason", "demo")
    #expect(ending.status == 0 && ending.output.contains("with the next game_over"), "\(ending.errors)")
    let first = try player.ad()
    #expect(first["show"] == true && first["forced"] == true)
    #expect(try shows(player, 3) == [false, false, true])
    let line = try #require(try daemon.audit(game: "wheresthedot").first { $0["action"] == "ad.force" })
    #expect(line["player"] == "p1" && line["reason"] == "demo" && line["detail"]?["placement"] == "game_over")
    #expect(try daemon.control("ads", "force", "wheresthedot", "p1", "game_over").status == 0)
    _ = try shows(player, 0)
    let reset = try daemon.ask("POST", player.path + "/ads/game_over/reset", admin: true)
    #expect(reset.status == 200 && reset.json["ad"]?["counters"]?["forced"] == false)
    #expect(try shows(player, 3) == [false, false, true])
    #expect(try daemon.audit(game: "wheresthedot").contains { $0["action"] == "ad.reset" })
    // Events are in the player's history, not in the audit log.
    #expect(try !daemon.audit(game: "wheresthedot").contains { $0["action"] == "player.event" })
  }

  @Test("gameconfctl sends events, reports ads and shows a placement's status")
  func commands() throws {
    let daemon = try RunningDaemon()
    func event(_ more: String...) throws -> ChildProcess.Ending {
      try ChildProcess(
        Built.control, ["ads", "event", "wheresthedot", "p1", "game_over", "--mode", "classic", "--score", "30"] + more,
        environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket]
      ).waitForEnd()
    }
    #expect(try event("--event-reason", "timeUp", "--id", "e1").output.contains("no ad, NOT_DUE (1 of 3)"))
    #expect(try event("--event-reason", "timeUp", "--id", "e1").output.contains("game_over 1: 30 points in 1 game,"))
    #expect(try event().output.contains("unlocked: theme forest"))
    let third = try event("--json")
    let decision = try JSONReader.value(from: third.output)["ads"]?["game_over"]?["decision_id"]?.stringValue
    let report = try daemon.control("ads", "report", "wheresthedot", "p1", "game_over", try #require(decision), "no_fill")
    #expect(report.output.contains("given back; next ad with the next game_over"), "\(report.errors)")
    #expect(try daemon.control("ads", "status", "wheresthedot", "p1").output.contains("one owed"))
    let show = try daemon.control("player", "show", "wheresthedot", "p1")
    #expect(show.output.contains("theme\tforest\tunlocked\t90\t50\tmilestone forest\tForest\t-\n"))
    let badEvent = try daemon.control("ads", "event", "wheresthedot", "p1", "gameover")
    #expect(badEvent.status == 1 && badEvent.errors.contains("UNKNOWN_EVENT"))
    #expect(try daemon.control("ads", "status", "wheresthedot", "p1", "gameover").status == 5)
    #expect(try daemon.control("ads", "report", "wheresthedot", "p1", "game_over", "9-ab", "shown").status == 5)
    #expect(try daemon.control("ads", "status", "kidsdoku2", "p1").output == "")
  }
}
