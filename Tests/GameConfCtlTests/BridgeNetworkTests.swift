// The bridge for phones without a network: its codes, devices, gate, addresses, and the QR code of its link.

import GameConfCore
import Testing

@testable import gameconfctl

@Suite("A bridge for phones")
struct NetworkBridgeTests {
  static let phone: UInt32 = 0x0A4D_1302
  static let stranger: UInt32 = 0x0A4D_1303

  /// Returns a state with one device, paired at the time 0.
  private static func paired() throws -> DevicePairing {
    var pairing = DevicePairing()
    pairing.open("ABCD2345", now: 0)
    guard case .paired = pairing.pair(code: "abcd2345", name: "Ana's phone", from: phone, token: "token", now: 0) else {
      throw CtlFailure.usage("the right code was refused")
    }
    return pairing
  }

  @Test("a pairing code pairs one device within two minutes, in upper or lower case")
  func code() throws {
    var pairing = try Self.paired()
    #expect(pairing.devices.map(\.name) == ["Ana's phone"])
    let outcome1 = pairing.pair(code: "ABCD2345", name: "", from: Self.stranger, token: "other", now: 1)
    #expect(outcome1 == .noCode)
    pairing.open("BBBBBBBB", now: 1_000)
    #expect(pairing.hasCode(now: 120_999) && !pairing.hasCode(now: 121_000))
    let outcome2 = pairing.pair(code: "BBBBBBBB", name: "", from: Self.phone, token: "late", now: 121_000)
    #expect(outcome2 == .noCode)
  }

  @Test("five wrong guesses close a pairing code, and a text of another length counts as a guess")
  func guesses() {
    var pairing = DevicePairing()
    pairing.open("ABCD2345", now: 0)
    let outcomes = ["", "ABCD234", "ABCD23456", "ABCD2346", "AAAAAAAA", "ABCD2345"].map {
      pairing.pair(code: $0, name: "", from: Self.stranger, token: "t", now: 1)
    }
    #expect(outcomes == [.wrong(guessesLeft: 4), .wrong(guessesLeft: 3), .wrong(guessesLeft: 2), .wrong(guessesLeft: 1), .ended, .noCode])
  }

  @Test("a seventeenth device is refused, and its pairing code stays open until another device is removed")
  func full() {
    var pairing = DevicePairing()
    for number in 0...DevicePairing.devicesMax {
      pairing.open("ABCD2345", now: 0)
      let outcome = pairing.pair(code: "ABCD2345", name: "", from: Self.phone, token: "t\(number)", now: 0)
      #expect((outcome == .full) == (number == DevicePairing.devicesMax))
    }
    let removals = [pairing.remove(device: 1), pairing.remove(device: 1)]
    #expect(removals == [true, false])
    let outcome = pairing.pair(code: "ABCD2345", name: "", from: Self.phone, token: "t", now: 0)
    #expect(outcome != .full)
  }

  @Test("a device's token expires after twelve hours, which include the host's sleep, and when the device is removed")
  func ends() throws {
    var pairing = try Self.paired()
    let end = DevicePairing.tokenMilliseconds
    let outcome3 = pairing.admit(token: "token", from: Self.phone, now: end - 1)
    #expect(outcome3 == .admitted(device: 1, isNewAddress: false))
    // The host has slept past the end of the token, which is an hour ago.
    let outcome4 = pairing.admit(token: "token", from: Self.phone, now: end + 3_600_000)
    #expect(outcome4 == .unknown)
    #expect(pairing.devices.isEmpty && !pairing.isPaired(device: 1, now: end))
    var other = try Self.paired()
    let outcome5 = other.admit(token: "toke", from: Self.phone, now: 1)
    #expect(outcome5 == .unknown)
    let isRemoved = other.remove(device: 1)
    #expect(isRemoved)
    let outcome6 = other.admit(token: "token", from: Self.phone, now: 1)
    #expect(outcome6 == .unknown)
  }

  @Test("a new IP address of a paired device is accepted and reported once")
  func address() throws {
    var pairing = try Self.paired()
    let outcome7 = pairing.admit(token: "token", from: Self.stranger, now: 1)
    #expect(outcome7 == .admitted(device: 1, isNewAddress: true))
    let outcome8 = pairing.admit(token: "token", from: Self.phone, now: 2)
    #expect(outcome8 == .admitted(device: 1, isNewAddress: false))
    #expect(pairing.devices[0].addresses == [Self.phone, Self.stranger])
  }

