// Malformed input on the games socket: each gets a clear answer, and the daemon continues.

import GameConfCore
import Testing

@Suite("Malformed input on the games socket", .serialized)
struct BadInputTests {
  private let daemon: RunningDaemon

  init() throws { daemon = try RunningDaemon() }

  private func serves() throws -> Bool {
    try daemon.ask("GET", "/v1/games/wheresthedot/config/arcade_time_limit_base").json["value"] == 2.5
  }

  @Test("input that is not HTTP gets one answer, and its connection is closed")
  func notHTTP() throws {
    let hello: [UInt8] = [0x16, 0x03, 0x01, 0x00, 0xC8, 0x01, 0x00, 0x00, 0xC4, 0x03, 0x03, 0x0D, 0x0A]
    let rubbish: [[UInt8]] = [
      Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8), hello, Array("\0\u{1}\u{2}\r\n\r\n".utf8), Array("GET / HTTP/1.1\nHost: x\n\n".utf8),
      Array("GET / HTTP/1.1\r\nHost : x\r\n\r\n".utf8), Array("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n".utf8),
      Array("GET / HTTP/3.0\r\nHost: x\r\n\r\n".utf8), Array("BREW /v1/games HTTP/1.1\r\nHost: x\r\n\r\n".utf8),
      Array("POST /v1/games/wheresthedot/config HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\n{}".utf8),
      Array("POST /v1/games/wheresthedot/config HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}".utf8),
    ]
    for bytes in rubbish {
      let connection = try RawConnection(daemon.gamesSocket)
      connection.send(bytes)
      connection.finishSending()
      let text = String(decoding: connection.readToEnd() ?? [], as: UTF8.self)
      #expect(
        text.hasPrefix("HTTP/1.1 4") || text.hasPrefix("HTTP/1.1 5"), "\(String(decoding: bytes, as: UTF8.self)) → \(text.prefix(80))")
      #expect(text.contains("application/problem+json"))
    }
    #expect(try serves())
  }

  @Test("the daemon answers an HTTP/1.0 request and closes its connection")
  func oldHTTP() throws {
    let connection = try RawConnection(daemon.gamesSocket)
    connection.send("GET /v1/games HTTP/1.0\r\n\r\n")
    let text = String(decoding: connection.readToEnd() ?? [], as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 200"))
    #expect(text.contains("\r\nConnection: close\r\n"))
  }

  @Test(
    "a request header is accepted up to 16 KiB and refused beyond it",
    arguments: [(16 << 10, true), ((16 << 10) + 1, false)])
  func header(bytes: Int, admitted: Bool) throws {
    let begin = "GET /v1/games HTTP/1.1\r\nHost: x\r\n"
    let fields = (0..<3).map { "X-\($0): \(String(repeating: "a", count: 4_000))\r\n" }.joined()
    let rest = bytes - begin.utf8.count - fields.utf8.count - "X-3: \r\n\r\n".utf8.count
    let connection = try RawConnection(daemon.gamesSocket)
    connection.send(begin + fields + "X-3: " + String(repeating: "b", count: rest) + "\r\n\r\n")
    #expect(connection.answer()?.status == (admitted ? 200 : 431))
  }

  @Test("the daemon accepts a body of 1 MiB, and one byte more gets 413", arguments: [(1 << 20, false), ((1 << 20) + 1, true)])
  func body(bytes: Int, tooLarge: Bool) throws {
    let head = #"{"context":{"a":""#
    let tail = #""}}"#
    let body = head + String(repeating: "x", count: bytes - head.utf8.count - tail.utf8.count) + tail
    let connection = try RawConnection(daemon.gamesSocket)
    connection.send(
      "POST /v1/games/wheresthedot/config HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
    )
    connection.send(body)
    #expect(connection.answer()?.status == (tooLarge ? 413 : 200))
    #expect(try serves())
  }

  @Test(
    "a body with refused JSON gets 400 with the place of the fault",
    arguments: [
      #"{"context":{"a":NaN}}"#, #"{"keys":[9223372036854775808]}"#, #"{"context":{"a":1e400}}"#, #"{"context":{"a":1,"a":2}}"#,
      #"{"context":{"a":"\ud800"}}"#, "{\"context\":{\"a\":\"\u{1}\"}}", #"{"context":[]}"#, #"{"player":5}"#, #"{"color":1}"#, "", "[",
      "null",
      #"{"context":{"a":"# + String(repeating: "[", count: 70) + String(repeating: "]", count: 70) + "}}",
    ])
  func json(body: String) throws {
    let connection = try RawConnection(daemon.gamesSocket)
    connection.send(
      "POST /v1/games/wheresthedot/config HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    )
    let answer = connection.answer()
    #expect(answer?.status == (body.isEmpty ? 200 : 400))
    if !body.isEmpty { #expect(answer?.detail?.isEmpty == false) }
  }

  @Test("a body that is not JSON gets 415")
  func mediaType() throws {
    let connection = try RawConnection(daemon.gamesSocket)
    connection.send("POST /v1/games/wheresthedot/config HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}")
    #expect(connection.answer()?.status == 415)
  }

  @Test("keys and players that are too long or contain strange characters are refused")
  func names() throws {
    let long = String(repeating: "k", count: 300)
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/config/\(long)").status == 404)
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/config?player=\(String(repeating: "p", count: 256))").status == 200)
    #expect(
      try daemon.ask("GET", "/v1/games/wheresthedot/config?player=\(String(repeating: "p", count: 257))").code == "MALFORMED_PLAYER_ID")
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/config?player=a%0Ab").code == "MALFORMED_PLAYER_ID")
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/config?player=%C3%28").status == 400)
    #expect(try daemon.ask("GET", "/v1/games/wheresthedot/config?player=a%2Fb").status == 200)
  }

  @Test("pipelined requests are answered in order on one connection")
  func pipelined() throws {
    let connection = try RawConnection(daemon.gamesSocket)
    let keys = ["arcade_time_limit_base", "daily_seed", "nothing_here", "sound_enabled"]
    connection.send(keys.map { "GET /v1/games/wheresthedot/config/\($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
    let answers = keys.map { _ in connection.answer() }
    #expect(answers.map { $0?.status } == [200, 200, 404, 200])
    #expect(answers.compactMap { $0?.json["key"]?.stringValue } == ["arcade_time_limit_base", "daily_seed", "sound_enabled"])
  }
}

@Suite("A socket's path", .serialized)
struct SocketPathTests {
  private func start(_ prepare: (TemporaryFolder) throws -> Void, runtime: String = "run") throws -> ChildProcess.Ending {
    let folder = try TemporaryFolder()
    try prepare(folder)
    return try ChildProcess(
      Built.daemon,
      ["--defaults", Built.tree + "/Defaults", "--runtime-dir", "\(folder.path)/\(runtime)", "--state-dir", folder.path + "/state"]
    ).waitForEnd()
  }

  @Test("a file at the socket's path that is not a socket is not removed, and the start names it")
  func notASocket() throws {
    let file = try start { try $0.write("precious", to: "run/games.sock") }
    #expect(file.status == 1)
    #expect(file.errors.contains("a file"))
    let directory = try start { try $0.write("precious", to: "run/games.sock/inside") }
    #expect(directory.status == 1)
    #expect(directory.errors.contains("a directory"))
  }

  @Test("a socket path that is too long is refused with the maximum length")
  func tooLong() throws {
    let ending = try start({ _ in }, runtime: String(repeating: "d", count: 100))
    #expect(ending.status == 1)
    #expect(ending.errors.contains("107"))
  }

  @Test("a start takes over the socket that a killed daemon has left")
  func stale() throws {
    let daemon = try RunningDaemon()
    try daemon.restart(killing: true)
    #expect(try daemon.ask("GET", "/v1/games").status == 200)
  }
}
