// The parts that a command works with: the daemon, the screen. Tests put their own in its place.

import ArgumentParser
import GameConfCore
import GameConfTransport
import Glibc

struct Console: Sendable {
  var daemon: DaemonClient
  var screen: Screen
  var environment: [String: String] = [:]
  /// The user who asks, as the daemon sees it.
  var uid: UInt32 = geteuid()
  /// True if the daemon's answers are shown as JSON.
  var isJSON = false
  /// True if the command checks everything and changes nothing.
  var isDryRun = false

  /// The console that a test has put in the place of sockets and terminal.
  @TaskLocal static var current: Console?

  static var screen: Screen { current?.screen ?? .process }
  /// The time on the host's clock.
  static var now: Instant { current?.screen.clock() ?? Screen.hostClock() }

  /// A variable of the environment, or of the one that a test put in its place.
  static func variable(_ name: String) -> String? { current.map { $0.environment[name] } ?? getenv(name).map { String(cString: $0) } }

  /// Begins the screen anew, where there is one.
  func clear() { if screen.isTerminal { screen.write("\u{1b}[H\u{1b}[2J") } }

  /// Says what a change did, or would do.
  func report(_ done: Sentence) { screen.say(isDryRun ? "nothing was changed; without --dry-run: \(done)" : done) }

  /// Shows an answer: its JSON when that was asked for, else as the closure does.
  func show(_ value: Value, else table: () -> Void) {
    if isJSON { screen.write(SafeText.json(value, pretty: true) + "\n") } else { table() }
  }
}

/// The options for reaching the daemon and showing its answers; every command that asks has them.
struct ConnectionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The socket to use, and no other.", valueName: "path"))
  var socket: String?

  @Option(help: ArgumentHelp("The seconds to wait for an answer.", valueName: "seconds"))
  var timeout = 30.0

  @Flag(help: "Print the daemon's answer as JSON, errors too.")
  var json = false

  @Flag(help: "Show times and every column in full.")
  var long = false

  func validate() throws {
    guard timeout > 0, timeout <= 86_400 else { throw ValidationError("--timeout must be above 0 and at most 86400 seconds") }
  }

  /// - Parameter dryRun: true if the command shall change nothing.
  func console(dryRun: Bool = false) -> Console {
    if var current = Console.current {
      current.screen.isLong = long
      (current.isJSON, current.isDryRun) = (json, dryRun)
      current.daemon.doing = (Self.waiting, current.screen)
      return current
    }
    let choice = SocketChoice(
      option: socket,
      environment: [String: String](
        ["GAMECONF_SOCKET", "GAMECONF_ADMIN_SOCKET", "XDG_RUNTIME_DIR"].compactMap { name in
          getenv(name).map { (name, String(cString: $0)) }
        }, uniquingKeysWith: { first, _ in first }))
    let socketClients = choice.candidates.map {
      DaemonClient.SocketClient(kind: $0.kind, path: $0.path, transport: UnixHTTPClient(socketPath: $0.path))
    }
    var screen = Screen.process
    screen.isLong = long
    return Console(
      daemon: DaemonClient(
        socketClients: socketClients, timeoutSeconds: timeout, session: SessionName.present, doing: (Self.waiting, screen)), screen: screen,
      isJSON: json, isDryRun: dryRun)
  }

  private static let waiting: Sentence = "waiting for gameconfd"
}
