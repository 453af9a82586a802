// Completion with a daemon that answers each request in time, but not all of them together.

import Glibc
import Testing

@Suite("Shell completion with a slow daemon")
struct SlowCompletionTests {
  private static let games = #"{"games":[{"game":"dots","title":"Dots","revision":1}]}"#
  private static let catalog = #"{"game":"dots","parameters":[{"key":"arc_base","type":"double","default":2.5,"section":"A"}]}"#

  @Test("the time limit of completion is for all its requests together")
  func patience() throws {
    // Completion sends two requests, first for the games, then for the keys of one game.
    #expect(try offered(patience: 60_000, pause: 0) == "arc_base\t\n")
    // Each answer comes within the limit of one request, but the second comes after the total limit.
    #expect(try offered(patience: 900, pause: 600) == "")
  }

  /// Returns the completions that Tab offers.
  /// - Parameters:
  ///   - patience: The time limit of the completion in milliseconds.
  ///   - pause: The delay of each answer in milliseconds, while the program runs.
  private func offered(patience: Int, pause: Int32) throws -> String {
    let folder = try TemporaryFolder()
    let listener = try UnhelpfulDaemon.listening(at: folder.path + "/admin.sock")
    defer { close(listener) }
    let program = try ChildProcess(
      Built.control, ["complete", "4", "--", "config", "get", "dots", "arc"],
      environment: [
        "GAMECONF_SOCKET": folder.path + "/games.sock", "GAMECONF_GAME": "dots", "GAMECONF_COMPLETION_MS": String(patience),
      ])
    while !Self.hasEnded(program.pid) {
      guard Self.isReady(listener, within: 20) else { continue }
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { continue }
      defer { close(connection) }
      let head = Self.head(connection)
      // The client sends nothing more, so the connection becomes readable only when the program has ended.
      guard !head.isEmpty, !Self.isReady(connection, within: pause) else { continue }
      let body = head.hasPrefix("GET /v1/games HTTP") ? Self.games : Self.catalog
      let fields = "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\nConnection: close"
      let answer = "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)"
      send(connection, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
    }
    let ending = program.waitForEnd()
    #expect(ending.status == 0 && ending.errors.isEmpty, "\(ending)")
    return ending.output
  }

  private static func isReady(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&poller, 1, milliseconds) > 0
  }

  /// Reads a request up to its empty line; empty if the client has disconnected.
  private static func head(_ connection: Int32) -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return "" }
      bytes += buffer[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// True if a child has ended and is a zombie.
  private static func hasEnded(_ pid: pid_t) -> Bool {
    let state = TemporaryFolder.read("/proc/\(pid)/stat").map { String(decoding: $0, as: UTF8.self) } ?? ""
    return state.isEmpty || state.contains(") Z ")
  }
}
