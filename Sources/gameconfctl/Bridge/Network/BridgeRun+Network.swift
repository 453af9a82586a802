// gameconfctl bridge --network

import ArgumentParser
import GameConfAPI
import GameConfCore
import GameConfTransport
import Glibc

extension BridgeRun {
  /// Refuses options of the network bridge without `--network`, and options of the local bridge with it.
  func validateNetwork() throws {
    guard network else {
      for (name, value) in [("--game", game), ("--address", address), ("--player", player), ("--scheme", scheme)] where value != nil {
        throw ValidationError("\(name) needs --network")
      }
      return
    }
    guard game != nil else { throw ValidationError("--network needs --game: a phone is paired with one game") }
    if admin { throw ValidationError("--network and --admin exclude each other: no phone reaches the admin socket") }
    if !origin.isEmpty { throw ValidationError("--network and --origin exclude each other: pages reach the bridge on 127.0.0.1") }
    if tokenFile != nil { throw ValidationError("--network and --token-file exclude each other: each phone gets a token by pairing") }
    guard Self.isScheme(scheme ?? game ?? "") else {
      throw ValidationError(
        scheme == nil
          ? "the game's id is no URL scheme; give one with --scheme"
          : "--scheme takes a letter, then letters, digits, +, - or .")
    }
  }

  /// True if a text is a URL scheme as RFC 3986 defines it.
  static func isScheme(_ text: String) -> Bool {
    text.first?.isLetter == true
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// Serves paired phones on a private address until a signal arrives.
  func runOnNetwork(_ console: Console, _ keys: RevenueCatKeys) async throws {
    let game = game ?? ""
    let screen = console.screen
    let socket = try Self.socketClient(of: console.daemon, isAdmin: false).path
    try await Self.refuseAdminSocket(socket)
    if let connection = BlockingSocket.connect(to: socket) {
      close(connection)
      _ = try await console.daemon.ask(Calls.catalog, ["game": game])
    } else {
      screen.note("no daemon answers on \(socket) yet; until one does, requests get 502")
    }
    let bridge: NetworkBridge
    let devices: String
    do throws(Fault) {
      let listener = try NetworkListener(NetworkAddress.choose(address, among: NetworkAddress.ofHost()), port: port)
      bridge = NetworkBridge(listener, game: game, player: player, to: socket, revenueCat: keys) { screen.note(Self.sentence($0)) }
      devices = try DeviceSocket.serve(bridge) { [scheme] in Self.link(bridge, code: bridge.newCode(), scheme) }
    } catch { throw CtlFailure.refused(["\(error.message)"]) }
    // The panel shows these messages and the pairing codes itself.
    if !untilParentEnds {
      screen.note(
        "Plain HTTP: everybody who can read this network can read what passes, and use it. A code keeps neighbours out, not listeners.")
    }
    screen.line("http://\(bridge.listener.address.text):\(bridge.listener.port)")
    OwnThread.start { bridge.run() }
    StopSignals.record()
    if !untilParentEnds { showCode(bridge, screen) }
    wait(bridge, screen)
    unlink(devices)
  }

  /// Refuses an admin socket, at any path: only such a socket answers a call for admins.
  private static func refuseAdminSocket(_ path: String) async throws(CtlFailure) {
    let request = OutgoingRequest(.get, Calls.status.target(), timeoutSeconds: 5)
    guard let answer = try? await UnixHTTPClient(socketPath: path).send(request), answer.status == 200 else { return }
    throw .usage("\(path) is an admin socket; --network passes on to the games socket alone")
  }

  private func showCode(_ bridge: NetworkBridge, _ screen: Screen) {
    let code = bridge.newCode()
    let link = Self.link(bridge, code: code, scheme)
    if screen.isTerminal, screen.width >= QRCode.columns, let picture = QRCode(link) { screen.write(picture.terminalText) }
    screen.line("\(link)")
    screen.note("The code \(code) is good for two minutes and one phone. Enter shows another.")
  }

  /// Returns the link that a phone opens to be paired.
  private static func link(_ bridge: NetworkBridge, code: String, _ scheme: String?) -> String {
    "\(scheme ?? bridge.game)://gameconf?address=\(bridge.listener.address.text):\(bridge.listener.port)&code=\(code)"
  }

  /// Waits for a stop signal. Prints a new pairing code when the user presses Enter.
  private func wait(_ bridge: NetworkBridge, _ screen: Screen) {
    var isReading = true
    var isPresent = true
    let parent = getppid()
    while StopSignals.received == 0, !untilParentEnds || getppid() == parent {
      var input = pollfd(fd: isReading ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0)
      // A signal interrupts poll(). Its timeout is the interval at which the host's address and the expiry of tokens are checked.
      let count = poll(&input, 1, 1_000)
      isPresent = bridge.look(isPresent: isPresent, addresses: NetworkAddress.ofHost())
      guard count > 0 else { continue }
      var byte: UInt8 = 0
      guard read(STDIN_FILENO, &byte, 1) == 1 else {
        isReading = false
        continue
      }
      if byte == 10 { showCode(bridge, screen) }
    }
  }

  private static func sentence(_ event: NetworkBridge.BridgeEvent) -> Sentence {
    switch event {
    case .paired(let name, let address): "Paired “\(name)” at \(address), for 12 hours."
    case .wrongCode(let address, let left): "A wrong code came from \(address). \(left, "guess", "guesses") left."
    case .codeEnded(let address): "A wrong code came from \(address). The code has ended; Enter shows another."
    case .newAddress(let name, let address): "“\(name)” has a new address: \(address)."
    case .addressGone: "This host does not have the address now. The bridge waits for it, and moves to no other network."
    case .addressBack: "The address is back."
    }
  }
}
