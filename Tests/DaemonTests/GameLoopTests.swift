// One test for each of the five games that plays it from start to end: values, plays, results, unlocks, ads, purchases, themes, leaderboards,
// settings, restarts and lost connections.

import GameConfCore
import Testing

@Suite("The five games, each played from start to end", .serialized)
struct GameLoopTests {
  private func set(_ daemon: RunningDaemon, _ game: String, _ values: String...) throws {
    let ending = try daemon.control(["config", "set", game] + values)
    try #require(ending.status == 0, "\(ending.output)")
  }

  private func visit(_ player: TestPlayer) throws {
    try #require(try player.daemon.ask("POST", player.path + "/visits").status == 200)
  }

  private func open(_ player: TestPlayer) throws -> String {
    let answer = try player.daemon.ask("POST", player.path + "/plays")
    return try #require(answer.json["play"]?.stringValue, "\(answer.text)")
  }

  private func buy(_ player: TestPlayer, _ product: String) throws -> RawConnection.Answer {
    try player.daemon.ask("POST", player.path + "/purchases", body: ["product": .string(product)])
  }

  private func solve(_ player: TestPlayer, _ puzzle: String, _ more: [(String, Value)] = []) throws -> RawConnection.Answer {
    let side = puzzle.prefix(1)
    return try player.event(
      "puzzle_solved", mode: "\(side)x\(side)", score: 30, reason: nil,
      more: [("details", ["puzzle": .string(puzzle), "mistakes": 0])] + more)
  }

  private func pass(_ player: TestPlayer, _ chapter: Int64, _ level: Int64) throws -> RawConnection.Answer {
    try player.event(
      "level_passed", mode: nil, score: nil, reason: nil,
      more: [("details", ["chapter": .integer(chapter), "level": .integer(level)])])
  }

  @Test("Where's The Dot: a play from before its mode was switched off counts, scores unlock themes, a closed store refuses purchases")
  func wheresTheDot() throws {
    let daemon = try RunningDaemon()
    let ada = TestPlayer(daemon: daemon, player: "ada")
    try visit(ada)
    #expect(try ada.read("daily_mode_enabled")["value"] == true && ada.read("arcade_time_limit_base")["value"] == 2.5)
    #expect(try ada.theme("neon")["attributes"]?["grid"] != ada.theme("ocean")["attributes"]?["grid"])
    #expect(try [ada.ad(20), ada.ad(20)].allSatisfy { $0["show"] == false })
    let third = try ada.event(score: 20)
    #expect(third.unlocked("themes") == ["forest"] && third.json["ads"]?["game_over"]?["show"] == true)
    #expect(try ada.report(third.json["ads"]?["game_over"]?["decision_id"], "shown").status == 200)
    #expect(try ada.choose("selected_theme", "forest").status == 200 && ada.choose("selected_theme", "aurora").code == "THEME_LOCKED")
    #expect(
      try ada.event("game_ended", score: 20).status == 200 && ada.event("game_quit", mode: "arcade", score: 3, reason: nil).status == 200)

    // After a mode was switched off, a result counts if its play was opened before or it is dated before, as from a queue; a later one is refused.
    let play = try open(ada)
    let before = try #require(third.json["occurred_at"])
    try set(daemon, "wheresthedot", "arcade_mode_enabled=false", "store_enabled=false")
    let refused = try ada.event(mode: "arcade", score: 9)
    #expect(refused.code == "CONSTRAINT_VIOLATED" && refused.json["parameter"] == "arcade_mode_enabled", "\(refused.text)")
    #expect(try ada.event(mode: "arcade", score: 8, more: [("play", .string(play)), ("close", true)]).status == 200)
    #expect(try ada.event(mode: "arcade", score: 7, more: [("occurred_at", before)]).status == 200)
    let board = try daemon.read(at: "/v1/games/wheresthedot/leaderboards/arcade?player=ada")
    #expect(board["standing"]?["score"] == 8)
    let closed = try buy(ada, "premium")
    #expect(closed.status == 403 && closed.code == "STORE_CLOSED" && closed.json["parameter"] == "store_enabled", "\(closed.text)")
    #expect(try daemon.control("iap", "buy", "wheresthedot", "ada", "theme.aurora").status == 0, "a tester buys")
    try set(daemon, "wheresthedot", "store_enabled=true")
    #expect(try buy(ada, "removeads").status == 201 && ada.ad(1)["reason"] == "AD_FREE")
    #expect(try ada.choose("selected_theme", "aurora").status == 200)

