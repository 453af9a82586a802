// Calls that wait for a change and have long answers.

import GameConfCore
import Glibc
import Testing

@Suite("Calls that wait for a change")
struct WaitingCallTests {
  private static func catalog(_ keys: Int, first: Int) -> String {
    let rest = (1..<keys).map { "  k\($0): {type: integer, default: \($0), section: P, description: A number.}" }
    return "gameconf: 1\ngame: mine\ntitle: Mine\nlocales: [en]\nparameters:\n"
      + (["  k0: {type: integer, default: \(first), section: P, description: A number.}"] + rest).joined(separator: "\n") + "\n"
  }

  /// Returns the number of evaluations of the game's values, from the daemon's metrics.
  private func valuesSent(_ daemon: RunningDaemon) throws -> Int {
    let text = String(decoding: try daemon.ask("GET", "/metrics", admin: true).body, as: UTF8.self)
    return text.split(separator: "\n").filter { $0.hasPrefix("gameconf_evaluations_total{") && $0.contains("game=\"mine\"") }
      .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }.reduce(0, +)
  }

  private func waiting(_ daemon: RunningDaemon) throws -> Int64? {
    try daemon.ask("GET", "/v1/status", admin: true).json["watchers"]?["calls"]?.integerValue
  }

  private func connections(_ daemon: RunningDaemon) throws -> Int? {
    let text = String(decoding: try daemon.ask("GET", "/metrics", admin: true).body, as: UTF8.self)
    return text.split(separator: "\n").first { $0.hasPrefix("gameconf_connections{") && $0.contains("games") }
      .flatMap { $0.split(separator: " ").last.flatMap { Int($0) } }
  }

  @Test("a waiting call whose client has disconnected is not answered: no details of keys are evaluated for it")
  func gone() throws {
    let keys = 1_000
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Self.catalog(keys, first: 1)])
    let config = "/v1/games/mine/config?detail=full"
    let id = try #require(try daemon.ask("GET", config).headers["gameconf-id"])
    let call = "GET \(config)&wait=60&after=\(id) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let before = try valuesSent(daemon)
    var leaving: [RawConnection] = []
    for _ in 0..<16 {
      leaving.append(try RawConnection(daemon.gamesSocket))
      leaving.last?.send(call)
    }
    while try waiting(daemon) != 16 {}
    // The daemon may notice a moment later that an earlier connection is closed.
    while try connections(daemon) != 16 {}
    leaving = []
    while try connections(daemon) != 0 {}
    // This client is the last. Evaluations for the disconnected clients, which must not happen, would be counted before its answer.
    let staying = try RawConnection(daemon.gamesSocket)
    staying.send(call)
    while try waiting(daemon) != 17 {}
    let path = "/v1/games/mine/overrides/k0"
    #expect(try daemon.ask("PUT", path, body: ["value": 7], admin: true).status == 201)
    let answer = try #require(staying.answer())
    #expect(answer.status == 200 && answer.json["values"]?["k0"]?["value"] == 7, "\(answer.text.prefix(300))")
    #expect(answer.json["values"]?.objectValue?.count == keys)
    let valuesSent = try valuesSent(daemon) - before
    #expect(valuesSent == keys, "\(valuesSent) of \(keys)")
  }

  @Test("a call that waits for a game that is removed is answered", arguments: ["", "&detail=full"])
  func served(detail: String) throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Self.catalog(3, first: 1), "other.yaml": Self.other])
    let config = "/v1/games/mine/config"
    let id = try #require(try daemon.ask("GET", config).headers["gameconf-id"])
    let call = try RawConnection(daemon.gamesSocket)
    call.send("GET \(config)?wait=60&after=\(id)\(detail) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    while try waiting(daemon) != 1 {}
    #expect(unlink(daemon.folder.path + "/games/mine.yaml") == 0)
    #expect([200, 204].contains(try daemon.ask("DELETE", "/v1/games/mine", admin: true).status))
    #expect(call.answer()?.status == 304)
    #expect(try daemon.ask("GET", config).status == 404)
  }

  private static let other = """
    gameconf: 1
    game: other
    title: Other
    locales: [en]
    parameters:
      a: {type: integer, default: 1, section: P, description: A number.}
    """
}
