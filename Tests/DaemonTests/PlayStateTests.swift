// The state of a play with preconditions: compare-and-set, repeats, and closed plays.

import GameConfCore
import Testing

@Suite("The state of a play", .serialized)
struct PlayStateTests {
  private func begin(_ daemon: RunningDaemon) throws -> String {
    let player = TestPlayer(daemon: daemon, game: "dartsscore")
    let play = try #require(try daemon.ask("POST", player.path + "/plays").json["play"]?.stringValue)
    return player.path + "/plays/" + play
  }

  private func put(
    _ daemon: RunningDaemon, _ play: String, _ state: Value, ifMatch tag: String? = nil, key: String? = nil
  ) throws -> RawConnection.Answer {
    var headers: [String: String] = [:]
    headers["If-Match"] = tag.map { "\"\($0)\"" }
    headers["Idempotency-Key"] = key
    return try daemon.ask("PUT", play + "/state", body: ["state": state], headers: headers)
  }

  @Test("eight clients that increment a number in a play's state by compare-and-set lose no increment")
  func counters() async throws {
    let daemon = try RunningDaemon()
    let play = try begin(daemon)
    let each = 30
    let socket = daemon.gamesSocket
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          let counted = (try? CountingClient(socket, play).count(each)) ?? 0
          #expect(counted == each)
        }
      }
    }
    #expect(try daemon.read(at: play)["state"] == ["n": .integer(Int64(8 * each))])
  }

  @Test("a play's state with a stale or invented state tag gets 412 with the stored tag, also for the same bytes")
  func stale() throws {
    let daemon = try RunningDaemon()
    let play = try begin(daemon)
    #expect(try put(daemon, play, 1, ifMatch: "abc").status == 412, "there is no state yet")
    let first = try put(daemon, play, 1, ifMatch: "")
    #expect(first.status == 200, "\(first.text)")
    let tag = try #require(first.json["state_tag"]?.stringValue)
    for invented in ["", "0123456789abcdef", "nonsense"] {
      for state in [1, 2] as [Value] {
        let answer = try put(daemon, play, state, ifMatch: invented)
        #expect(answer.status == 412 && answer.code == "STATE_CHANGED" && answer.json["state_tag"] == .string(tag), "\(answer.text)")
      }
    }
    #expect(try put(daemon, play, 1, ifMatch: tag).status == 200)
    #expect(try put(daemon, play, 1).status == 200, "without a tag the same again is stored already")
    #expect(try daemon.read(at: play)["state"] == 1)
  }

  @Test("a play's state is stored once by its Idempotency-Key, also after a crash; a refusal with 412 does not use up the key")
  func repeated() throws {
    let daemon = try RunningDaemon()
    let play = try begin(daemon)
    #expect(try put(daemon, play, 1, ifMatch: "ff", key: "k").status == 412)
    let first = try put(daemon, play, 1, ifMatch: "", key: "k")
    #expect(first.status == 200 && first.headers["gameconf-repeated"] == nil, "\(first.text)")
    #expect(try put(daemon, play, 2).status == 200, "somebody else goes on")
    for restarts in [false, true] {
      if restarts { try daemon.restart(killing: true) }
      let again = try put(daemon, play, 1, ifMatch: "", key: "k")
      #expect(again.status == 200 && again.body == first.body && again.headers["gameconf-repeated"] == "true", "\(again.text)")
      #expect(try daemon.read(at: play)["state"] == 2)
    }
    let other = try put(daemon, play, 3, ifMatch: "", key: "k")
    #expect(other.status == 422 && other.code == "ID_REUSED", "\(other.text)")
  }

  @Test("a closed play keeps its last state: storing the same one gets 200, another one 409, a stale state tag 412")
  func closed() throws {
    let daemon = try RunningDaemon()
    let play = try begin(daemon)
    let tag = try #require(try put(daemon, play, 1).json["state_tag"]?.stringValue)
    #expect(try daemon.ask("POST", play + "/close").status == 200)
    for condition in [nil, tag] {
      #expect(try put(daemon, play, 1, ifMatch: condition).status == 200)
      let other = try put(daemon, play, 2, ifMatch: condition)
      #expect(other.status == 409 && other.code == "PLAY_CLOSED", "\(other.text)")
    }
    #expect(try put(daemon, play, 1, ifMatch: "").status == 412)
    #expect(try daemon.read(at: play)["state"] == 1)
  }
}

/// A client that increments a number in a play's state. It reads the state, and stores the next number under the state tag that it read.
private struct CountingClient {
  let socket: String
  let play: String

  init(_ socket: String, _ play: String) { (self.socket, self.play) = (socket, play) }

  /// Increments the number this many times, and repeats an increment after each conflict.
  /// - Returns: The number of acknowledged increments.
  func count(_ times: Int) throws -> Int {
    var (done, tries) = (0, 0)
    while done < times, tries < times * 200 {
      tries += 1
      let shown = try ask("GET", play)
      let number = shown.json["state"]?["n"]?.integerValue ?? 0
      let tag = shown.json["state_tag"]?.stringValue ?? ""
      let body = JSONWriter.text(["state": ["n": .integer(number + 1)]])
      let head = "If-Match: \"\(tag)\"\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
      let answer = try ask("PUT", play + "/state", head: head, body: body)
      if answer.status == 200 { done += 1 } else { #expect(answer.status == 412, "\(answer.text)") }
    }
    return done
  }

  private func ask(_ method: String, _ target: String, head: String = "", body: String = "") throws -> RawConnection.Answer {
    let connection = try RawConnection(socket)
    connection.send("\(method) \(target) HTTP/1.1\r\nHost: l\r\n\(head)\r\n\(body)")
    return try #require(connection.answer(toHead: false))
  }
}
