// The panel's gate, codes and files, without a port.
import CPanel
import GameConfAPI
import GameConfCore
import Glibc
import Testing

@testable import gameconfctl

@Suite("The panel's decisions about requests")
struct PanelGateTests {
  private let gate = PanelGate(token: "0123456789abcdef", host: "127.0.0.1:8014")
  private static let host = "Host: 127.0.0.1:8014"
  private static let proof = host + "\r\nAuthorization: Bearer 0123456789abcdef"

  private func status(_ head: String) -> Int? {
    guard case .answer(let answer) = gate.judge(head) else { return nil }
    return answer.status
  }

  @Test(
    "a malformed or unauthorized request is refused",
    arguments: [
      ("GET / HTTP/1.1\r\nHost: evil.example:8014", 421), ("GET / HTTP/1.1\r\nHost: localhost:8014", 421), ("GET / HTTP/1.1", 421),
      ("GET / HTTP/1.1\r\n\(host)\r\n\(host)", 421), ("GET / HTTP/1.1\r\n\(host)\r\nSec-Fetch-Site: same-site", 403),
      ("GET / HTTP/1.1\r\n\(host)\r\nSec-Fetch-Site: cross-site", 403), ("GET / HTTP/1.1\r\n\(host)\r\nService-Worker: script", 403),
      ("GET /v1/games HTTP/1.1\r\n\(proof)\r\nOrigin: null", 403),
      ("GET /v1/games HTTP/1.1\r\n\(proof)\r\nOrigin: http://127.0.0.1:8015", 403),
      ("GET /v1/games HTTP/1.1\r\n\(host)", 401), ("GET /v1/games HTTP/1.1\r\n\(host)\r\nAuthorization: Bearer 0123456789abcdeX", 401),
      ("GET /v1/games?key=0123456789abcdef HTTP/1.1\r\n\(host)", 401),
      ("GET /v1/games HTTP/1.1\r\n\(host)\r\nX-API-Key: 0123456789abcdef", 401), ("POST /v1/reload HTTP/1.1\r\n\(proof)", 404),
      ("GET /v1/store/backup HTTP/1.1\r\n\(proof)", 404), ("GET /v1/games/g/config/image HTTP/1.1\r\n\(proof)", 404),
      ("GET /v1/games//config HTTP/1.1\r\n\(proof)", 404), ("POST /panel/token HTTP/1.1\r\n\(host)\r\nContent-Type: text/plain", 415),
      ("POST /panel/token HTTP/1.1\r\n\(host)\r\nContent-Length: 1025", 413),
      ("PUT /v1/games/g/overrides/k HTTP/1.1\r\n\(proof)\r\nContent-Length: 1048577", 413),
      ("PUT /v1/games/g/overrides/k HTTP/1.1\r\n\(proof)\r\nTransfer-Encoding: chunked", 413), ("TRACE / HTTP/1.1\r\n\(host)", 405),
      ("GET /panel/phone HTTP/1.1\r\n\(host)", 401), ("POST /panel/phone HTTP/1.1\r\n\(host)\r\nContent-Length: 2", 401),
      ("GET /panel/stream HTTP/1.1\r\n\(proof)", 400), ("GET / HTTP/2\r\n\(host)", 400), ("", 400),
    ])
  func refused(head: String, expected: Int) { #expect(status(head) == expected, "\(head)") }

  @Test("the page sends commands to the bridge for phones in a body, and waits until the number of the bridge's state changes")
  func phone() {
    typealias Command = NetworkBridgeProcess.BridgeCommand
    #expect(gate.judge("GET /panel/phone?after=7 HTTP/1.1\r\n\(Self.proof)") == .phone(after: 7))
    #expect(gate.judge("GET /panel/phone HTTP/1.1\r\n\(Self.proof)") == .phone(after: -1))
    #expect(gate.judge("POST /panel/phone HTTP/1.1\r\n\(Self.proof)\r\nContent-Length: 2") == .orderPhone(bodyBytes: 2))
    #expect(Command(["start": "g", "player": "p"]) == .start(game: "g", player: "p", address: nil))
    #expect(Command(["end": 3]) == .end(device: 3) && Command(["code": true]) == .code)
    #expect(Command(["stop": true]) == .stop && Command(["stop": false]) == nil && Command([:]) == nil)
  }

  @Test("the panel's files need no token, a call needs it in a header, and only two headers are forwarded to the daemon")
  func passed() {
    #expect(gate.judge("GET / HTTP/1.1\r\n\(Self.host)\r\nSec-Fetch-Site: none") == .file(path: ""))
    #expect(gate.judge("GET /app.js?1 HTTP/1.1\r\n\(Self.host)\r\nSec-Fetch-Site: same-origin") == .file(path: "app.js"))
    let head =
      "PUT /v1/games/g/players/p%2F1/overrides/k?dry_run=true HTTP/1.1\r\n\(Self.proof)\r\nOrigin: http://127.0.0.1:8014\r\n"
      + "Content-Type: application/json\r\nContent-Length: 3\r\nIf-Match: \"4\"\r\nCookie: a=b\r\nX-Forwarded-For: x"
    #expect(
      gate.judge(head)
        == .call(
          PanelCall(
            endpoint: Calls.putPlayerOverride.endpoint, target: "/v1/games/g/players/p%2F1/overrides/k?dry_run=true",
            headers: [.init(name: "if-match", value: "\"4\"")], bodyBytes: 3)))
    #expect(
      gate.judge("GET /panel/stream?game=g&player=p%201 HTTP/1.1\r\n\(Self.proof)") == .stream(game: "g", player: "p 1"))
  }

  @Test("the page gets a list of the calls that the user's role does not permit, with the sentences of the command line")
  func refusals() throws {
    func refused(_ roles: [String]) -> [(path: String, words: String, besidesPlayers: Bool)] {
      (PanelCalls.refusals(for: StatusCaller(uid: 7, name: "ann", roles: roles)).listValue ?? []).map {
        ($0["path"]?.stringValue ?? "", $0["words"]?.stringValue ?? "", $0["besides_players"] == true)
      }
    }
    #expect(refused(["admin"]).isEmpty)
    let tester = refused(["tester"])
    #expect(tester.contains { $0.path == "/v1/games/{game}/overrides/{key}" && !$0.besidesPlayers })
    #expect(tester.contains { $0.path == "/v1/games/{game}/audit/{id}/revert" && $0.besidesPlayers })
    #expect(!tester.contains { $0.path == "/v1/games/{game}/players/{player}/overrides/{key}" })
    #expect(
      tester.first { $0.path == "/v1/games/{game}/overrides/{key}" }?.words
        == "This is for admins, and uid 7 is a tester. For one player you may: add --player P.")
    #expect(
      !refused(["tester", "publisher"]).contains { $0.path.hasSuffix("/rollback") } && tester.contains { $0.path.hasSuffix("/rollback") })
    let reader = refused([])
    #expect(reader.contains { $0.path == "/v1/games/{game}/players/{player}/overrides/{key}" })
    for each in tester + reader {
      #expect(!each.words.contains("{") && !each.words.contains("/v1/") && !each.words.contains("PUT"), "\(each)")
    }
  }

  @Test("every response of the panel has headers that isolate the page from other origins")
  func headers() {
    for answer in [PanelAnswer.json([:]), .problem(404, "Not Found", "no"), Panel.file(""), Panel.file("style.css")] {
      let text = String(decoding: answer.bytes, as: UTF8.self)
      for line in [
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
          + "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'\r\n", "X-Content-Type-Options: nosniff\r\n",
        "Cache-Control: no-store\r\n", "Referrer-Policy: no-referrer\r\n", "Cross-Origin-Opener-Policy: same-origin\r\n",
        "Cross-Origin-Resource-Policy: same-origin\r\n",
      ] { #expect(text.contains(line)) }
    }
  }

  @Test("the panel's page is at most 140 KiB, and contains nothing that its content security policy forbids")
  func size() {
    let names = (0..<cpanel_file_count()).compactMap { cpanel_file($0)?.pointee.path.map { String(cString: $0) } }
    let pages = names.map { Panel.file($0) }
    #expect(names.contains("") && names.contains("app.js") && names.count == cpanel_file_count())
    #expect(pages.allSatisfy { $0.status == 200 } && pages.reduce(0) { $0 + ($1.body?.count ?? 0) } <= 140 << 10)
    for page in pages {
      for forbidden in ["innerHTML", "eval(", " style=\"", "onclick=\"", "<script>", "<style", "https://", "data:"] {
        #expect(!Self.holds(page.body ?? [], Array(forbidden.utf8)), "\(forbidden)")
      }
    }
  }

  private static func holds(_ bytes: [UInt8], _ word: [UInt8]) -> Bool {
    var at = 0
    while at + word.count <= bytes.count {
      if bytes[at] == word[0], bytes[at..<at + word.count].elementsEqual(word) { return true }
      at += 1
    }
    return false
  }
}

