// The limits of watchers, on both sides of each boundary, and the figures in status.
import GameConfCore
import Glibc
import Testing

@Suite("Limits of watchers")
struct WatchLimitTests {
  private static let watch = "/v1/games/wheresthedot/watch?keys=arcade_time_limit_base"

  /// Opens a watch and returns its status and connection.
  private func open(_ daemon: RunningDaemon, admin: Bool = false) throws -> (status: Int, connection: RawConnection) {
    let connection = try RawConnection(admin ? daemon.adminSocket : daemon.gamesSocket)
    connection.send("GET \(admin ? "/v1/watch" : Self.watch) HTTP/1.1\r\nHost: l\r\n\r\n")
    return (connection.beginStream() ?? 0, connection)
  }

  @Test("a user's watchers are limited by the user's connections, while admins can still connect")
  func perUser() throws {
    let daemon = try RunningDaemon(arguments: ["--connections-per-uid-max", "4"])
    var watchers = try (0..<4).map { _ in try open(daemon) }
    #expect(watchers.map(\.status) == [200, 200, 200, 200])
    let refusal = try daemon.ask("GET", "/health/live")
    #expect(refusal.status == 429 && refusal.detail?.contains("4 connections on the games socket") == true, "\(refusal.text)")
    // The limit of the games socket does not affect an admin, whose connections on the admin socket count separately.
    let page = try daemon.ask("GET", "/v1/status", admin: true)
    #expect(page.status == 200 && page.json["watchers"]?["count"] == 4)
    #expect(try daemon.control("config", "set", "wheresthedot", "arcade_time_limit_base", "3.5", "--reason", "test").status == 0)
    let admins = try (0..<4).map { _ in try open(daemon, admin: true) }
    #expect(admins.map(\.status) == [200, 200, 200, 200])
    #expect(try open(daemon, admin: true).status == 429)
    watchers.removeLast()
    // The event loop of the closed connection may be slower than the one that answers.
    let end = ContinuousClock.now + .seconds(20)
    var status = 429
    while status == 429, ContinuousClock.now < end {
      let next = try open(daemon)
      status = next.status
      if status == 200 { watchers.append(next) }
    }
    #expect(status == 200)
  }

  @Test("the setting per_user raises the named user's limit of watchers to exactly its number")
  func raised() throws {
    let folder = try TemporaryFolder()
    let name = try #require(getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) })
    try folder.write("connections-per-uid-max: 2\nper_user: {\(name): 6}\n", to: "gameconfd.yaml")
    let daemon = try RunningDaemon(folder: folder, arguments: ["--config", folder.path + "/gameconfd.yaml"])
    let watchers = try (0..<6).map { _ in try open(daemon) }
    #expect(watchers.allSatisfy { $0.status == 200 })
    #expect(try open(daemon).status == 429)
    withExtendedLifetime(watchers) {}
  }

  @Test("the watchers of all users are limited by the connections, while an admin can still read status")
  func inAll() throws {
    let daemon = try RunningDaemon(arguments: ["--connections-max", "5", "--connections-per-uid-max", "100"])
    let watchers = try (0..<5).map { _ in try open(daemon) }
    #expect(watchers.allSatisfy { $0.status == 200 })
    #expect(try open(daemon).status == 503)
    let status = try daemon.ask("GET", "/v1/status", admin: true)
    #expect(status.status == 200 && status.json["watchers"]?["count"] == 5)
    withExtendedLifetime(watchers) {}
  }

  @Test("a watcher's context of 2 KiB is accepted and a larger one refused, up to a body of 64 KiB")
  func context() throws {
    let daemon = try RunningDaemon()
    // {"a":"…"} has eight bytes besides the text.
    for (bytes, status) in [(2_048, 200), (2_049, 413), (64 << 10, 413)] {
      let body: Value = ["context": ["a": .string(String(repeating: "x", count: bytes - 8))], "keys": ["arcade_time_limit_base"]]
      let stream = try StreamReader(daemon.gamesSocket, "/v1/games/wheresthedot/watch", method: "POST", body: body)
      #expect(stream.status == status, "\(bytes)")
    }
  }