  @Test("a paired device may have eight connections at a time and send sixty requests a second")
  func bounds() throws {
    var pairing = try Self.paired()
    for _ in 0..<DevicePairing.connectionsMax {
      let outcome9 = pairing.admit(token: "token", from: Self.phone, now: 1)
      #expect(outcome9 == .admitted(device: 1, isNewAddress: false))
    }
    let outcome10 = pairing.admit(token: "token", from: Self.phone, now: 1)
    #expect(outcome10 == .tooMany)
    pairing.leave(device: 1)
    for _ in DevicePairing.connectionsMax..<DevicePairing.requestsMax {
      let outcome11 = pairing.admit(token: "token", from: Self.phone, now: 1)
      #expect(outcome11 == .admitted(device: 1, isNewAddress: false))
      pairing.leave(device: 1)
    }
    let outcome12 = pairing.admit(token: "token", from: Self.phone, now: 999)
    #expect(outcome12 == .tooMany)
    let outcome13 = pairing.admit(token: "token", from: Self.phone, now: 1_000)
    #expect(outcome13 == .admitted(device: 1, isNewAddress: false))
  }

  @Test("a RevenueCat key without a token is accepted for ten minutes, from the IP address of a device's last request")
  func vouching() throws {
    var pairing = try Self.paired()
    let outcome14 = pairing.admit(from: Self.stranger, now: 1)
    #expect(outcome14 == .unknown)
    let outcome15 = pairing.admit(from: Self.phone, now: DevicePairing.addressMilliseconds - 1)
    #expect(outcome15 == .admitted(device: 1, isNewAddress: false))
    // A request with a key does not extend the time for which its address is trusted.
    let outcome16 = pairing.admit(from: Self.phone, now: DevicePairing.addressMilliseconds)
    #expect(outcome16 == .unknown)
  }

  @Test("a paired device's name is cut to the limit, and an empty name is replaced")
  func names() {
    var pairing = DevicePairing()
    for (name, wanted) in [(String(repeating: "é", count: 5_000), String(repeating: "é", count: 32)), ("  ", "phone 2")] {
      pairing.open("ABCD2345", now: 0)
      guard case .paired(let device) = pairing.pair(code: "ABCD2345", name: name, from: Self.phone, token: name, now: 0) else {
        Issue.record("a device was not paired")
        continue
      }
      #expect(device.name == wanted)
    }
  }

  private static let gate = NetworkGate(game: "wheresthedot", host: "10.77.19.1:8014", revenueCat: RevenueCatKeys())

  private static func head(_ target: String, method: String = "GET", _ fields: String = "Authorization: Bearer token") -> String {
    "\(method) \(target) HTTP/1.1\r\nHost: 10.77.19.1:8014\r\n\(fields)"
  }

  @Test(
    "the network bridge forwards exactly the target that it has checked",
    arguments: [
      ("/v1/games/wheresthedot/config", "/v1/games/wheresthedot/config"),
      ("/t/token/v1/games/wheresthedot/config/k", "/v1/games/wheresthedot/config/k"),
      ("/v1/%67ames/wheresthedot/config/a%3Ab", "/v1/games/wheresthedot/config/a:b"),
      ("/v1/games/wheresthedot/config?player=a%2Fb&keys=k", "/v1/games/wheresthedot/config?player=a%2Fb&keys=k"),
      ("/v1/games/wheresthedot/ads/x/show?key=y", "/v1/games/wheresthedot/ads/x/show?key=y"),
    ])
  func target(given: String, sent: String) {
    guard case .pass(let token, let head) = Self.gate.judge(Self.head(given)) else {
      Issue.record("\(given) was refused")
      return
    }
    #expect(token == "token")
    #expect(head.hasPrefix("GET \(sent) HTTP/1.1\r\nHost: localhost\r\n") && !head.lowercased().contains("authorization"))
  }

  @Test(
    "the network bridge forwards no path outside of its game, in any encoding",
    arguments: [
      "/v1/games", "/v1/games/wheresthedot", "/v1/games/kidsdoku2/config", "/v1/games/wheresthedot/../kidsdoku2/config",
      "/v1/games/wheresthedot/%2e%2e/x", "/v1/games/wheresthedot%2Fconfig", "/v1//games/wheresthedot/config",
      "//v1/games/wheresthedot/config",
      "/v1/games/wheresthedot/config/%00", "/v1/games/wheresthedot/config/%zz", "/v1/games/wheresthedot/config/%5C..", "/openapi.json",
      "/v1/games/wheresthedot/config#x", "/v1/projects/wheresthedot/remoteConfig", "/ofrep/v1/evaluate/flags", "/v1/games/wheresthedot/",
      "/v1/games/wheresthedot/config?a=%0d%0aX", "/v1/games/WheresTheDot/config",
    ])
  func otherPaths(target: String) {
    guard case .answer(let answer) = Self.gate.judge(Self.head(target)) else {
      Issue.record("\(target) was sent on")
      return
    }
    #expect(answer.hasPrefix("HTTP/1.1 404 "))
  }

