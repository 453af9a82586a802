// Tests the settings file of gameconf-fetch: its defaults, and every fault with its position.

import GameConfCore
import Testing

@testable import gameconf_fetch

@Suite("Settings file of gameconf-fetch")
struct FetchSettingsTests {
  private func settings(_ text: String, credentials: String? = "/run/credentials/f") -> FetchSettings {
    FetchSettings(NamedFile(name: "fetch.yaml", bytes: Array(text.utf8)), credentials: credentials)
  }

  @Test("the settings file names one source per game, and an absent setting has its default")
  func whole() throws {
    let read = settings(
      """
      games:
        dots: {https: "https://config.example.org/dots.json?token=s3cret"}
        darts:
          firebase: server
          project: my-darts
          key: darts
          interval: 1h
          timeout: 10s
          max_bytes: 4096
          ca_file: /etc/ssl/own.pem
          proxy: http://proxy.example.org:3128/
      """)
    #expect(read.faults.isEmpty, "\(read.faults)")
    let (dots, darts) = (try #require(read.sources.first), try #require(read.sources.last))
    #expect(dots.game == "dots" && dots.shown == "https://config.example.org/dots.json", "a query may hold a token")
    #expect(dots.intervalMilliseconds == 900_000 && dots.timeoutMilliseconds == 30_000 && dots.bytesMax == 1 << 20)
    #expect(darts.intervalMilliseconds == 3_600_000 && darts.timeoutMilliseconds == 10_000 && darts.bytesMax == 4096)
    #expect(darts.authoritiesFile == "/etc/ssl/own.pem")
    #expect(dots.proxy == nil && darts.proxy?.text == "http://proxy.example.org:3128/")
    guard case .firebase(let firebase) = darts.kind else { throw Failure() }
    #expect(firebase.keyFile == "/run/credentials/f/darts" && firebase.tokenAddress == nil)
    #expect(
      firebase.target
        == "https://firebaseremoteconfig.googleapis.com/v1/projects/my-darts/namespaces/firebase-server/remoteConfig")
  }

  private struct Failure: Error {}

  @Test(
    "a faulty settings file is rejected with line and column",
    arguments: [
      ("games: {dots: {https: \"https://a.example\", firebase: client}}", "1:15: The game has two sources"),
      ("games:\n  dots:\n    - https: https://a.example\n    - https: https://b.example\n", "3:5: A game has one source"),
      ("games:\n  dots: {https: \"https://a\"}\n  dots: {https: \"https://b\"}\n", "3:3: "),
      ("games:\n  dots: {https: \"http://a.example/t\"}\n", "2:17: “http://” is for this machine's loopback only"),
      ("games:\n  dots: {https: /run/gameconfd/games.sock}\n", "2:17: An address begins with “https://”; a path or a socket"),
      ("games:\n  dots: {https: \"unix:///run/gameconfd/games.sock\"}\n", "2:17: An address begins with “https://”, not “unix://”"),
      ("games:\n  dots: {https: \"https://me:pw@a.example\"}\n", "2:17: An address has no user"),
      ("games:\n  dots: {firebase: clients, project: p, key: /k}\n", "2:20: “firebase” is client or server"),
      ("games:\n  dots: {firebase: client, project: p}\n", "2:9: “firebase” needs “project”"),
      ("games:\n  dots: {firebase: client, project: a/b, key: /k}\n", "2:37: A project's id"),
      ("games:\n  dots: {firebase: client, project: p, key: ../k}\n", "2:45: A key is an absolute path"),
      ("games:\n  dots: {https: \"https://a\", key: /k}\n", "2:35: “key” is for “firebase”"),
      ("games:\n  dots: {https: \"https://a\", interval: 9s}\n", "2:40: “interval” is from 10s to 7d"),
      ("games:\n  dots: {https: \"https://a\", interval: often}\n", "2:40: “often” is not a length of time"),
      ("games:\n  dots: {https: \"https://a\", timeout: 301s}\n", "2:39: “timeout” is from 100ms to 5m"),
      ("games:\n  dots: {https: \"https://a\", max_bytes: 1048577}\n", "2:41: “max_bytes” is a number from 1024 to 1048576"),
      ("games:\n  dots: {https: \"https://a\", intervall: 1h}\n", "2:41: A source has no “intervall”. Did you mean"),
      ("games:\n  dots: {https: \"https://a\", ca_file: ca.pem}\n", "2:39: “ca_file” is an absolute path"),
      ("games:\n  dots: {https: \"https://a\", proxy: a.example}\n", "2:37: A proxy begins with “http://” or “https://”"),
      ("games:\n  dots: {https: \"https://a\", proxy: \"socks5://a.example\"}\n", "2:37: A proxy begins with “http://” or “https://”"),
      ("games:\n  dots: {https: \"https://a\", proxy: \"http://me:pw@a.example\"}\n", "2:37: A proxy has no user and no password"),
      ("games:\n  dots: {https: \"https://a\", proxy: \"http://a.example/b\"}\n", "2:37: A proxy is a host"),
      ("games:\n  dots: {https: \"https://a\", proxy: \"http://:8080\"}\n", "2:37: A proxy is a host"),
      ("games:\n  dots: {https: \"http://localhost/t\", proxy: \"http://a.example\"}\n", "2:46: “proxy” is for “https://”"),
      ("games:\n  Dots: {https: \"https://a\"}\n", "2:9: “Dots” cannot be the id of a game"),
      ("game: {}\n", "1:7: There is no setting “game”"),
      ("- a\n", "1:1: The file must be a mapping"),
      ("games: {dots: }\n", "1:15: A source is {https: ADDRESS}"),
    ])
  func refused(text: String, says: String) {
    let read = settings(text)
    #expect(read.sources.isEmpty)
    #expect(read.faults.contains { $0.description.hasPrefix("fetch.yaml:" + says) }, "\(read.faults)")
  }