  @Test("status counts watchers by kind and user, and shows their limits")
  func status() throws {
    let daemon = try RunningDaemon()
    let events = try (0..<3).map { _ in try StreamReader(daemon.gamesSocket, Self.watch) }
    let images = try FrameReader(daemon.gamesSocket, Self.watch)
    let admin = try StreamReader(daemon.adminSocket, "/v1/watch")
    for each in events { #expect(each.next()?.event == "state") }
    #expect(images.next()?.kind == 1 && admin.next()?.event == "state")
    let id = try #require(try daemon.ask("GET", "/v1/games/wheresthedot/config").headers["gameconf-id"])
    let waiting = try RawConnection(daemon.gamesSocket)
    waiting.send("GET /v1/games/wheresthedot/config?wait=30&after=\(id) HTTP/1.1\r\nHost: l\r\n\r\n")
    var watchers: Value = .null
    // The daemon counts the waiting call a moment after the client sent it.
    for _ in 0..<1_000 where watchers["calls"] != 1 {
      watchers = try daemon.ask("GET", "/v1/status", admin: true).json["watchers"] ?? .null
    }
    #expect(watchers["count"] == 6 && watchers["streams"] == 3 && watchers["image_streams"] == 1 && watchers["admins"] == 1)
    #expect(watchers["by_uid"]?[String(getuid())] == 6 && watchers["bytes_waiting"] == 0 && watchers["look_seconds"] == 1)
    #expect(try daemon.control("config", "set", "wheresthedot", "arcade_time_limit_base", "3.5", "--reason", "test").status == 0)
    for each in events { #expect(each.next()?.event == "change") }
    let json = try daemon.ask("GET", "/v1/status", admin: true).json
    #expect(json["watchers"]?["fan_out_last_milliseconds"] != nil && json["watchers"]?["fan_out_p99_milliseconds"] != nil)
    let limits = try #require(json["limits"]?.objectValue)
    #expect(Set(limits.names).count == limits.members.count)
    for (name, value) in [
      ("watcher_context_bytes_max", 2_048), ("watch_changes_kept_max", 1_024), ("watch_names_kept_max", 65_536),
      ("watch_state_bytes_waiting_max", 32 << 20),
      ("watch_state_bytes_waiting_per_uid_max", 4 << 20), ("image_bytes_max", 16 << 20), ("gzip_bytes_min", 4 << 10),
      ("connections_max", 12_288),
      ("connections_per_uid_max", 1_024),
    ] as [(String, Int64)] { #expect(limits[name] == .integer(value), "\(name)") }
    let page = try daemon.control("status", "--all").output
    #expect(page.contains("of events, of images\t3, 1") && page.contains("of the daemon as a whole\t1"), "\(page)")
    withExtendedLifetime(waiting) {}
  }

  @Test("time-dependent keys of too many watchers are evaluated less often, and status names them")
  func looks() throws {
    let rules = (0..<60).map { at in
      "  k\(at): {type: boolean, default: false, section: P, description: Ticks., "
        + "rules: [{when: {\"==\": [{\"%\": [{var: $flagd.timestamp}, 2]}, 0]}, value: true}]}"
    }
    let catalog = "gameconf: 1\ngame: mine\ntitle: Mine\nlocales: [en]\nparameters:\n" + rules.joined(separator: "\n") + "\n"
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog])
    // 60 keys, evaluated before and after for each of 200 watchers, need 24 000 evaluations; the budget is 20 000 per second.
    var watchers: [StreamReader] = []
    for at in 0..<200 {
      let watcher = try StreamReader(daemon.gamesSocket, "/v1/games/mine/watch?player=p\(at)")
      #expect(watcher.next()?.event == "state")
      watchers.append(watcher)
      // Changes are sent each second. A watcher that reads nothing is dropped, so all are read, because a slow machine takes long.
      for each in watchers { each.drain() }
    }
    var figures: Value = .null
    for _ in 0..<3_000 where figures["look_seconds"] != 2 || figures["time_dependent"] != 200 {
      figures = try daemon.ask("GET", "/v1/status", admin: true).json["watchers"] ?? .null
      for each in watchers { each.drain() }
    }
    #expect(figures["look_seconds"] == 2 && figures["time_dependent"] == 200, "\(figures)")
    #expect(figures["looked_at_less_often"]?.listValue?.count == 60)
  }
}
