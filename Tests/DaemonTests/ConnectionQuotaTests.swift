// Connection limits of named users, and of the process's descriptors.

import GameConfCore
import Glibc
import Testing

@Suite("Limits of connections", .serialized)
struct ConnectionQuotaTests {
  /// Opens connections of this user until one is refused. Returns the open ones, and the refusal.
  ///
  /// The daemon may notice closed connections of this test only after a while. Below `least` open connections, a refused one is therefore tried again.
  private func fill(_ daemon: RunningDaemon, least: Int = 0, max: Int) throws -> (open: [RawConnection], refusal: RawConnection.Answer?) {
    var open: [RawConnection] = []
    var patience = 1_000
    while open.count < max {
      let connection = try RawConnection(daemon.gamesSocket)
      connection.send("GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n")
      guard let answer = connection.answer() else { return (open, nil) }
      if answer.status != 200 {
        patience -= 1
        if open.count < least && patience > 0 { continue }
        return (open, answer)
      }
      open.append(connection)
    }
    return (open, nil)
  }

  @Test("per_user sets the connection limit of a named user, status shows it, and an unknown name is a warning")
  func perUser() throws {
    let name = try #require(getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) })
    for number in [5, 12] {
      let folder = try TemporaryFolder()
      try folder.write("connections-per-uid-max: 8\nper_user: {\(name): \(number), nobody-of-that-name: 3}\n", to: "gameconfd.yaml")
      let daemon = try RunningDaemon(folder: folder, arguments: ["--config", folder.path + "/gameconfd.yaml"])
      let answer = try daemon.ask("GET", "/v1/status", admin: true)
      try #require(answer.status == 200, "\(answer.text)")
      let status = answer.json
      #expect(status["limits"]?["connections_of_uids"]?[String(getuid())] == .integer(Int64(number)), "\(status["limits"] ?? .null)")
      #expect(status["warnings"]?.listValue?.contains { $0.stringValue?.contains("nobody-of-that-name") == true } == true)
      let (open, refusal) = try fill(daemon, least: number, max: 40)
      #expect(open.count == number)
      #expect(refusal?.status == 429 && refusal?.code == "TOO_MANY_CONNECTIONS", "\(String(describing: refusal?.text))")
    }
  }

  @Test("the start raises the soft limit of descriptors to the hard one, which allows more connections")
  func raised() throws {
    let daemon = try RunningDaemon(program: ["/usr/bin/prlimit", "--nofile=128:2048", Built.daemon])
    let text = String(decoding: try #require(TemporaryFolder.read("/proc/\(daemon.process.pid)/limits")), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Max open files") })
    #expect(line.split(separator: " ").suffix(3) == ["2048", "2048", "files"], "\(line)")
    #expect(try fill(daemon, least: 300, max: 300).open.count == 300)
  }

  @Test("without free file descriptors new connections get a refusal, an admin is served, and the journal reports it once")
  func descriptors() throws {
    let daemon = try RunningDaemon(program: ["/usr/bin/prlimit", "--nofile=160:160", Built.daemon])
    let status = try daemon.ask("GET", "/v1/status", admin: true).json
    let most = try #require(status["limits"]?["connections_max"]?.integerValue)
    #expect(most > 0 && most < 160)
    #expect(status["warnings"]?.listValue?.contains { $0.stringValue?.contains("LimitNOFILE") == true } == true)
    let (open, refusal) = try fill(daemon, least: Int(most), max: 400)
    #expect(open.count == Int(most), "\(open.count) of \(most)")
    #expect([429, 503].contains(refusal?.status ?? 0), "\(String(describing: refusal?.text))")
    #expect(try daemon.ask("GET", "/health/live", admin: true).status == 200)
    for _ in 0..<20 { _ = try? fill(daemon, max: 1) }
    _ = open
    let ending = daemon.stop()
    #expect(ending.errors.split(separator: "\n").count { $0.contains("connections") && $0.contains("limit") } <= 2, "\(ending.errors)")
  }
}