  @Test("a source whose key is a systemd credential requires $CREDENTIALS_DIRECTORY")
  func credential() {
    let text = "games: {dots: {firebase: client, project: p, key: dots}}"
    #expect(settings(text, credentials: nil).faults.first?.message.contains("$CREDENTIALS_DIRECTORY") == true)
    #expect(settings(text).faults.isEmpty)
  }

  @Test(
    "each numeric setting accepts its limits and rejects values just beyond them",
    arguments: [
      ("interval: 10s", true), ("interval: 9999ms", false), ("interval: 7d", true), ("interval: 7d1ms", false), ("timeout: 100ms", true),
      ("timeout: 99ms", false), ("timeout: 5m", true), ("timeout: 5m1ms", false), ("max_bytes: 1024", true), ("max_bytes: 1023", false),
      ("max_bytes: 1048576", true),
    ])
  func edges(line: String, isTaken: Bool) {
    #expect(settings("games: {dots: {https: \"https://a\", \(line)}}").faults.isEmpty == isTaken)
  }

  @Test("a source on the loopback interface may use plain HTTP and a short interval")
  func loopback() {
    for host in ["localhost", "127.0.0.1:8080", "[::1]:9", "127.8.8.8"] {
      #expect(settings("games: {dots: {https: \"http://\(host)/t\", interval: 100ms}}").faults.isEmpty, "\(host)")
    }
    for host in ["127.0.0.1.example.org", "localhost.example.org", "127.0.0.256", "[::2]", "128.0.0.1", "localhost@evil.example"] {
      #expect(!settings("games: {dots: {https: \"http://\(host)/t\"}}").faults.isEmpty, "\(host)")
    }
    #expect(!settings("games: {dots: {https: \"http://localhost/t\", interval: 99ms}}").faults.isEmpty)
  }

  @Test("a settings file has at most 100 sources")
  func many() {
    let text = { (count: Int) in "games:\n" + (0..<count).map { "  g\($0): {https: \"https://a.example\"}\n" }.joined() }
    #expect(settings(text(100)).sources.count == 100 && settings(text(100)).faults.isEmpty)
    #expect(!settings(text(101)).faults.isEmpty)
  }
}
