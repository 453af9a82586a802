// gameconfctl bridge

import ArgumentParser
import GameConfAPI
import GameConfCore
import GameConfTransport
import Glibc

struct BridgeRun: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge", abstract: "Listen on 127.0.0.1 for clients that cannot open a Unix socket, until interrupted.",
    discussion: """
      Requests are passed on in your name. Each needs the token: as Authorization: Bearer, X-API-Key, x-goog-api-key, ?key= or as the
      path's beginning /t/TOKEN, for clients that cannot send headers. The token is read from --token-file or GAMECONF_BRIDGE_TOKEN, so that no \
      list of processes shows it. Without either, a new token is made each time.

      With --revenuecat, requests of RevenueCat's clients that carry the game's key need no token: set their proxy URL to
      http://127.0.0.1:PORT. gameconfctl iap key prints a key.

      With --network it listens on a private address of this host instead, for phones on the same network, and passes on the games' calls of one \
      game. A phone pairs with the code that is shown, by scanning it. What passes is plain HTTP.
      """, subcommands: [BridgeDevices.self])

  @Option(help: ArgumentHelp("The port; 0 for any.", valueName: "number")) var port = 0
  @Option(help: ArgumentHelp("A browser origin to allow, such as http://localhost:5173; may be repeated.", valueName: "origin"))
  var origin: [String] = []
  @Flag(help: "Pass requests on to the admin socket; with --socket, to that socket.") var admin = false
  @Option(help: ArgumentHelp("The file that holds the token; - is standard input.", valueName: "path"), completion: .file())
  var tokenFile: String?
  @Option(
    help: ArgumentHelp(
      "A game for RevenueCat's clients, with the file that holds their API key; - is standard input. May be repeated.",
      valueName: "game=path"), completion: .file())
  var revenuecat: [String] = []
  @Flag(help: "Listen for phones on a private address of this host.") var network = false
  @Option(help: ArgumentHelp("The game that phones are paired with; with --network.", valueName: "game"), completion: .games) var game:
    String?
  @Option(help: ArgumentHelp("The address to listen on, where the host has several; with --network.", valueName: "address")) var address:
    String?
  @Option(help: ArgumentHelp("The player that a phone is to use; with --network.", valueName: "id"), completion: .players) var player:
    String?
  @Option(help: ArgumentHelp("The scheme of the link that opens the game; its id if left out.", valueName: "scheme")) var scheme: String?
  @Flag(help: ArgumentHelp("End with the program that started it.", visibility: .hidden)) var untilParentEnds = false
  @OptionGroup var connection: ConnectionOptions

  static let tokenBytesMin = 16
  static let tokenVariable = "GAMECONF_BRIDGE_TOKEN"

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535") }
    try validateNetwork()
    if admin, !revenuecat.isEmpty {
      throw ValidationError("--revenuecat and --admin exclude each other: a key that is in an app would open the admin socket")
    }
  }

  func run(on console: Console) async throws {
    if network { return try await runOnNetwork(console, try givenKeys()) }
    let socketClient = try Self.socketClient(of: console.daemon, isAdmin: admin)
    let token = try givenToken() ?? RandomText.hexadecimal()
    let keys = try givenKeys()
    let bridge: Bridge
    do throws(Fault) {
      bridge = try Bridge(port: port, to: socketClient.path, token: token, origins: Set(origin), revenueCat: keys)
    } catch { throw CtlFailure.refused(["\(error.message)"]) }
    console.screen.line("http://127.0.0.1:\(bridge.port)/t/\(token)")
    for entry in keys.entries {
      console.screen.note("RevenueCat's clients of \(entry.game): proxy URL http://127.0.0.1:\(bridge.port)")
    }
    if let connection = BlockingSocket.connect(to: socketClient.path) {
      close(connection)
    } else {
      console.screen.note("no daemon answers on \(socketClient.path) yet; until one does, requests get 502")
    }
    bridge.run()
  }

  /// Returns the bridge's token from the given file or from the environment; nil if neither is given.
  func givenToken() throws(CtlFailure) -> String? {
    let source: String
    let token: String
    if let tokenFile {
      source = tokenFile
      token = String(decoding: try FileBytes.read(tokenFile), as: UTF8.self).filter { !$0.isNewline }
    } else if let variable = Console.variable(Self.tokenVariable), !variable.isEmpty {
      (source, token) = (Self.tokenVariable, variable)
    } else {
      return nil
    }
    guard token.utf8.count >= Self.tokenBytesMin, token.utf8.allSatisfy({ Self.isTokenByte($0) }) else {
      throw .usage("the token in \(source) must have at least \(Self.tokenBytesMin) letters, digits, - or _")
    }
    return token
  }

  /// Returns the API keys of RevenueCat's clients from the files that the command line names.
  func givenKeys() throws(CtlFailure) -> RevenueCatKeys {
    var keys = RevenueCatKeys()
    for given in revenuecat {
      let parts = given.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw .usage("--revenuecat is “\(given)”; write the game, = and the file that holds the key: kidsdoku2=key.txt")
      }
      let key = String(decoding: try FileBytes.read(parts[1]), as: UTF8.self).filter { !$0.isNewline }
      do throws(Fault) { try keys.add(key, of: parts[0], from: parts[1]) } catch { throw .usage("\(error.message)") }
    }
    return keys
  }

  /// Returns the socket to which the bridge forwards requests: the daemon's admin or games socket, or the socket of `--socket`.
  static func socketClient(of daemon: DaemonClient, isAdmin: Bool) throws(CtlFailure) -> DaemonClient.SocketClient {
    guard let socketClient = daemon.socketClients.first(where: { $0.answers([isAdmin ? .admin : .games]) }) else { throw .noDaemon([]) }
    return socketClient
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
