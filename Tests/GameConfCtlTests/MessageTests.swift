// The message of a change: the value in force after it, and the layers above it.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Testing

@testable import gameconfctl

@Suite("Messages about the value in force")
struct MessageTests {
  private static let window = WireWindow(id: "w2", from: Instant(seconds: 0), until: Instant(seconds: 3600))

  private static func explained(_ value: Value, source: String, _ layers: [ExplainedLayer]) -> Response {
    .json(ExplainAnswer(game: "g", answer: Sample.value("speed", value, source: source), layers: layers))
  }

  private static func inForce(_ value: Value, _ source: String, window: WireWindow? = nil, why: String = "it holds") -> WireInForce {
    var inForce = WireInForce(key: "speed", value: value, source: source, why: why)
    inForce.window = window
    inForce.author = source.hasPrefix("override.") ? Sample.author : nil
    return inForce
  }

  /// Returns the sentence that `config set` prints for this response. The command makes no request after the change, because its response
  /// would be about another revision.
  private func set(_ record: OverrideAnswer, _ inForce: WireInForce?, dryRun: Bool = false, more: [String] = []) async -> String {
    var record = record
    record.inForce = inForce
    record.isDryRun = dryRun
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config/speed": .json(Sample.value()),
      "PUT /v1/games/g/overrides/speed\(dryRun ? "?dry_run=true" : "")": .json(record),
      "PUT /v1/games/g/overrides/speed?window=w2": .json(record),
    ])
    return await run(["config", "set", "g", "speed", "5"] + (dryRun ? ["--dry-run"] : []) + more, admin: daemon, now: Instant(seconds: 60))
      .out
  }

  @Test("config set reports an override that is in force, also with an older daemon that does not report the value in force")
  func wins() async {
    for inForce in [Self.inForce(5.0, "override.game"), nil] {
      #expect(
        await set(Sample.override("speed", 5.0), inForce) == "speed is overridden with 5.0 for the game, was 2.5 (default); revision 8\n")
    }
  }

  @Test("config set of a permanent override below a window says that it is stored, and names the window's author and end")
  func below() async {
    let sentence =
      "speed stays 3.0 for the game: window w2 of ada is above it until 1970-01-01T01:00:00Z; 5.0 is stored and holds from then on; revision 8\n"
    let inForce = Self.inForce(3.0, "override.game", window: Self.window)
    #expect(await set(Sample.override("speed", 5.0), inForce) == sentence)
    #expect(await set(Sample.override("speed", 5.0), inForce, dryRun: true) == "nothing was changed; without --dry-run: \(sentence)")
  }

  @Test("config set --window gives a window another value until the window's end")
  func changed() async {
    let text = await set(
      Sample.override("speed", 5.0, window: Self.window), Self.inForce(5.0, "override.game", window: Self.window), more: ["--window", "w2"])
    #expect(text == "speed is overridden with 5.0 for the game until 1970-01-01T01:00:00Z (window w2), was 2.5 (default); revision 8\n")
    let refused = await run("config", "set", "g", "speed", "5", "--window", "w2", "--for", "1h", admin: RecordedDaemon([:]))
    #expect(refused.status == 2 && refused.err.contains("--replace"))
  }

  @Test("config set with a future window prints the value that is in force until then")
  func toCome() async {
    let later = WireWindow(id: "w3", from: Instant(seconds: 7200), until: Instant(seconds: 9000))
    #expect(
      await set(Sample.override("speed", 5.0, window: later), Self.inForce(2.5, "default"))
        == "speed will be overridden with 5.0 for the game from 1970-01-01T02:00:00Z until 1970-01-01T02:30:00Z (window w3); until then it is 2.5 (default); revision 8\n"
    )
  }

  @Test("config set of an override below another layer prints the value in force with the reason")
  func otherwise() async {
    #expect(
      await set(Sample.override("speed", 5.0), Self.inForce(9.0, "override.player", why: "an override for this player is above it"))
        == "speed is overridden with 5.0 for the game, but 9.0 (override.player) is in force: an override for this player is above it; revision 8\n"
    )
  }

  @Test("config get notes that a value is overridden, and until when if the user may read the explanation")
  func got() async {
    func note(_ answers: [String: Response]) async -> String {
      let value = ["GET /v1/games/g/config/speed": Response.json(Sample.value("speed", 3.0, source: "override.game"))]
      return await run("config", "get", "g", "speed", admin: RecordedDaemon(answers.merging(value) { $1 }), now: Instant(seconds: 60)).err
    }
    func explained(_ window: WireWindow?) -> [String: Response] {
      let layer = ExplainedLayer(layer: "override.game", value: 3.0, isApplied: true, why: "it is", window: window)
      return ["GET /v1/games/g/config/speed/explain": Self.explained(3.0, source: "override.game", [layer])]
    }
    #expect(await note(explained(Self.window)) == "speed is overridden until 1970-01-01T01:00:00Z (override.game)\n")
    #expect(await note(explained(nil)) == "speed is overridden (override.game)\n")
    #expect(await note([:]) == "speed is overridden (override.game)\n")
  }

  @Test("a list of overrides shows for each override if it is in force, and otherwise why not")
  func states() {
    let record = { (window: WireWindow?, quarantined: String?) in
      WireOverride(
        key: "speed", value: 1, window: window, author: Sample.author, at: Instant(seconds: 0), revision: 1, quarantined: quarantined)
    }
    let later = WireWindow(id: "w3", from: Instant(seconds: 7200), until: Instant(seconds: 9000))
    let all = [record(Self.window, nil), record(later, nil), record(nil, nil)]
    let states = { (now: Int64) in OverrideListing.of(all, now: Instant(seconds: now)).rows.map { $0.cells[8] } }
    #expect(states(60) == ["in force", "to come", "below window w2"])
    #expect(states(3600) == ["ended", "to come", "in force"])
    #expect(states(9000) == ["ended", "ended", "in force"])
    let quarantined = OverrideListing.of([record(Self.window, "too high"), record(nil, nil)], now: Instant(seconds: 60))
    #expect(quarantined.rows.map { $0.cells[8] } == ["quarantined: too high", "in force"])
  }

  @Test("config set notes that a player is new, with a similar known player")
  func unknownPlayer() async {
    let fresh = PlayerAnswer(
      game: "g", player: "jame", revision: 7, playerRevision: 0, now: Instant(seconds: 3),
      scores: WireScores(lifetimeScore: 0, gamesPlayed: 0),
      visits: WireVisits(count: 0))
    let players = PlayersList(
      game: "g", players: [PlayerSummary(player: "james", playerRevision: 1, lifetimeScore: 0, gamesPlayed: 0, visits: 0)])
    let answers = [
      "GET /v1/games/g/players/jame?history=0": Response.json(fresh), "GET /v1/games/g/players?limit=500": .json(players),
      "GET /v1/games/g/config/speed?player=jame": .json(Sample.value()),
      "PUT /v1/games/g/players/jame/overrides/speed": .json(Sample.override("speed", 4.0, player: "jame")),
      "GET /v1/games/g/players/p1?history=0": .json(PlayerSample.page), "GET /v1/games/g/config/speed?player=p1": .json(Sample.value()),
      "PUT /v1/games/g/players/p1/overrides/speed": .json(Sample.override("speed", 4.0, player: "p1")),
    ]
    let typo = await run("config", "set", "g", "speed", "4", "--player", "jame", admin: RecordedDaemon(answers))
    #expect(typo.status == 0)
    #expect(typo.err == "player jame is new in g. Did you mean “james”?\n")
    var reset = fresh
    reset.playerRevision = 3
    let line = AuditEntry(id: 1, at: Instant(seconds: 0), author: Sample.author, action: "player.reset", game: "g")
    var known = answers
    known["GET /v1/games/g/players/jame?history=0"] = .json(reset)
    #expect(
      await run("config", "set", "g", "speed", "4", "--player", "jame", admin: RecordedDaemon(known)).err.hasPrefix("player jame is new"))
    known["GET /v1/games/g/audit?limit=1&player=jame"] = .json(AuditList(entries: [line]))
    #expect(await run("config", "set", "g", "speed", "4", "--player", "jame", admin: RecordedDaemon(known)).err == "")
    #expect(await run("config", "set", "g", "speed", "4", "--player", "p1", admin: RecordedDaemon(answers)).err == "")
    #expect(await run("config", "set", "g", "speed", "4", "--player", "jame", "--json", admin: RecordedDaemon(answers)).err == "")
  }

  @Test(
    "a Boolean may be typed in several ways, and the same words for a text key stay text",
    arguments: [
      ("on", .boolean, true), ("Yes", .boolean, true), ("TRUE", .boolean, true), ("off", .boolean, false), ("no", .boolean, false),
      ("1", .boolean, "1"), ("maybe", .boolean, "maybe"), ("on", .string, "on"), ("no", .localized, "no"), ("off", .integer, "off"),
    ] as [(String, ParameterType, Value)])
  func booleans(text: String, type: ParameterType, value: Value) throws {
    #expect(try ValueText.value(text, type: type) == value)
  }

  @Test("iap premium prints premium access with its source, and is refused if the catalog has no premium product")
  func premium() async {
    let daemon = { (premium: WirePremium?) in
      var answer = EntitlementsAnswer(
        game: "g", player: "p", at: Instant(seconds: 1), isAdFree: false, entitlements: [], purchased: ObjectValue([("monthly", true)]))
      answer.premium = premium
      return RecordedDaemon(["GET /v1/games/g/players/p/entitlements": .json(answer)])
    }
    var on = WirePremium(product: "yearly", isOn: true)
    #expect(
      await run("iap", "premium", "g", "p", admin: daemon(on)) == RunResult(status: 0, out: "on\n", err: "yearly is given by a grant\n"))
    (on.by, on.until) = ("monthly", Instant(seconds: 200))
    #expect(
      await run("iap", "premium", "g", "p", admin: daemon(on))
        == RunResult(status: 0, out: "on\n", err: "yearly is given by monthly until 1970-01-01T00:03:20Z\n"))
    let off = await run("iap", "premium", "g", "p", admin: daemon(WirePremium(product: "yearly", isOn: false)))
    #expect(off == RunResult(status: 0, out: "off\n", err: ""))
    #expect(await run("iap", "premium", "g", "p", admin: daemon(nil)).status == 1)
  }

  @Test(
    "with --json a failure is printed as JSON too, with the exit status in it",
    arguments: [
      (["config", "get", "g", "nope", "--json"], "UNKNOWN_KEY", 5), (["config", "get", "g", "--json"], "USAGE", 2),
      (["confg", "--json"], "USAGE", 2), (["config", "clear", "g", "--json"], "USAGE", 2),
    ] as [([String], String, Int32)])
  func jsonErrors(arguments: [String], code: String, status: Int32) async throws {
    let daemon = RecordedDaemon(["GET /v1/games/g/config/nope": .problem(Problem(.unknownKey, "“nope” is none."))])
    let outcome = await run(arguments, admin: daemon)
    #expect(outcome.status == status)
    #expect(outcome.out == "")
    let wire = try JSONReader.value(from: outcome.err)
    #expect(wire["code"]?.stringValue == code)
    #expect(wire["exit_status"] == .integer(Int64(status)))
    #expect(wire["detail"]?.stringValue?.isEmpty == false)
    #expect(outcome.err.filter { $0 == "\n" }.count == 1)
  }

  @Test("the progress of long work is a bar, or the elapsed time if the total is unknown")
  func progress() {
    let screen = Screen(isTerminal: false, isAnswering: false, width: 80, write: { _ in }, writeError: { _ in }, answer: { _ in nil })
    #expect(Progress("checking", on: screen).line(done: 0, afterSeconds: 3) == "checking … 3 s")
    let bar = Progress("backing up", total: 4 << 20, on: screen).line(done: 1 << 20, afterSeconds: 3)
    #expect(bar == "backing up ██████░░░░░░░░░░░░░░░░░░ 25 %, 1 MiB of 4 MiB")
    #expect(ByteCountText.words(1) == "1 byte" && ByteCountText.words(1536) == "1.5 KiB" && ByteCountText.words(5 << 40) == "5 TiB")
  }
}
