// The surroundings of a command: the daemon's client, the screen and the environment. Tests replace them.

import ArgumentParser
import GameConfCore
import GameConfTransport
import Glibc

struct Console: Sendable {
  var daemon: DaemonClient
  var screen: Screen
  var environment: [String: String] = [:]
  /// The uid of the user who runs the command, as the daemon sees it.
  var uid: UInt32 = geteuid()
  /// True if the daemon's responses are shown as JSON.
  var isJSON = false
  /// True if the command runs dry: it checks everything and changes nothing.
  var isDryRun = false

  /// The console that replaces sockets and terminal in a test; nil outside of tests.
  @TaskLocal static var current: Console?

  static var screen: Screen { current?.screen ?? .process }
  /// The time on the host's clock.
  static var now: Instant { current?.screen.clock() ?? Screen.hostClock() }

  /// Returns an environment variable of the process, or of the test if a test runs.
  static func variable(_ name: String) -> String? { current.map { $0.environment[name] } ?? getenv(name).map { String(cString: $0) } }

  func clear() { if screen.isTerminal { screen.write("\u{1b}[H\u{1b}[2J") } }

  /// Prints the outcome of a change, or in a dry run the outcome that the change would have.
  func report(_ done: Sentence) { screen.say(isDryRun ? "nothing was changed; without --dry-run: \(done)" : done) }

  /// Shows a response: as JSON if that was requested, otherwise as a table.
  func show(_ value: Value, else table: () -> Void) {
    if isJSON { screen.write(SafeText.json(value, pretty: true) + "\n") } else { table() }
  }
}

/// The options of every command that uses the daemon: how to reach it, and how to show its responses.
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

  /// The timeout for a response in seconds.
  var seconds: Double { timeout ?? Self.usualSeconds }

  /// Creates the console for a command with these options.
  /// - Parameters:
  ///   - dryRun: True if the command must not change anything.
  ///   - usual: The timeout in seconds without `--timeout`.
  func console(dryRun: Bool = false, usual: Double = usualSeconds) -> Console {
    if var current = Console.current {
      current.screen.isLong = long
      (current.isJSON, current.isDryRun) = (json, dryRun)
      current.daemon.waiting = DaemonClient.WaitMessage(what: Self.waiting, screen: current.screen, isNoted: timeout == nil)
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
        // A timeout of three seconds or less ends the command before the note is due, so no note is wanted.
        waiting: DaemonClient.WaitMessage(what: Self.waiting, screen: screen, isNoted: timeout == nil && usual >= Self.usualSeconds)),
      screen: screen,
      isJSON: json, isDryRun: dryRun)
  }

  static let usualSeconds = 30.0

  private static let waiting: Sentence = "waiting for gameconfd"
}
