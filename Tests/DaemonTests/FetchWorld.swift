// A daemon, a server of templates, and gameconf-fetch between the two.

import GameConfCore
import Glibc
import Testing

/// The template server in `Tests/Clients/python/template_server.py`.
final class TemplateServer {
  let folder: TemporaryFolder
  let process: ChildProcess
  let port: String
  /// The port with an expired certificate.
  let expiredPort: String
  /// The port of a proxy that tunnels to the other two.
  let proxyPort: String
  /// The port without TLS.
  let plainPort: String

  init() throws {
    folder = try TemporaryFolder()
    process = try ChildProcess("/usr/bin/env", ["python3", Built.tree + "/Tests/Clients/python/template_server.py", folder.path])
    let words = try #require(process.waitForLine(containing: "ready")?.last).split(separator: " ").map(String.init)
    try #require(words.count == 5)
    (port, expiredPort, proxyPort, plainPort) = (words[1], words[2], words[3], words[4])
  }

  /// Sets the server's behaviour from the next request on.
  func does(_ way: Value) throws {
    try folder.write(JSONWriter.bytes(way), to: "way.made")
    try #require(rename(folder.path + "/way.made", folder.path + "/way") == 0)
  }

  /// Serves a template in Firebase's form with this speed.
  func gives(_ speed: String) throws { try does(["do": "document", "document": .string(Self.document(speed))]) }

  static func document(_ speed: String) -> String { "{\"parameters\": {\"speed\": {\"defaultValue\": {\"value\": \"\(speed)\"}}}}" }

  /// Returns the requests so far.
  func requests() throws -> [Value] { try lines(of: "requests") }

  /// Returns the requests for tunnels to its proxy so far.
  func tunnels() throws -> [Value] { try lines(of: "tunnels") }

  private func lines(of name: String) throws -> [Value] {
    let text = String(decoding: TemporaryFolder.read(folder.path + "/" + name) ?? [], as: UTF8.self)
    return try text.split(separator: "\n").map { try JSONReader.value(from: String($0)) }
  }
}

/// A daemon, a server and gameconf-fetch.
final class FetchWorld {
  let daemon: RunningDaemon
  let server: TemplateServer
  private(set) var fetch: ChildProcess
  private let arguments: [String]
  private let environment: [String: String]

  /// - Parameters:
  ///   - source: The source of the game `mine` in the settings. PORT, EXPIRED, PROXY, PLAIN and FOLDER are replaced by the server's.
  ///   - environment: The environment of gameconf-fetch, with PROXY replaced. The test's own proxy variables are removed.
  init(
    _ source: String = "https: https://localhost:PORT/t.json, ", interval: String = "100ms", catalog: String = Mine.catalog,
    environment: [String: String] = [:]
  ) throws {
    server = try TemplateServer()
    daemon = try RunningDaemon(catalogs: ["mine.yaml": catalog])
    let text = source.replacing("PORT", with: server.port).replacing("EXPIRED", with: server.expiredPort)
      .replacing("PROXY", with: server.proxyPort).replacing("PLAIN", with: server.plainPort).replacing("FOLDER", with: server.folder.path)
    let trust = source.contains("ca_file") ? "" : "ca_file: \(server.folder.path)/ca.pem, "
    try daemon.folder.write("games:\n  mine: {\(text)\(trust)interval: \(interval), timeout: 10s}\n", to: "fetch.yaml")
    arguments = ["--config", daemon.folder.path + "/fetch.yaml", "--socket", daemon.adminSocket]
    try server.gives("3")
    let proxyPort = server.proxyPort
    let none = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"].map { ($0, "") }
    self.environment = Dictionary(none) { $1 }.merging(environment.mapValues { $0.replacing("PROXY", with: proxyPort) }) { $1 }
    fetch = try ChildProcess(Built.fetch, arguments, environment: self.environment)
  }

  /// Kills gameconf-fetch and starts it again without memory.
  func restartFetch() throws {
    fetch.signal(SIGKILL)
    _ = fetch.waitForEnd()
    fetch = try ChildProcess(Built.fetch, arguments, environment: environment)
  }

  func speed() throws -> Value? { try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] }

  /// Waits for a condition of the daemon or of the server.
  func waits(until holds: () throws -> Bool) rethrows -> Bool {
    try daemon.waits(seconds: 60, watching: [server.folder.path], until: holds)
  }

  func waits(for speed: Value) throws { #expect(try waits { try self.speed() == speed }, "\(speed) never comes") }

  /// Returns the faults of the template in status.
  func wrong() throws -> [String] {
    let game = try daemon.read(at: "/v1/status", admin: true)["games"]?.listValue?.first
    return game?["template"]?["wrong"]?.listValue?.compactMap(\.stringValue) ?? []
  }

  func source() throws -> Value { try daemon.read(at: "/v1/games/mine/template/versions", admin: true)["source"] ?? .null }

  /// Waits until gameconf-fetch has sent this many more requests.
  func waitsForRequests(_ count: Int) throws {
    let before = try server.requests().count
    #expect(try waits { try server.requests().count >= before + count }, "it asks no more")
  }

  /// Waits for the single log line of a failure.
  func fails(_ words: String, _ way: String) throws {
    let lines = try #require(fetch.waitForLine(containing: "template not fetched from"), "\(way) is no failure")
    #expect(lines.last?.contains(words) == true, "\(way): \(lines)")
    #expect(lines.filter { $0.contains("template") }.count == 1, "\(way): \(lines)")
  }

  /// Waits for the log line of the recovery, with no other line since the failure.
  func recovers(_ way: String) throws {
    let lines = try #require(fetch.waitForLine(containing: "template fetched again"), "\(way) stays")
    #expect(lines.count == 1, "\(way): \(lines)")
    #expect(try wrong().isEmpty, "\(way)")
  }
}
