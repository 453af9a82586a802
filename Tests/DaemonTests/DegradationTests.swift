// The list of degradations, the same in every place that shows it.

import GameConfCore
import GameConfEngine
import Testing

@Suite("Degradations of a running daemon")
struct DegradationTests {
  private func catalog(_ game: String, speed: String = "2.5") -> String {
    """
    gameconf: 1
    game: \(game)
    title: T
    locales: [en]
    parameters:
      speed: {type: double, default: \(speed), section: P, description: S., range: {min: 1, max: 5}}
    """
  }

  /// Returns the entries of a list as “game code”.
  private func codes(_ list: Value?) -> [String] {
    (list?.listValue ?? []).map { "\($0["game"]?.stringValue ?? "-") \($0["code"]?.stringValue ?? "?")" }
  }

  @Test("health, status, metrics, games, the panel's stream, gameconfctl and the journal show the same degradations, and their end")
  func everyDoor() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog("mine"), "other.yaml": catalog("other")])
    let stream = try StreamReader(daemon.adminSocket, "/v1/watch")
    #expect(stream.data()["degraded"] == [])
    #expect(try daemon.read(at: "/health/ready")["status"] == "ready")
    // A refused catalog of a served game, and a refused catalog of a new game.
    try daemon.folder.write(catalog("mine", speed: "9.0"), to: "games/mine.yaml")
    try daemon.folder.write(catalog("fresh", speed: "9.0"), to: "games/fresh.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    let due = ["fresh not_served", "mine catalog"]

    let ready = try daemon.read(at: "/health/ready")
    #expect(ready["status"] == "degraded" && codes(ready["degraded"]) == due, "\(ready)")
    for each in ready["degraded"]?.listValue ?? [] {
      let kind = try #require(each["code"]?.stringValue.flatMap(DegradationKind.init))
      #expect(each["title"] == .string(kind.declaration.title) && each["severity"] == .string(kind.declaration.severity.rawValue))
      #expect(each["since"] != nil && each["detail"]?.stringValue?.contains(".yaml:6:") == true, "\(each)")
    }
    let strict = try daemon.ask("GET", "/health/ready?strict=true")
    #expect(strict.status == 503 && strict.code == "DEGRADED" && strict.text.contains("fresh: not_served: "), "\(strict.text)")
    let status = try daemon.read(at: "/v1/status", admin: true)
    #expect(status["degraded"] == ready["degraded"])
    #expect(codes(status["games"]?.listValue?.first?["degraded"]) == ["mine catalog"])
    #expect(codes(try daemon.read(at: "/v1/games")["games"]?.listValue?.first?["degraded"]) == ["mine catalog"])

    let metrics = try daemon.ask("GET", "/metrics", admin: true).text.split(separator: "\n").map(String.init)
    for line in [
      #"gameconf_game_degraded{game="fresh"} 1"#, #"gameconf_game_degraded{game="mine"} 1"#, #"gameconf_game_degraded{game="other"} 0"#,
      #"gameconf_degradations{code="not_served"} 1"#, #"gameconf_degradations{code="catalog"} 1"#,
      #"gameconf_degradations{code="no_space"} 0"#,
    ] {
      #expect(metrics.contains(line), "\(line)")
    }
    var streamed: Value?
    while codes(streamed) != due, let event = stream.next() {
      if event.event == "degraded" { streamed = try JSONReader.value(from: event.data)["degraded"] }
    }
    #expect(streamed == ready["degraded"])

    let health = try daemon.control("health")
    #expect(health.status == 7 && health.output.contains("fresh\tnot_served\t") && health.output.contains("mine\tcatalog\t"), "\(health)")
    let page = try daemon.control("status")
    #expect(page.output.contains("degraded\tfresh\tnot_served\t") && page.output.contains("degraded\tmine\tcatalog\t"), "\(page.output)")

    try daemon.folder.write(catalog("mine"), to: "games/mine.yaml")
    try daemon.folder.write(catalog("fresh"), to: "games/fresh.yaml")
    _ = try daemon.ask("POST", "/v1/reload", admin: true)
    #expect(try daemon.read(at: "/health/ready")["status"] == "ready")
    #expect(try daemon.control("health").status == 0)
    while codes(streamed) != [], let event = stream.next() {
      if event.event == "degraded" { streamed = try JSONReader.value(from: event.data)["degraded"] }
    }
    let logged = try #require(daemon.process.waitForLine(containing: "over: \(DegradationKind.notServed.declaration.title)"))
    for kind in [DegradationKind.notServed, .catalogRefused] {
      #expect(logged.contains { $0.contains(" error: \(kind.declaration.title): ") && $0.contains(".yaml:6:") }, "\(logged)")
    }
  }
}
