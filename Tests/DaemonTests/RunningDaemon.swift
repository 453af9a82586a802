// Starts the built daemon with a test's folders, and sends it requests over its sockets.

import GameConfCore
import Glibc
import TestSupport
import Testing

/// The store of the tests' daemons: SQLite, or PostgreSQL if `GAMECONF_TEST_STORE=postgres`.
enum TestStore {
  /// The connection string of PostgreSQL; nil without a server.
  static let postgres = getenv("GAMECONF_POSTGRES").map { String(cString: $0) }
  /// The connection string if every daemon should use PostgreSQL; nil otherwise.
  static let connection = getenv("GAMECONF_TEST_STORE").map { String(cString: $0) } == "postgres" ? postgres : nil
}

/// A daemon that runs for one test.
final class RunningDaemon {
  let folder: TemporaryFolder
  private(set) var process: ChildProcess
  private let arguments: [String]
  private let environment: [String: String]
  private let program: [String]
  /// The lines that the daemon logged until it was ready.
  private(set) var startLines: [String] = []
  /// True while the daemon serves. Clients of a killed daemon wait until it is true again.
  let serving = WaitedState(true)

  /// Starts a daemon and waits until it serves.
  /// - Parameters:
  ///   - catalogs: The catalogs' texts by file name; nil for the shipped games.
  ///   - program: A command line that starts the daemon; nil for the daemon itself.
  init(
    catalogs: [String: String]? = nil, folder: TemporaryFolder? = nil, arguments: [String] = [], environment: [String: String] = [:],
    program: [String] = [Built.daemon]
  ) throws {
    self.program = program
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    var defaults = Built.tree + "/Defaults"
    if let catalogs {
      defaults = folder.path + "/games"
      mkdir(defaults, 0o755)
      for (name, text) in catalogs { try folder.write(text, to: "games/" + name) }
    }
    var settings: [String] = []
    if let connection = TestStore.connection, !arguments.contains("--config"), environment["GAMECONFD_CONFIG"] == nil {
      let schema = "d" + SHA256.hex(of: folder.path).prefix(16)
      try folder.write("store:\n  postgres: \"\(connection)\"\n  schema: \(schema)\n", to: "postgres.yaml")
      settings = ["--config", folder.path + "/postgres.yaml"]
    }
    self.arguments =
      ["--defaults", defaults, "--runtime-dir", folder.path + "/run", "--state-dir", folder.path + "/state"] + settings + arguments
    // A long timeout, because a busy machine may delay a read for longer than a game would wait.
    self.environment = ["GAMECONFD_READ_MILLISECONDS": "60000"].merging(environment) { $1 }
    process = try ChildProcess(program[0], program.dropFirst() + self.arguments, environment: self.environment)
    startLines = try #require(process.waitForLine(containing: "ready"))
  }

  var gamesSocket: String { folder.path + "/run/games.sock" }
  var adminSocket: String { folder.path + "/run/admin.sock" }

  /// Stops or kills the daemon, and starts it again with the same folders.
  func restart(killing: Bool = false) throws {
    serving.change { $0 = false }
    process.signal(killing ? SIGKILL : SIGTERM)
    _ = process.waitForEnd()
    try start()
  }

  /// Stops the daemon with SIGTERM.
  @discardableResult
  func stop() -> ChildProcess.Ending {
    process.signal(SIGTERM)
    return process.waitForEnd()
  }

  /// Starts the daemon again with the same folders.
  func start() throws {
    // The state is changed also if the start fails, so that waiting clients fail instead of blocking.
    defer { serving.change { $0 = true } }
    process = try ChildProcess(program[0], program.dropFirst() + arguments, environment: environment)
    startLines = try #require(process.waitForLine(containing: "ready"))
  }

  /// Returns the JSON of a GET; fails the test for any status but 200.
  func read(at target: String, admin: Bool = false) throws -> Value {
    let answer = try ask("GET", target, admin: admin)
    try #require(answer.status == 200, "GET \(target): \(answer.status) \(answer.text)")
    return answer.json
  }

  /// Sends one request and returns its answer.
  func ask(
    _ method: String = "GET", _ target: String, body: Value? = nil, headers: [String: String] = [:], admin: Bool = false
  ) throws -> RawConnection.Answer {
    let connection = try RawConnection(admin ? adminSocket : gamesSocket)
    var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    var bytes: [UInt8] = []
    if let body {
      bytes = JSONWriter.bytes(body)
      text += "Content-Type: application/json\r\nContent-Length: \(bytes.count)\r\n"
    }
    connection.send(Array((text + "\r\n").utf8) + bytes)
    return try #require(connection.answer(toHead: method == "HEAD"))
  }

  /// Runs gameconfctl against this daemon.
  func control(_ arguments: String...) throws -> ChildProcess.Ending { try control(arguments) }

  /// Runs gameconfctl against this daemon.
  func control(_ arguments: [String]) throws -> ChildProcess.Ending {
    // A long time limit for shell completion, because hundreds of simultaneous tests may delay it.
    try ChildProcess(
      Built.control, arguments,
      environment: ["GAMECONF_SOCKET": gamesSocket, "GAMECONF_ADMIN_SOCKET": adminSocket, "GAMECONF_COMPLETION_MS": "60000"]
    ).waitForEnd()
  }
}
