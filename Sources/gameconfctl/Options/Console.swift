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

  @Option(help: ArgumentHelp("The seconds to wait for an answer; default 30, for health 3.", valueName: "seconds"))
  var timeout: Double?

  @Flag(help: "Print the daemon's answer as JSON, errors too.")
  var json = false

  @Flag(help: "Show times and every column in full.")
  var long = false

  func validate() throws {
    guard seconds > 0, seconds <= 86_400 else { throw ValidationError("--timeout must be above 0 and at most 86400 seconds") }
  }

  /// The seconds to wait for an answer.
  var seconds: Double { timeout ?? Self.usualSeconds }

  /// - Parameters:
  ///   - dryRun: true if the command shall change nothing.
  ///   - usual: the seconds to wait without --timeout.
  func console(dryRun: Bool = false, usual: Double = usualSeconds) -> Console {
    if var current = Console.current {
      current.screen.isLong = long
      (current.isJSON, current.isDryRun) = (json, dryRun)
      current.daemon.waiting = DaemonClient.Waiting(what: Self.waiting, screen: current.screen, isNoted: timeout == nil)
      return current
    }
    let choice = SocketChoice(
      option: socket,
      environment: [String: String](
        ["GAMECONF_SOCKET", "GAMECONF_ADMIN_SOCKET", "XDG_RUNTIME_DIR"].compactMap { name in
          getenv(name).map { (name, String(cString: $0)) }
        }, uniquingKeysWith: { first, _ in first }))
    let socketClients = choice.candidates.map {
      DaemonClient.SocketClient(kind: $0.kind, path: $0.path, transport: UnixHTTPClient(socketPath: $0.path, program: "gameconfctl"))
    }
    var screen = Screen.process
    screen.isLong = long
    return Console(
      daemon: DaemonClient(
        socketClients: socketClients, timeoutSeconds: timeout ?? usual, session: SessionName.present,
        // A command that gives up after three seconds notes nothing at that moment.
        waiting: DaemonClient.Waiting(what: Self.waiting, screen: screen, isNoted: timeout == nil && usual >= Self.usualSeconds)),
      screen: screen,
      isJSON: json, isDryRun: dryRun)
  }

  static let usualSeconds = 30.0

  private static let waiting: Sentence = "waiting for gameconfd"
}
