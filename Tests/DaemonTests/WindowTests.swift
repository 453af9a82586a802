// Windows of overrides, whose beginnings and ends pass while the daemon runs and while it is stopped.

import GameConfCore
import Glibc
import Testing

@Suite("A value is overridden for a time", .serialized)
struct WindowTests {
  private func window(_ daemon: RunningDaemon, _ value: Value, _ from: String, _ until: String) throws -> RawConnection.Answer {
    try daemon.put("speed", value, [("from", .string(from)), ("until", .string(until))])
  }

  @Test("a window of two seconds ends by itself, the permanent override is in force again, and both are audited")
  func lapses() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog])
    _ = try daemon.put("speed", 3.0)
    let set = try daemon.control("config", "set", "mine", "speed", "3.5", "--for", "2s")
    #expect(set.status == 0, "\(set.errors)")
    let during = try daemon.read("speed")
    #expect(during["value"] == 3.5)
    #expect(try daemon.waits { try daemon.read("speed")["value"] == 3.0 })
    let after = try daemon.read("speed")
    #expect(try #require(after["revision"]?.integerValue) > #require(during["revision"]?.integerValue))
    let lines = try daemon.audit()
    let ended = try #require(lines.first)
    let added = try #require(lines.dropFirst().first)
    #expect(ended["action"] == "override.window.ended")
    #expect(ended["author"]?["name"] == "gameconfd")
    #expect(ended["before"] == 3.5 && ended["after"] == 3.0)
    #expect(added["action"] == "override.window.add")
    #expect(added["window"] == ended["window"])
    #expect(try daemon.overrides().count == 1)
  }

  @Test("windows that begin or end while the daemon is stopped are applied before it is ready, and audited at their own instants")
  func whileStopped() throws {
    let folder = try TemporaryFolder()
    func start(_ clock: String) throws -> RunningDaemon {
      try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], folder: folder, arguments: ["--clock", clock])
    }
    func stop(_ daemon: RunningDaemon) {
      daemon.process.signal(SIGTERM)
      _ = daemon.process.waitForEnd()
    }
    let first = try start("2026-12-01T00:00:00Z")
    _ = try first.put("speed", 3.0)
    #expect(try window(first, 3.5, "2026-12-01T01:00:00Z", "2026-12-01T02:00:00Z").status == 201)
    #expect(try first.read("speed")["value"] == 3.0)
    #expect(try first.ask("GET", "/v1/status", admin: true).json["clock"]?["frozen"] == true)
    stop(first)
    let second = try start("2026-12-01T01:30:00Z")
    #expect(try second.read("speed")["value"] == 3.5)
    #expect(try second.audit().first?["action"] == "override.window.opened")
    #expect(try second.audit().first?["at"] == "2026-12-01T01:00:00Z")
    stop(second)
    let third = try start("2026-12-05T00:00:00Z")
    #expect(try third.read("speed")["value"] == 3.0)
    #expect(try third.audit().first?["action"] == "override.window.ended")
    #expect(try third.audit().first?["at"] == "2026-12-01T02:00:00Z")
    stop(third)
    // An ended window is removed, also if the clock is set back.
    let fourth = try start("2026-12-01T01:30:00Z")
    #expect(try fourth.read("speed")["value"] == 3.0)
    #expect(try fourth.overrides().count == 1)
  }

  @Test("an invalid window is refused and changes nothing")
  func refused() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog], arguments: ["--clock", "2026-12-01T00:00:00Z"])
    let stored = try window(daemon, 3.0, "2026-12-02T00:00:00Z", "2026-12-03T00:00:00Z")
    let id = try #require(stored.json["override"]?["window"]?["id"]?.stringValue)
    let revision = stored.revision
    let backwards = try window(daemon, 3.5, "2026-12-05T00:00:00Z", "2026-12-04T00:00:00Z")
    #expect(backwards.status == 422 && backwards.code == "WINDOW_EMPTY")
    let empty = try window(daemon, 3.5, "2026-12-05T00:00:00Z", "2026-12-05T00:00:00Z")
    #expect(empty.status == 422 && empty.code == "WINDOW_EMPTY")
    let past = try window(daemon, 3.5, "2026-11-01T00:00:00Z", "2026-11-02T00:00:00Z")
    #expect(past.status == 422 && past.code == "WINDOW_PAST")
    for (from, until) in [
      ("2026-12-02T12:00:00Z", "2026-12-04T00:00:00Z"), ("2026-12-01T12:00:00Z", "2026-12-02T00:00:01Z"),
      ("2026-12-02T01:00:00Z", "2026-12-02T02:00:00Z"),
    ] {
      let overlap = try window(daemon, 3.5, from, until)
      #expect(overlap.status == 409 && overlap.code == "OVERLAP")
      #expect(overlap.detail?.contains(id) == true)
      #expect(overlap.json["window"]?["id"] == .string(id))
    }
    let endless = try daemon.put("speed", 3.5, [("from", "2026-12-05T00:00:00Z")])
    #expect(endless.status == 400 && endless.json["pointer"] == "/until")
    let noDate = try window(daemon, 3.5, "tomorrow", "2026-12-05T00:00:00Z")
    #expect(noDate.status == 400 && noDate.json["pointer"] == "/from")
    for length in ["0s", "0h", "soon", "-5s"] {
      #expect(try daemon.control("config", "set", "mine", "speed", "3.5", "--for=\(length)").status == 2, "\(length)")
    }
    let both = try daemon.control("config", "set", "mine", "speed", "3.5", "--for", "2h", "--until", "2026-12-09T00:00:00Z")
    #expect(both.status == 2)
    #expect(try daemon.ask("GET", "/v1/games/mine/config").revision == revision)
    // Adjacent windows do not overlap.
    #expect(try window(daemon, 3.5, "2026-12-03T00:00:00Z", "2026-12-04T00:00:00Z").status == 201)
    #expect(try window(daemon, 3.5, "2026-12-01T00:00:00Z", "2026-12-02T00:00:00Z").status == 201)
    #expect(try daemon.read("speed")["value"] == 3.5)
  }
}
