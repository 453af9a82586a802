// Tests of live requests: the lines that viewers see, and whether an override was read.

import GameConfAPI
import GameConfCore
import Testing

@Suite("Live requests of games", .serialized)
struct LiveTests {
  /// A viewer with its own connection.
  final class Viewer {
    private let connection: RawConnection
    private var lines = [UInt8]()
    let status: Int

    init(_ daemon: RunningDaemon, _ target: String = "/v1/games/wheresthedot/live") throws {
      connection = try RawConnection(daemon.adminSocket)
      connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      status = connection.beginStream() ?? 0
    }

    /// The next line; nil if the stream has ended.
    func next() -> Value? {
      while true {
        while let end = lines.firstIndex(of: UInt8(ascii: "\n")) {
          let line = Array(lines[..<end])
          lines.removeSubrange(...end)
          if !line.isEmpty { return (try? JSONReader.value(from: line)) ?? .null }
        }
        guard let piece = connection.nextChunk(), !piece.isEmpty else { return nil }
        lines += piece
      }
    }

    /// The next line of this kind, by a client of this sort where one is named; other lines are skipped.
    func next(_ kind: LiveLineKind, by reader: String? = nil) -> Value {
      while let line = next() {
        if line["kind"]?.stringValue == kind.rawValue, reader == nil || line["reader"]?.stringValue == reader { return line }
      }
      return .null
    }

    /// The number of lines of this kind before a read of this key, and the number of lines that were dropped.
    func until(key: String, _ kind: LiveLineKind = .read) -> (count: Int, leftOut: Int64) {
      var (count, leftOut): (Int, Int64) = (0, 0)
      while let line = next() {
        if line["kind"] == "left_out" { leftOut += line["count"]?.integerValue ?? 0 }
        guard line["kind"]?.stringValue == kind.rawValue else { continue }
        if line["key"]?.stringValue == key { break }
        count += 1
      }
      return (count, leftOut)
    }
  }

  private static let game = "/v1/games/wheresthedot"
  private static let key = "arcade_time_limit_base"
  private static let read = game + "/config/" + key

  private func changed(_ daemon: RunningDaemon, player: String? = nil) throws -> Value {
    let target = Self.game + (player.map { "/players/\($0)/changes" } ?? "/changes")
    let changes = try daemon.read(at: target, admin: true)["changes"]?.listValue ?? []
    return changes.first { $0["key"]?.stringValue == Self.key }?["read"] ?? .null
  }

  @Test("an override says whether a game has read it since it was set, and a viewer sees the read with its value")
  func story() throws {
    let daemon = try RunningDaemon()
    let set = try daemon.control("config", "set", "wheresthedot", Self.key, "3.5")
    #expect(set.status == 0, "\(set.errors)")
    #expect(
      try changed(daemon)["words"] == "no request to the daemon since it was set; games that map the file are not seen")
    // Reads by the project's own programs and on the admin socket do not count as a game's.
    _ = try daemon.read(at: Self.read, admin: true)
    _ = try daemon.control("config", "get", "wheresthedot", Self.key, "--socket", daemon.gamesSocket)
    #expect(try changed(daemon)["by"] == nil)
    let viewer = try Viewer(daemon)
    let start = viewer.next(.start)
    #expect(viewer.status == 200 && start["count"] == 0 && start["host"]?.stringValue?.isEmpty == false)

    let got = try daemon.read(at: Self.read)
    let line = viewer.next(.read)
    #expect(line["key"]?.stringValue == Self.key && line["value"] == got["value"] && line["source"] == "override.game")
    #expect(line["door"] == "value" && line["reader"] == "game" && line["revision"] == got["revision"])
    let read = try changed(daemon)
    #expect(read["by"] == "key" && read["words"]?.stringValue?.hasSuffix(" s ago, by key") == true)
    #expect(read["words"]?.stringValue?.hasPrefix("read on this host ") == true)
    let explained = try daemon.read(at: Self.read + "/explain", admin: true)
    #expect(explained["layers"]?.listValue?.first { $0["layer"] == "override.game" }?["read"]?["by"] == "key")

