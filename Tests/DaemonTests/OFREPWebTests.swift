// OpenFeature's own provider for the web, unmodified, through the bridge.

import GameConfCore
import Glibc
import Testing

/// The bundled third-party programs in the folder that `GAMECONF_CLIENTS` names.
enum ForeignClients {
  /// OpenFeature's OFREP provider for the web with its SDK; nil, with a printed note, if it cannot run.
  static let ofrepWeb: String? = {
    let path = getenv("GAMECONF_CLIENTS").map { String(cString: $0) + "/ofrep-web/web.js" }
    if let path, access(path, R_OK) == 0, runsNode(["--version"]) { return path }
    print("GAMECONF_CLIENTS has no ofrep-web/web.js, or there is no node: OpenFeature's provider for the web is NOT run")
    return nil
  }()

  /// The option that enables the EventSource of Node.js. Without the option, the tests' own implementation is used.
  static let eventSource =
    runsNode(["--experimental-eventsource", "--version"])
    ? ["--experimental-eventsource"] : ["--require", Built.tree + "/Tests/Clients/web/eventsource.cjs"]

  private static func runsNode(_ arguments: [String]) -> Bool {
    (try? ChildProcess("/usr/bin/env", ["node"] + arguments).waitForEnd().status) == 0
  }
}

@Suite("OpenFeature's provider for the web")
struct OFREPWebTests {
  @Test(
    "OpenFeature's web provider is notified through the bridge of a change and its undo, without polling",
    .enabled(if: ForeignClients.ofrepWeb != nil, "GAMECONF_CLIENTS has no ofrep-web, or there is no node"))
  func followed() throws {
    let program = try #require(ForeignClients.ofrepWeb)
    let daemon = try RunningDaemon()
    let token = "TokenTokenToken1"
    let environment = [
      "GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket, "GAMECONF_BRIDGE_TOKEN": token,
    ]
    let bridge = try ChildProcess(Built.control, ["bridge"], environment: environment)
    let base = try #require(bridge.outputLine())
    let client = try ChildProcess(
      "/usr/bin/env", ["node"] + ForeignClients.eventSource + [program, base, token, "wheresthedot", "sse"], environment: environment)
    let ending = client.waitForEnd()
    let words = ending.output.split(separator: "\n").map { String($0.drop { $0 != " " }.dropFirst()) }
    let lines = words.filter { $0.hasPrefix("ConfigurationChanged") || $0.hasPrefix("value ") }
    #expect(ending.status == 0 && lines.count == 5, "\(ending.output)\(ending.errors)")
    #expect(
      lines.map { $0.prefix { $0 != "[" && $0 != "r" } } == ["value 2.5 ", "Configu", "value 7.5 ", "Configu", "value 2.5 "], "\(lines)")
    #expect(!words.contains { $0.hasPrefix("warn") }, "\(words)")
  }
}