@Suite("The secrets of the panel")
struct PanelSecretTests {
  @Test("a one-time code of the panel works once and only while it is valid")
  func codes() {
    let codes = PanelCodes()
    let (once, late) = (codes.make(), codes.make(until: .now - .seconds(1)))
    #expect(once.utf8.count == 32 && once != late)
    #expect(!codes.use("") && !codes.use(late) && codes.use(once) && !codes.use(once))
    #expect(codes.use(codes.make(until: .now + .seconds(60))))
  }

  @Test("the panel counts as unused since the last request of a page")
  func unused() throws {
    let panel = Panel(
      try LoopbackListener(port: 0), port: 1, adminSocket: "/nowhere", console: try ConnectionOptions.parse([]).console())
    let now = ContinuousClock.now
    #expect(panel.unusedFor(now: now + .seconds(600)) >= .seconds(600) && panel.unusedFor(now: now) < .seconds(600))
  }
}

@Suite("The owner of a loopback connection")
struct SocketOwnerTests {
  private static let table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:1F4E 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 9 1 0 100 0 0 10 0
       1: 0100007F:A2C4 0100007F:1F4E 01 00000000:00000000 00:00000000 00000000  1000        0 52113 1 0 20 4 30 10 -1
       2: 0100007F:1F4E 0100007F:A2C4 01 00000000:00000000 00:00000000 00000000     0        0 52114 1 0 20 4 30 10 -1
       3: 0100007F:A2C5 0100007F:1F4E 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
    10004: 0000000000000000FFFF00000100007F:A2C6 0000000000000000FFFF00000100007F:1F4E 01 00000000:00000000 00:00000000 00000000  1001        0 7 1 0
    """

  @Test(
    "the kernel's table names the user of a connection's other end; a row without an owner, or no row, names no user",
    arguments: [("A2C4", UInt32(1000)), ("A2C6", 1001), ("A2C5", nil), ("A2C7", nil)] as [(String, UInt32?)])
  func owner(port: String, expected: UInt32?) {
    #expect(SocketOwner.owner(of: "0100007F:\(port)", to: "0100007F:1F4E", in: Array(Self.table.utf8)) == expected)
  }

  /// Returns the two sockets of a loopback connection and their endpoints, the client's first.
  private func connection() throws -> (
    client: Int32, server: Int32, there: SocketDiagnosis.SocketEndpoint, here: SocketDiagnosis.SocketEndpoint
  ) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var own = sockaddr_in()
    let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(listener, address, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, address, &length) == 0
          && connect(client, address, length) == 0
      }
    }
    let isNamed = withUnsafeMutablePointer(to: &own) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(client, $0, &length) == 0 }
    }
    try #require(isConnected && isNamed)
    let server = accept(listener, nil, nil)
    try #require(server >= 0)
    return (
      client, server, SocketDiagnosis.SocketEndpoint(address: own.sin_addr.s_addr, port: own.sin_port),
      SocketDiagnosis.SocketEndpoint(address: address.sin_addr.s_addr, port: address.sin_port)
    )
  }

  @Test("sock_diag names the user of one connection, and no user for an unknown connection or a listening socket")
  func diagnosis() throws {
    let (client, server, there, here) = try connection()
    defer { close(server) }
    #expect(SocketDiagnosis.user(at: there, connectedTo: here) == .user(getuid()))
    #expect(SocketDiagnosis.user(at: here, connectedTo: there) == .user(getuid()))
    let other = SocketDiagnosis.SocketEndpoint(address: here.address, port: here.port ^ 0x0100)
    #expect(SocketDiagnosis.user(at: there, connectedTo: other) == .absent)
    close(client)
    #expect(SocketDiagnosis.user(at: there, connectedTo: here) == .absent)
  }
}