    // The earlier read was of the earlier override.
    _ = try daemon.control("config", "set", "wheresthedot", Self.key, "4.5")
    #expect(try changed(daemon)["by"] == nil)
    _ = try daemon.read(at: Self.game + "/config")
    #expect(try changed(daemon)["words"]?.stringValue?.hasSuffix(", with all values") == true)
    let all = viewer.next(.read, by: "game")
    #expect(all["door"] == "config" && all["key"] == nil && (all["count"]?.integerValue ?? 0) > 10)
  }

  @Test("a read of an override does not change the ETag of the list of changes or of the explanation")
  func tags() throws {
    let daemon = try RunningDaemon()
    _ = try daemon.control("config", "set", "wheresthedot", Self.key, "3.5")
    for target in [Self.game + "/changes", Self.read + "/explain"] {
      let before = try daemon.ask("GET", target, admin: true).headers["etag"]
      _ = try daemon.read(at: Self.read)
      _ = try daemon.read(at: Self.game + "/config")
      let after = try daemon.ask("GET", target, admin: true).headers["etag"]
      #expect(before == after && before?.hasPrefix("W/") == true)
    }
  }

  @Test("a player's override says whether that player has read it, and forgetting the player forgets the read")
  func player() throws {
    let daemon = try RunningDaemon()
    _ = try daemon.control("config", "set", "wheresthedot", Self.key, "3.5", "--player", "p1")
    #expect(try changed(daemon, player: "p1")["by"] == nil)
    _ = try daemon.read(at: Self.read + "?player=p2")
    #expect(try changed(daemon, player: "p1")["by"] == nil)
    _ = try daemon.read(at: Self.read + "?player=p1")
    #expect(try changed(daemon, player: "p1")["by"] == "key")
    _ = try daemon.control("player", "forget", "wheresthedot", "p1", "--yes")
    _ = try daemon.control("config", "set", "wheresthedot", Self.key, "3.5", "--player", "p1")
    #expect(try changed(daemon, player: "p1")["by"] == nil)
  }

  @Test("an override says how many watchers were sent it, and viewers see when a watcher begins and ends")
  func watchers() throws {
    let daemon = try RunningDaemon()
    let viewer = try Viewer(daemon)
    var watch: StreamReader? = try StreamReader(daemon.gamesSocket, Self.game + "/watch")
    #expect(watch?.next()?.event == "state")
    #expect(viewer.next(.watch)["what"] == "began")
    _ = try daemon.control("config", "set", "wheresthedot", Self.key, "3.5")
    #expect(watch?.next()?.event == "change")
    let read = try changed(daemon)
    #expect(read["watchers"] == 1 && read["words"]?.stringValue?.hasPrefix("sent to 1 watcher at revision ") == true)
    let later = try Viewer(daemon)
    #expect(later.next(.start)["count"] == 1 && later.next(.watch)["what"] == "open")
    watch = nil
    var what: Value?
    repeat { what = viewer.next(.watch)["what"] } while what == "sent"
    #expect(what == "ended")
  }

  @Test("a viewer of a game sees the events, refusals and purchases of all players, a viewer of a player only that player's")
  func kinds() throws {
    let daemon = try RunningDaemon()
    let all = try Viewer(daemon)
    let one = try Viewer(daemon, Self.game + "/live?player=p1")
    #expect(one.next(.start)["unknown_player"] == true)
    for player in ["p2", "p1"] {
      let event: Value = ["event_id": .string("e" + player), "event": "game_over", "mode": "classic", "score": 7, "reason": "timeUp"]
      #expect(try daemon.ask("POST", Self.game + "/players/\(player)/events", body: event).status == 200)
    }
    let event = one.next(.event)
    #expect(event["player"] == "p1" && event["event"] == "game_over" && event["score"] == 7)
    #expect(all.next(.event)["player"] == "p2" && all.next(.event)["player"] == "p1")
    _ = try daemon.ask("GET", Self.game + "/config/arcade_time_limt_base?player=p1")
    let refusal = one.next(.refusal)
    #expect(refusal["code"] == "UNKNOWN_KEY" && refusal["detail"]?.stringValue?.contains("arcade_time_limit_base") == true)
    _ = try daemon.ask("POST", Self.game + "/players/p1/purchases", body: ["product": "removeads"])
    let purchase = one.next(.purchase)
    #expect(purchase["product"] == "removeads" && purchase["outcome"] == "success")
  }

  @Test("each read is shown to a viewer or counted as dropped, and the ninth viewer is refused")
  func counts() throws {
    let daemon = try RunningDaemon()
    let reading = try Viewer(daemon)
    let asleep = try (0..<7).map { _ in try Viewer(daemon) }
    let ninth = try daemon.ask("GET", Self.game + "/live", admin: true)
    #expect(ninth.status == 503 && ninth.code == "SERVER_FULL" && ninth.detail?.contains("8 viewers") == true)
    // The refusal is a line too. A viewer that has received it can only drop reads.
    let counting = [reading] + asleep.prefix(2)
    for viewer in counting { #expect(viewer.next(.refusal)["code"] == "SERVER_FULL") }

    let connection = try RawConnection(daemon.gamesSocket)
    let request = "GET \(Self.game)/config/arcade_difficulty_step HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let (rounds, each) = (60, 100)
    for _ in 0..<rounds {
      connection.send(String(repeating: request, count: each))
      for _ in 0..<each { #expect(connection.answer()?.status == 200) }
    }
    // On the same connection, because lines of several event loops may arrive in another order.
    connection.send("GET \(Self.read) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(connection.answer()?.status == 200)
    for viewer in counting {
      let seen = viewer.until(key: Self.key)
      #expect(seen.count + Int(seen.leftOut) == rounds * each, "\(seen)")
    }
  }

  @Test("a viewer that disconnects frees its place for another")
  func gone() throws {
    let daemon = try RunningDaemon()
    for _ in 0..<3 {
      let viewers = try (0..<8).map { _ in try #require(try admitted(daemon)) }
      #expect(try Viewer(daemon).status == 503)
      withExtendedLifetime(viewers) {}
    }
  }

  @Test("HEAD of a live stream takes no viewer's place")
  func head() throws {
    let daemon = try RunningDaemon()
    for _ in 0..<8 {
      let connection = try RawConnection(daemon.adminSocket)
      connection.send("HEAD \(Self.game)/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(connection.beginStream() == 200)
    }
    #expect(try admitted(daemon) != nil)
  }

  /// Returns a viewer as soon as one is admitted. The daemon notices a disconnection when it writes the next line.
  private func admitted(_ daemon: RunningDaemon) throws -> Viewer? {
    let patience = ContinuousClock.now + .seconds(60)
    while .now < patience {
      _ = try daemon.read(at: Self.read)
      let viewer = try Viewer(daemon)
      if viewer.status == 200 { return viewer }
    }
    return nil
  }

  @Test("live requests are refused for an unknown game, for an invalid player and on the games socket")
  func unknown() throws {
    let daemon = try RunningDaemon()
    let answer = try daemon.ask("GET", "/v1/games/wheresthedott/live", admin: true)
    #expect(answer.status == 404 && answer.code == "UNKNOWN_GAME" && answer.detail?.contains("wheresthedot") == true)
    #expect(try daemon.ask("GET", Self.game + "/live").status == 403)
    #expect(try daemon.ask("GET", Self.game + "/live?player=%00", admin: true).status == 400)
  }

  @Test("a viewer gets a player's id with markup and a bidirectional control character unchanged in one line")
  func escapes() throws {
    let daemon = try RunningDaemon()
    let viewer = try Viewer(daemon)
    _ = try daemon.ask("GET", Self.read + "?player=%3Cb%3E%E2%80%AEevil")
    let line = viewer.next(.read)
    #expect(line["player"] == "<b>\u{202E}evil")
    let sample = try daemon.ask("GET", Self.game + "/live/sample?seconds=1", admin: true)
    #expect(sample.status == 200 && sample.json["lines"] == [] && sample.json["left_out"] == 0)
  }
}
