// Tab where a daemon answers each question in time, and all of them together do not.

import Glibc
import Testing

@Suite("Tab and a daemon that takes its time")
struct SlowCompletionTests {
  private static let games = #"{"games":[{"game":"dots","title":"Dots","revision":1}]}"#
  private static let catalog = #"{"game":"dots","parameters":[{"key":"arc_base","type":"double","default":2.5,"section":"A"}]}"#

  @Test("the patience is for all that is asked together: what one question is given twice over is not waited for")
  func patience() throws {
    // It asks which games there are, then for the keys of one.
    #expect(try offered(patience: 60_000, pause: 0) == "arc_base\t\n")
    // Each is answered well within the patience that a question has, and the second when all of it is over.
    #expect(try offered(patience: 900, pause: 600) == "")
  }

  /// What Tab offers.
  /// - Parameters:
  ///   - patience: how long all of it may take, in milliseconds.
  ///   - pause: how long each answer is held back while the program is there.
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
      // Nothing more is said on it, so that it is ready when the program is gone.
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

  /// A request as far as its empty line; nothing where the client has gone.
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

  /// True if a child is over and only waits to be asked for its status.
  private static func hasEnded(_ pid: pid_t) -> Bool {
    let state = TemporaryFolder.read("/proc/\(pid)/stat").map { String(decoding: $0, as: UTF8.self) } ?? ""
    return state.isEmpty || state.contains(") Z ")
  }
}
