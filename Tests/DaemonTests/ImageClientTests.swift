// A game in Swift with the C library, against the real daemon.
import GameConfClient
import GameConfCore
import Testing

@Suite("A game with the client library and a running daemon")
struct ImageClientTests {
  private static let key = "arcade_time_limit_base"

  /// Updates the game until a condition is true; false after a time limit.
  private func until(_ game: Game, _ condition: (Game) -> Bool) -> Bool {
    for _ in 0..<300 {
      if condition(game) { return true }
      // A pending answer would end each wait immediately, so all are taken.
      while game.nextAnswer() != nil {}
      game.wait(milliseconds: 100)
    }
    return condition(game)
  }

  @Test("a game with the library sees overrides, unlocks, purchases and the clock, and continues after a daemon's death")
  func life() throws {
    let daemon = try RunningDaemon()
    let alone = try Game("wheresthedot", player: "p1", locale: "en", socket: daemon.folder.path + "/nobody.sock")
    #expect(alone[Self.key, default: 0.5] == 0.5)
    let game = try Game("wheresthedot", player: "p1", locale: "en", socket: daemon.gamesSocket)
    // The game's fallback, or already the daemon's value on a busy machine.
    let first: Double = game[Self.key, default: 0.5]
    #expect(first == 0.5 || first == 2.5 && game.source(of: Self.key) == .catalogDefault)
    #expect(until(game) { $0.status.state == .live })
    #expect(game[Self.key, default: 0.5] == 2.5 && game.source(of: Self.key) == .catalogDefault)

    #expect(try daemon.control("config", "set", "wheresthedot", Self.key, "3.5", "--reason", "test").status == 0)
    #expect(until(game) { $0[Self.key, default: 0.5] == 3.5 } && game.source(of: Self.key) == .gameOverride)
    #expect(try daemon.control("config", "set", "wheresthedot", Self.key, "4.5", "--player", "p1", "--reason", "test").status == 0)
    #expect(until(game) { $0[Self.key, default: 0.5] == 4.5 } && game.source(of: Self.key) == .playerOverride)

    #expect(!game.isUnlocked(theme: "forest") && !game.isAdFree)
    try game.record("game_over", mode: "classic", score: 60, reason: "wrongTap")
    #expect(until(game) { $0.isUnlocked(theme: "forest") })
    try game.purchase("removeads")
    #expect(until(game) { $0.isAdFree } && game.isEntitled(to: "ad_free"))

    // Another player has none of the first one's values: first the game's, then their own.
    try game.play(as: "p2")
    #expect(game[Self.key, default: 0.5] == 3.5 && !game.isAdFree)
    #expect(until(game) { !$0.status.isPending } && !game.isUnlocked(theme: "forest"))
    try game.play(as: "p1")
    #expect(until(game) { !$0.status.isPending && $0[Self.key, default: 0.5] == 4.5 } && game.isAdFree)

    let revision = game.status.revision
    try daemon.restart(killing: true)
    #expect(game[Self.key, default: 0.5] == 4.5)
    #expect(until(game) { $0.status.state == .live } && game.status.revision >= revision)
    #expect(try daemon.control("config", "unset", "wheresthedot", Self.key, "--player", "p1").status == 0)
    #expect(until(game) { $0[Self.key, default: 0.5] == 3.5 } && game.source(of: Self.key) == .gameOverride)
  }

  @Test("a game with the library sees a forgotten player as new, and a restored database's values")
  func lost() throws {
    let daemon = try RunningDaemon()
    let game = try Game("wheresthedot", player: "p1", socket: daemon.gamesSocket)
    #expect(until(game) { $0.status.state == .live })
    let backup = daemon.folder.path + "/backup.db"
    #expect(try daemon.control("store", "backup", backup).status == 0)
    try game.purchase("removeads")
    #expect(until(game) { $0.isAdFree })
    #expect(try daemon.control("player", "forget", "wheresthedot", "p1", "--yes").status == 0)
    #expect(until(game) { !$0.isAdFree })
    #expect(try daemon.control("config", "set", "wheresthedot", Self.key, "3.5", "--reason", "test").status == 0)
    #expect(until(game) { $0[Self.key, default: 0.5] == 3.5 })
    let epoch = game.status.epoch
    #expect(try daemon.control("store", "restore", backup, "--yes").status == 0)
    #expect(until(game) { $0.status.epoch != epoch && $0[Self.key, default: 0.5] == 2.5 })
  }

  @Test("an entitlement in the library ends by the game's simulated clock")
  func clock() throws {
    let daemon = try RunningDaemon()
    let game = try Game("kidsdoku2", player: "p1", socket: daemon.gamesSocket)
    #expect(until(game) { $0.status.state == .live })
    let bought = try daemon.ask("POST", "/v1/games/kidsdoku2/players/p1/purchases", body: ["product": "monthly_sub_2"])
    #expect(bought.status == 201, "\(bought.text)")
    let id = try #require(bought.json["transaction"]?["id"]?.stringValue)
    let entitlement = try #require(
      try daemon.ask("GET", "/v1/games/kidsdoku2/players/p1/entitlements").json["entitlements"]?.listValue?.first?["id"]?.stringValue)
    #expect(until(game) { $0.isEntitled(to: entitlement) })
    let cancelled = try daemon.ask(
      "POST", "/v1/games/kidsdoku2/players/p1/transactions/\(id)/cancel", body: ["reason": "test"], admin: true)
    #expect(cancelled.status == 200, "\(cancelled.text)")
    let moved = try daemon.ask(
      "PUT", "/v1/games/kidsdoku2/clock", body: ["now": "2040-01-01T00:00:00Z", "reason": "test"], admin: true)
    #expect(moved.status == 200, "\(moved.text)")
    #expect(until(game) { !$0.isEntitled(to: entitlement) })
  }
}