    // The client has lost the connection after it sent a result, and sends it again: it counts once, also after a crash of the daemon.
    let lost = try ada.event(score: 30, id: "r1")
    try daemon.restart(killing: true)
    #expect(try ada.event(score: 30, id: "r1").json["lifetime_score"] == lost.json["lifetime_score"])
    #expect(try ada.read("selected_theme")["value"] == "aurora")
  }

  @Test("RememberSquare: a round keeps its settings over a restart, and each board size and speed has a leaderboard")
  func rememberSquare() throws {
    let daemon = try RunningDaemon()
    let bob = TestPlayer(daemon: daemon, game: "remembersquare", player: "bob")
    try set(
      daemon, bob.game, "leaderboard_enabled=true", "grid_sizes_enabled=true", "difficulty_modes_enabled=true", "dark_mode_enabled=true")
    try visit(bob)
    func settings(_ values: ObjectValue) throws -> RawConnection.Answer {
      try daemon.ask("PUT", bob.path + "/settings", body: ["settings": .object(values)])
    }
    let chosen = try settings(["order_length": 16, "grid_side": 5, "speed_mode": "hard"])
    #expect(chosen.status == 200 && chosen.json["settings"]?.listValue?.map { $0["effective"] } == [16, 5, "hard"], "\(chosen.text)")
    let unfit = try settings(["grid_side": 3])
    #expect(unfit.code == "CONSTRAINT_VIOLATED" && unfit.json["errors"]?.listValue?.count ?? 1 == 1, "\(unfit.text)")
    #expect(try bob.read("grid_side")["value"] == 5)
    #expect(try settings(["grid_side": 3, "order_length": 9, "selected_theme": "dark"]).status == 200)
    #expect(try settings(["grid_side": 4, "order_length": 40]).status == 422 && bob.read("grid_side")["value"] == 3, "all or nothing")

    let play = try open(bob)
    #expect(try settings(["grid_side": nil, "order_length": nil]).status == 200 && bob.read("order_length")["value"] == 6)
    #expect(try daemon.ask("PUT", bob.path + "/plays/\(play)/state", body: ["state": ["tapped": 4]]).status == 200)
    try daemon.restart(killing: true)
    #expect(try daemon.read(at: bob.path + "/plays/\(play)")["state"] == ["tapped": 4])
    let done = try bob.event(
      "round_over", mode: nil, score: 9, reason: "success",
      more: [("play", .string(play)), ("close", true), ("details", ["correct": 9, "seconds": 12.5])])
    #expect(done.status == 200, "\(done.text)")
    let wrong = try bob.event(
      "round_over", mode: nil, score: 9, reason: "success", more: [("play", .string(play)), ("details", ["correct": 8])])
    #expect(wrong.code == "CONSTRAINT_VIOLATED")
    func board(_ query: String) throws -> Value { try daemon.read(at: "/v1/games/remembersquare/leaderboards/rounds\(query)") }
    #expect(try board("?per=9,3,hard")["rows"]?.listValue?.first?["player"] == "bob")
    #expect(try board("?player=bob")["per"] == "6,4,hard" && board("")["per"] == "6,4,normal")
    #expect(try buy(bob, "premium").status >= 400)
    #expect(done.json["ads"]?.objectValue?.isEmpty ?? true)
  }

  @Test("Darts Score: the score must match the answers, and the former setting for sounds applies to both melodies")
  func dartsScore() throws {
    let daemon = try RunningDaemon()
    let eva = TestPlayer(daemon: daemon, game: "dartsscore", player: "eva")
    try visit(eva)
    #expect(try eva.choose("sound_game_result_enabled", false).status == 200)
    #expect(try eva.read("sound_result_good_enabled")["value"] == false && eva.read("sound_result_bad_enabled")["value"] == false)
    #expect(try eva.choose("sound_result_bad_enabled", true).status == 200 && eva.read("sound_result_good_enabled")["value"] == false)
    #expect(try eva.choose("attempts", 5).status == 200)
    let play = try open(eva)
    #expect(try eva.choose("attempts", 20).status == 200)
    func answer(_ target: Int64, _ given: Value, points: Int64) -> Value {
      [
        "target": .integer(target), "answer": given, "right": .bool(given == .integer(target)), "ms": 900, "points": .integer(points),
        "darts": [["sector": .integer(target / 3), "times": 3, "points": .integer(target)]],
      ]
    }
    func over(_ answers: [Value], score: Int64) throws -> RawConnection.Answer {
      let right = answers.count { $0["right"] == true }
      return try eva.event(
        "game_over", mode: nil, score: .integer(score), reason: nil,
        more: [
          ("play", .string(play)), ("details", ["attempts": 5, "right": .integer(Int64(right)), "seconds": 9, "answers": .list(answers)]),
        ])
    }
    let (hit, missed) = (answer(60, 60, points: 60), answer(30, .null, points: 0))
    for (wrong, check) in [(answer(60, 57, points: 60), "points_are_the_targets"), (answer(30, 30, points: 60), "points_are_the_targets")] {
      let refused = try over([hit, missed, wrong], score: 120)
      #expect(refused.code == "CONSTRAINT_VIOLATED" && refused.detail?.contains(check) == true, "\(refused.text)")
    }
    // After a restart the play has the settings with which it was opened.
    try daemon.restart(killing: true)
    #expect(try daemon.read(at: "/v1/games/dartsscore/config/attempts?player=eva&play=\(play)")["value"] == 5)
    #expect(try over([hit, missed, hit, hit, missed], score: 180).status == 200)
    let history = try daemon.read(at: eva.path + "/events?event=game_over&sort=score")["events"]?.listValue ?? []
    #expect(history.first?["details"]?["score"] == 180 && history.count == 1)
  }

  @Test("Kidsdoku2: a locked puzzle is refused until Pro is bought, and solved puzzles unlock achievements, which outlast a reset")
  func kidsdoku2() throws {
    let daemon = try RunningDaemon()
    let kim = TestPlayer(daemon: daemon, game: "kidsdoku2", player: "kim")
    try visit(kim)
    #expect(try kim.event("screen_view", mode: nil, score: nil, reason: nil, more: [("details", ["screen_name": "menu"])]).status == 200)
    for _ in 1...10 { #expect(try solve(kim, "4-Easy-1").status == 200) }
    let locked = try solve(kim, "4-Easy-4")
    #expect(locked.code == "CONSTRAINT_VIOLATED" && locked.json["unlocked_by"] == ["Pro"], "\(locked.text)")
    #expect(try kim.unlocked() == [])
    try set(daemon, kim.game, "achievements_enabled=true", "dark_mode_enabled=true", "color_blind_mode_enabled=true")
    #expect(try kim.unlocked() == ["first_puzzle", "perfect_4x4"], "a flag that goes on looks at what there is: one puzzle, ten times")
    #expect(try kim.choose("appearance", "dark").status == 200 && kim.choose("palette", "distinct").status == 200)

    #expect(try buy(kim, "monthly_sub_2").status == 201)
    for number in 4...9 { #expect(try solve(kim, "4-Easy-\(number)").status == 200) }
    #expect(try solve(kim, "4-Easy-2").status == 200 && solve(kim, "4-Easy-3").status == 200)
    let tenth = try solve(kim, "6-Hard-21")
    #expect(Set(tenth.unlocked("achievements")) == ["ten_puzzles", "perfect_6x6"], "\(tenth.text)")
    // A puzzle that was opened with Pro counts although Pro has been refunded.
    let play = try open(kim)
    let transaction = try #require(try daemon.read(at: kim.path + "/transactions")["transactions"]?.listValue?.first?["id"]?.stringValue)
    #expect(try daemon.control("iap", "refund", kim.game, "kim", transaction).status == 0)
    #expect(try solve(kim, "4-Hard-25", [("play", .string(play))]).status == 200)
    #expect(try solve(kim, "4-Hard-24").json["unlocked_by"] == ["Pro"])
    // After a reset of the bests, announced achievements stay, and the erased progress unlocks no new ones.
    #expect(try daemon.ask("DELETE", kim.path + "/bests").status == 204)
    try daemon.restart(killing: true)
    #expect(try kim.unlocked().contains("ten_puzzles"))
    let hundred = try daemon.read(at: kim.path + "/milestones")["milestones"]?.listValue?.first { $0["milestone"] == "hundred_puzzles" }
    #expect(hundred?["value"] == 0)
    #expect(try kim.read("rank_badges")["value"]?.listValue?.allSatisfy { $0["colors"] != nil } == true)
  }

  @Test("Adventure: only levels of the served chapters can be passed, and texts are in the player's language")
  func adventure() throws {
    let daemon = try RunningDaemon()
    let leo = TestPlayer(daemon: daemon, game: "adventure", player: "leo")
    try visit(leo)
    #expect(try daemon.ask("PUT", leo.path + "/context", body: ["context": ["locale": "fr"]]).status == 200)
    let chapters = try leo.read("chapters")["value"]?.listValue ?? []
    #expect(chapters.first?["title"] == "La grotte de glace" && chapters.map { $0["levels"]?.listValue?.count } == [4, 2, 4, 2])
    for (at, chapter) in chapters.enumerated() {
      for level in 0..<(chapter["levels"]?.listValue?.count ?? 0) {
        #expect(try pass(leo, Int64(at + 1), Int64(level)).status == 200)
      }
      let passed = try leo.event(
        "chapter_passed", mode: nil, score: nil, reason: nil, more: [("details", ["chapter": .integer(Int64(at + 1))])])
      #expect(passed.status == 200, "\(passed.text)")
    }
    for (chapter, level) in [(99, 99), (1, 4), (5, 0)] as [(Int64, Int64)] {
      let refused = try pass(leo, chapter, level)
      #expect(refused.code == "CONSTRAINT_VIOLATED" && refused.detail?.contains("level_is_served") == true, "\(refused.text)")
    }
    let bests = try daemon.read(at: leo.path + "/bests?event=level_passed")["bests"]?.listValue ?? []
    #expect(bests.count == 12 && bests.contains { $0["detail"] == "4.1" } && !bests.contains { $0["detail"] == "99.99" })
    // The player starts again, and the daemon crashes in between.
    #expect(try daemon.ask("DELETE", leo.path + "/bests?event=level_passed").status == 204)
    try daemon.restart(killing: true)
    #expect(try daemon.read(at: leo.path + "/bests")["bests"] == [])
    #expect(try pass(leo, 1, 0).json["best"]?["detail"] == "1.0")
  }
}

@Suite("The raw output of “config get”", .serialized)
struct RawValueTests {
  @Test(
    "“config get --raw | config set @-” stores each value of a game unchanged, in every language",
    arguments: ["wheresthedot", "remembersquare", "dartsscore", "kidsdoku2", "adventure"])
  func roundTrip(game: String) throws {
    let daemon = try RunningDaemon()
    let catalog = try daemon.read(at: "/v1/games/\(game)/catalog")
    let keys = (catalog["parameters"]?.listValue ?? []).compactMap { $0["key"]?.stringValue }
    let locales = (catalog["locales"]?.listValue ?? []).compactMap(\.stringValue) + ["*"]
    func bodies() throws -> [Value?] {
      try locales.map { try daemon.read(at: "/v1/games/\(game)/config?locale=\($0)")["values"] }
    }
    let before = try bodies()
    let programs = "GAMECONF_SOCKET=\(daemon.gamesSocket) GAMECONF_ADMIN_SOCKET=\(daemon.adminSocket)"
    let shell = TerminalShell(columns: 120, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "dumb", "TZ": "UTC"])
    let lines = keys.map { key in
      let (get, set) = (
        "\(programs) \(Built.control) config get \(game) \(key) --raw", "\(programs) \(Built.control) config set \(game) \(key) @-"
      )
      return
        "a=$(\(get)); c=$(printf %s \"$a\" | \(set) 2>&1) || echo \"$c\"; b=$(\(get) 2>/dev/null); [ \"$a\" = \"$b\" ] || echo \"differs: \(key)\""
    }
    for (key, shown) in zip(keys, try shell.run(lines)) { #expect(shown == [], "\(key)") }
    #expect(try bodies() == before)
  }
}