  @Test("the network bridge refuses other hosts, web pages, and requests without a token")
  func refusals() {
    func status(_ head: String) -> String {
      guard case .answer(let answer) = Self.gate.judge(head) else { return "passed" }
      return String(answer.dropFirst(9).prefix(3))
    }
    let target = "/v1/games/wheresthedot/config"
    #expect(status(Self.head(target, "X: y")) == "401")
    #expect(status(Self.head(target, "Authorization: Bearer token\r\nOrigin: http://10.77.19.1:8014")) == "403")
    #expect(status(Self.head(target, "Authorization: Bearer token\r\nSec-Fetch-Site: same-site")) == "403")
    #expect(status("GET \(target) HTTP/1.1\r\nHost: phone.example:8014\r\nAuthorization: Bearer token") == "421")
    #expect(status(Self.head("/v1/games/wheresthedot/players/p/bests", method: "DELETE")) == "404")
    #expect(status(Self.head("/pair", method: "POST", "Content-Type: text/plain\r\nContent-Length: 2")) == "415")
    #expect(status(Self.head("/pair", method: "POST", "Content-Type: application/json\r\nContent-Length: 2000")) == "413")
    #expect(
      Self.gate.judge(Self.head("/pair", method: "POST", "Content-Type: application/json\r\nContent-Length: 20")) == .pair(bodyBytes: 20))
  }

  @Test("the network bridge accepts a RevenueCat key of its own game, and refuses a key of another game")
  func keys() throws {
    var keys = RevenueCatKeys()
    try keys.add("test_0123456789abcdefghij", of: "wheresthedot", from: "a")
    try keys.add("test_9876543210abcdefghij", of: "kidsdoku2", from: "b")
    let gate = NetworkGate(game: "wheresthedot", host: "10.77.19.1:8014", revenueCat: keys)
    guard case .passByKey(let head) = gate.judge(Self.head("/v1/subscribers/p%2F1", "Authorization: Bearer test_0123456789abcdefghij"))
    else {
      Issue.record("the key was refused")
      return
    }
    #expect(head.hasPrefix("GET /v1/games/wheresthedot/revenuecat/v1/subscribers/"))
    guard case .answer = gate.judge(Self.head("/v1/subscribers/p", "Authorization: Bearer test_9876543210abcdefghij")) else {
      Issue.record("a key of another game passed")
      return
    }
  }

  @Test(
    "the network bridge listens on the given private address, or on the host's only one",
    arguments: [
      (nil, ["192.168.1.20/24"], "192.168.1.20"), (nil, [], "no private IPv4 address"),
      (nil, ["10.0.0.1/8", "192.168.1.20/24"], "several private"),
      ("10.0.0.1", ["10.0.0.1/8", "192.168.1.20/24"], "10.0.0.1"), ("10.0.0.2", ["10.0.0.1/8"], "not an address of this host"),
      ("8.8.8.8", ["10.0.0.1/8"], "not a private address"), ("::1", [], "IPv4 address"), ("10.0.0.01", ["10.0.0.1/8"], "IPv4 address"),
      ("localhost", [], "IPv4 address"),
    ] as [(String?, [String], String)])
  func choice(wanted: String?, host: [String], says: String) throws {
    let addresses = try host.map { text in
      let parts = text.split(separator: "/").map(String.init)
      return NetworkAddress(
        bits: try #require(NetworkAddress.bits(of: parts[0])), prefixLength: try #require(Int(parts[1])), interface: "eth0")
    }
    do throws(Fault) {
      #expect(try NetworkAddress.choose(wanted, among: addresses).text == says)
    } catch {
      #expect(error.message.contains(says))
    }
  }

  @Test("private IPv4 ranges and subnets are recognized exactly at their boundaries")
  func ranges() throws {
    func bits(_ text: String) throws -> UInt32 { try #require(NetworkAddress.bits(of: text)) }
    for text in ["10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "100.64.0.0", "100.127.255.255"] {
      #expect(NetworkAddress.isPrivate(try bits(text)), "\(text)")
    }
    for text in ["9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "192.169.0.0", "100.63.255.255", "100.128.0.0", "127.0.0.1"] {
      #expect(!NetworkAddress.isPrivate(try bits(text)), "\(text)")
    }
    let own = NetworkAddress(bits: try bits("192.168.1.20"), prefixLength: 24, interface: "wlan0")
    #expect(own.isNeighbour(try bits("192.168.1.255")))
    #expect(!own.isNeighbour(try bits("192.168.2.1")))
  }

  @Test("a pairing link of up to 106 bytes gets a QR code, and a longer one gets no code")
  func picture() throws {
    #expect(QRCode(String(repeating: "x", count: QRCode.textBytesMax + 1)) == nil)
    let code = try #require(QRCode("wheresthedot://gameconf?address=192.168.1.20:43211&code=ABCD2345"))
    // The three finder patterns, and the module that is always dark.
    for (row, column) in [(0, 0), (0, 36), (36, 0), (3, 3), (3, 33), (33, 3), (29, 8)] { #expect(code.isDark(row: row, column: column)) }
    #expect(!code.isDark(row: -1, column: 0) && !code.isDark(row: 7, column: 7))
    #expect(code.terminalText.split(separator: "\n").count == 23)
    #expect(code.svg.hasPrefix("<svg ") && !code.svg.contains("script"))
  }
}
