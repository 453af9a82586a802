// gameconfctl panel

import ArgumentParser
import GameConfAPI
import GameConfCore
import GameConfTransport
import Glibc

struct PanelRun: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "panel", abstract: "Show and change a game's values, store, ads and players in a browser, until interrupted.",
    discussion: """
      Serves a page to this user's browser on 127.0.0.1 and calls the daemon in your name. The address works once; Enter prints another. \
      Without a display it listens on a Unix socket and prints the ssh command for another machine. It ends ten minutes after the \
      last page was closed.
      """)

  @Argument(help: ArgumentHelp("The game to show first.", valueName: "game"), completion: .games) var game: String?
  @Option(help: ArgumentHelp("The player to show first.", valueName: "id"), completion: .players) var player: String?
  @Option(help: ArgumentHelp("The port; any free one if left out.", valueName: "number")) var port = 0
  @Flag(name: .customLong("no-open"), help: "Print the address and open no browser.") var isQuiet = false
  @OptionGroup var connection: ConnectionOptions

  private static let unusedMinutes = 10

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535") }
  }

  func run(on console: Console) async throws {
    let hasDisplay = getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
    let adminSocket = try await adminSocket(console.daemon, isFromDesktop: hasDisplay && !isQuiet && isatty(STDERR_FILENO) == 0)
    let panel: Panel
    var socketPath: String?
    do throws(Fault) {
      if hasDisplay || isQuiet || port != 0 {
        panel = try onLoopback(adminSocket, console)
      } else {
        let path = Self.newSocketPath
        panel = try onSocket(path, adminSocket, console)
        socketPath = path
      }
    } catch { throw CtlFailure.refused(["\(error.message)"]) }
    OwnThread.start { panel.run() }
    if hasDisplay, !isQuiet { Browser.open(address(panel, panel.codes.make(until: .now + .seconds(PanelCodes.openedSeconds)))) }
    show(panel, console.screen)
    StopSignals.record()
    await wait(panel, console.screen)
    panel.phone.stop()
    if let socketPath { unlink(socketPath) }
  }

  /// Makes one call to the daemon, so that a failure of the connection is reported on this terminal and not in the browser. If the panel
  /// was started from a desktop, the page shows the failure instead.
  private func adminSocket(_ daemon: DaemonClient, isFromDesktop: Bool) async throws(CtlFailure) -> String {
    do throws(CtlFailure) {
      let path = try await daemon.ask(Calls.status).path
      if let game { _ = try await daemon.ask(Calls.catalog, ["game": game]) }
      return path
    } catch {
      guard isFromDesktop, let socketClient = daemon.socketClients.first(where: { $0.answers([.admin]) }) else { throw error }
      return socketClient.path
    }
  }

  private func onLoopback(_ adminSocket: String, _ console: Console) throws(Fault) -> Panel {
    let listener = try LoopbackListener(port: port)
    return Panel(listener, port: listener.port, adminSocket: adminSocket, console: console)
  }

  private static var newSocketPath: String {
    (getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/tmp") + "/gameconf-panel-\(RandomText.hexadecimal().prefix(12)).sock"
  }

  /// Listens on a Unix socket that other users of the host cannot open. The user forwards it by ssh to a port of the machine with the
  /// browser.
  private func onSocket(_ path: String, _ adminSocket: String, _ console: Console) throws(Fault) -> Panel {
    let screen = console.screen
    let listener = try LoopbackListener(socketPath: path)
    // The port is opened on another machine, where it may be in use. In that case ssh reports it.
    let port = Int.random(in: 20_000...60_000)
    var name = utsname()
    uname(&name)
    let host = withUnsafeBytes(of: &name.nodename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    screen.note("There is no display here. On the machine with the browser, type:")
    screen.line("ssh -L \(port):\(path) \(host)")
    screen.note("Every user of that machine reaches the port; the code in the address and the token keep them out. Then open there:")
    return Panel(listener, port: port, adminSocket: adminSocket, console: console)
  }

  private func address(_ panel: Panel, _ code: String) -> String {
    var query: [String] = []
    if let game { query.append("game=" + PercentEncoding.encode(game)) }
    if let player { query.append("player=" + PercentEncoding.encode(player)) }
    return panel.address((["code=" + code] + query).joined(separator: "&"))
  }

  private func show(_ panel: Panel, _ screen: Screen) { screen.line("\(address(panel, panel.codes.make()))") }

  /// Waits until a stop signal arrives or no page has been open for ten minutes. Prints a new address when the user presses Enter.
  private func wait(_ panel: Panel, _ screen: Screen) async {
    var isReading = true
    while StopSignals.received == 0, panel.unusedFor() < .seconds(Self.unusedMinutes * 60) {
      var input = pollfd(fd: isReading ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0)
      // A signal interrupts poll(). Its timeout is the interval at which the program checks whether a page is open.
      guard poll(&input, 1, 1_000) > 0 else { continue }
      var byte: UInt8 = 0
      guard read(STDIN_FILENO, &byte, 1) == 1 else {
        isReading = false
        continue
      }
      if byte == 10 { show(panel, screen) }
    }
    if StopSignals.received == 0 { screen.note("No page has been open for \(Self.unusedMinutes) minutes.") }
  }
}
