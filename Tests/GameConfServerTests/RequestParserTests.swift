// The request parser on tables of bytes, whole and split at every position.

import TestSupport
import Testing

@testable import GameConfServer

@Suite("Request parser")
struct RequestParserTests {
  /// Returns the events that a caller gets for bytes that arrive in these pieces.
  static func events(_ pieces: [[UInt8]], limits: ServerLimits = ServerLimits(), bodyBytesMax: Int = 1 << 20) -> [String] {
    var parser = RequestParser(limits)
    var (buffer, events, body): ([UInt8], [String], [UInt8]) = ([], [], [])
    for piece in pieces {
      buffer += piece
      steps: while true {
        let step = buffer.withUnsafeBytes { parser.next($0) }
        switch step {
        case .more: break steps
        case .head(let count):
          let head = parser.head
          let target = String(decoding: buffer[head.target], as: UTF8.self)
          events.append("\(head.method) \(target) \(head.isVersion10 ? "1.0" : "1.1") \(head.traits.rawValue) \(head.contentLength ?? -1)")
          if head.hasContent, let fault = parser.admitContent(bytesMax: bodyBytesMax) { return events + ["\(fault)"] }
          buffer.removeFirst(count)
        case .framing(let count): buffer.removeFirst(count)
        case .content(let count):
          body += buffer[..<count]
          buffer.removeFirst(count)
        case .end(let count):
          buffer.removeFirst(count)
          events.append("body \(String(decoding: body, as: UTF8.self))")
          body = []
        case .failed(let fault): return events + ["\(fault)"]
        }
      }
    }
    return events
  }

  static func events(_ text: String) -> [String] { events([Array(text.utf8)]) }

  static let good: [(String, [String])] = [
    ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", ["get / 1.1 1 -1"]),
    ("GET /a?b=c HTTP/1.1\r\nhOsT:x\r\n\r\n", ["get /a?b=c 1.1 1 -1"]),
    ("\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n", ["get / 1.1 1 -1"]),
    ("GET http://h:80/p/q?r HTTP/1.1\r\nHost: h\r\n\r\n", ["get /p/q?r 1.1 1 -1"]),
    ("GET / HTTP/1.1\r\nHost:\r\n\r\n", ["get / 1.1 1 -1"]),
    ("GET / HTTP/1.1\r\nHost: x\r\nX:\t a\tb \t\r\n\r\n", ["get / 1.1 1 -1"]),
    ("GET / HTTP/1.1\r\nHost: x\r\nX: \u{e9}\r\n\r\n", ["get / 1.1 1 -1"]),
    ("GET / HTTP/1.0\r\n\r\n", ["get / 1.0 4 -1"]),
    ("GET / HTTP/1.2\r\nHost: x\r\n\r\n", ["get / 1.1 1 -1"]),
    ("BREW / HTTP/1.1\r\nHost: x\r\n\r\n", ["other / 1.1 1 -1"]),
    ("OPTIONS /x HTTP/1.1\r\nHost: x\r\nConnection: a, Close ,b\r\n\r\n", ["options /x 1.1 5 -1"]),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", ["post / 1.1 1 3", "body abc"]),
    ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", ["post / 1.1 1 0"]),
    ("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: 1\r\n\r\na", ["post / 1.1 9 1", "body a"]),
    (
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n",
      ["post / 1.1 3 -1", "body abc0123456789"]
    ),
    ("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n000\r\nX-Trailer: 1\r\nY: 2\r\n\r\n", ["post / 1.1 3 -1", "body "]),
    (
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n",
      ["post / 1.1 3 -1", "body a", "get /2 1.1 1 -1"]
    ),
    ("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n", ["get /1 1.1 1 -1", "get /2 1.1 1 -1"]),
    ("GET / HTTP/1.1\r\nHost: x\r\nOrigin: http://y\r\n\r\n", ["get / 1.1 17 -1"]),
    ("GET / HTTP/1.1\r\nHost: x\r\nSec-Fetch-Mode: cors\r\n\r\n", ["get / 1.1 17 -1"]),
    ("GET / HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n\r\n", ["get / 1.1 33 -1"]),
    ("GET / HTTP/1.0\r\nExpect: magic\r\n\r\n", ["get / 1.0 4 -1"]),
  ]

  static let bad: [(String, RequestFault)] = [
    ("GET / HTTP/1.1\r\n\r\n", .hostMissing),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", .hostRepeated),
    ("GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", .hostRepeated),
    ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .hostValue),
    ("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", .hostValue),
    ("GET / HTTP/1.1\r\nHost: user@a/b\r\n\r\n", .hostValue),
    ("GET / HTTP/1.1\nHost: a\n\n", .bareLineFeed),
    ("GET / HTTP/1.1\r\nHost: a\n\r\n", .bareLineFeed),
    ("\nGET / HTTP/1.1\r\n", .bareLineFeed),
    ("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", .controlCharacter),
    ("GET / HTTP/1.1\r\nX: a\0b\r\nHost: a\r\n\r\n", .controlCharacter),
    ("GET / HTTP/1.1\r\nX: a\u{7f}b\r\nHost: a\r\n\r\n", .controlCharacter),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: 12345678\u{1}\r\n\r\n", .controlCharacter),
    ("GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n", .controlCharacter),
    ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", .foldedField),
    ("GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n\tfolded\r\n\r\n", .foldedField),
    ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", .spaceBeforeColon),
    ("GET / HTTP/1.1\r\nHost\t: a\r\n\r\n", .spaceBeforeColon),
    ("GET / HTTP/1.1\r\nHost\r\n\r\n", .fieldWithoutColon),
    ("GET / HTTP/1.1\r\n: a\r\n\r\n", .fieldName),
    ("GET / HTTP/1.1\r\nX(y): a\r\n\r\n", .fieldName),
    ("\r\n\r\nGET / HTTP/1.1\r\n", .emptyLines),
    ("GET\r\n\r\n", .requestLine),
    ("GET /\r\n\r\n", .requestLine),
    (" / HTTP/1.1\r\n\r\n", .requestLine),
    ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .requestLine),
    ("GET /  HTTP/1.1\r\nHost: a\r\n\r\n", .requestLine),
    ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", .requestLine),
    ("GET / http/1.1\r\nHost: a\r\n\r\n", .requestLine),
    ("GET / HTTP/1.10\r\nHost: a\r\n\r\n", .requestLine),
    ("G{T / HTTP/1.1\r\nHost: a\r\n\r\n", .requestLine),
    ("GET /\u{e9} HTTP/1.1\r\nHost: a\r\n\r\n", .targetCharacter),
    ("GET /#x HTTP/1.1\r\nHost: a\r\n\r\n", .targetCharacter),
    ("GET x HTTP/1.1\r\nHost: a\r\n\r\n", .targetForm),
    ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", .targetForm),
    ("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", .targetForm),
    ("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n", .targetForm),
    ("GET http://a HTTP/1.1\r\nHost: a\r\n\r\n", .targetForm),
    ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", .version),
    ("GET / HTTP/0.9\r\n\r\n", .version),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .http2Preface),
    ("\u{16}\u{3}\u{1}\u{2}", .controlCharacter),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc", .contentLengthValue),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -3\r\n\r\nabc", .contentLengthValue),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc", .contentLengthValue),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x3\r\n\r\nabc", .contentLengthValue),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\nabc", .contentLengthValue),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775808\r\n\r\n", .contentLengthValue),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", .contentLengthRepeated),
    ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", .lengthAndChunked),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n", .lengthAndChunked),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", .transferCoding),
    ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", .transferCodingRepeated),
    ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", .transferCodingVersion),
    ("POST / HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n", .expectation),
  ]

  static let badChunks: [(String, RequestFault)] = [
    ("x\r\n", .chunkSize), ("\r\n", .chunkSize), ("-1\r\n", .chunkSize), ("0x1\r\n", .chunkSize), ("1 \r\na\r\n", .chunkSize),
    ("1\na\r\n", .chunkSize), ("1;a\0\r\n", .chunkSize), ("1000000000000000\r\n", .chunkSize), ("1\r\nab", .chunkEnd),
    ("1\r\na\rb", .chunkEnd),
    ("1\r\na\n", .chunkEnd), ("100001\r\n", .bodyTooLarge), ("1;" + String(repeating: "a", count: 300), .chunkLineTooLong),
    ("0\r\nX\r\n\r\n", .fieldWithoutColon), ("0\r\n X: 1\r\n\r\n", .foldedField), ("0\r\nX: 1\n\r\n", .bareLineFeed),
    ("0\r\nX: " + String(repeating: "a", count: 17_000), .headTooLarge),
  ]

  @Test("a well-formed request is parsed", arguments: good)
  func reads(text: String, expected: [String]) { #expect(Self.events(text) == expected) }

  @Test("an ambiguous or malformed request is refused", arguments: bad)
  func refuses(text: String, fault: RequestFault) { #expect(Self.events(text) == ["\(fault)"]) }

  @Test("a malformed chunk of a request body is refused", arguments: badChunks)
  func refusesChunks(text: String, fault: RequestFault) {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(Self.events(head + text).last == "\(fault)")
  }

  @Test("a request is parsed the same wherever its bytes are split")
  func splits() {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    let texts = Self.good.map(\.0) + Self.bad.map(\.0) + Self.badChunks.map { head + $0.0 }
    for text in texts {
      let bytes = Array(text.utf8)
      let whole = Self.events([bytes])
      for at in bytes.indices where bytes.count < 2_000 || at % 97 == 0 {
        let split = Self.events([Array(bytes[..<at]), Array(bytes[at...])])
        if split != whole { Issue.record("split at \(at): \(split) instead of \(whole) for \(text.debugDescription)") }
      }
      #expect(Self.events(bytes.map { [$0] }) == whole, "byte by byte: \(text.debugDescription)")
    }
  }

  @Test("a request line is accepted up to its limit and refused beyond it")
  func requestLineLimit() {
    let limits = ServerLimits()
    func line(_ bytes: Int) -> String {
      let rest = "GET / HTTP/1.1\r\n".utf8.count
      return "GET /" + String(repeating: "a", count: bytes - rest) + " HTTP/1.1\r\nHost: x\r\n\r\n"
    }
    #expect(Self.events(line(limits.requestLineBytesMax)).first?.hasPrefix("get /aaa") == true)
    #expect(Self.events(line(limits.requestLineBytesMax + 1)) == ["requestLineTooLong"])
    #expect(Self.events(Array(line(limits.requestLineBytesMax + 1).utf8).map { [$0] }) == ["requestLineTooLong"])
    #expect(Self.events(Array(line(limits.requestLineBytesMax).utf8).map { [$0] }).first?.hasPrefix("get /aaa") == true)
  }

  @Test("a request head is accepted up to its limit and refused beyond it")
  func headLimit() {
    let limits = ServerLimits()
    func head(_ bytes: Int) -> String {
      let frame = "GET / HTTP/1.1\r\nHost: x\r\nX: \r\n\r\n"
      return "GET / HTTP/1.1\r\nHost: x\r\nX: " + String(repeating: "a", count: bytes - frame.utf8.count) + "\r\n\r\n"
    }
    #expect(Self.events(head(limits.headerBytesMax)) == ["get / 1.1 1 -1"])
    #expect(Self.events(head(limits.headerBytesMax + 1)) == ["headTooLarge"])
    #expect(Self.events(Array(head(limits.headerBytesMax).utf8).map { [$0] }) == ["get / 1.1 1 -1"])
    #expect(Self.events(Array(head(limits.headerBytesMax + 1).utf8).map { [$0] }) == ["headTooLarge"])
  }

  @Test("a request body is accepted up to its limit and refused beyond it, by Content-Length and in chunks")
  func bodyLimit() {
    func request(_ framing: String) -> [[UInt8]] { [Array("POST / HTTP/1.1\r\nHost: x\r\n\(framing)".utf8)] }
    #expect(Self.events(request("Content-Length: 5\r\n\r\nabcde"), bodyBytesMax: 5).last == "body abcde")
    #expect(Self.events(request("Content-Length: 6\r\n\r\n"), bodyBytesMax: 5).last == "bodyTooLarge")
    let chunked = "Transfer-Encoding: chunked\r\n\r\n"
    #expect(Self.events(request(chunked + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), bodyBytesMax: 5).last == "body abcde")
    #expect(Self.events(request(chunked + "3\r\nabc\r\n3\r\n"), bodyBytesMax: 5).last == "bodyTooLarge")
  }

  @Test("randomly mutated requests never crash the parser, and give the same result however they are split", arguments: 0..<8)
  func mutated(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let seeds = Self.good.map { Array($0.0.utf8) } + Self.bad.map { Array($0.0.utf8) }
    for _ in 0..<800 {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let at = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where at < bytes.count: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 1 where at < bytes.count: bytes.remove(at: at)
        case 2:
          bytes.insert(["\r", "\n", " ", ":", "\t", "\0", ",", "/"].map { Array($0.utf8)[0] }.randomElement(using: &random) ?? 0, at: at)
        case 3: bytes.insert(contentsOf: bytes[at...].prefix(Int.random(in: 0...40, using: &random)), at: at)
        default: bytes = Array(bytes[..<at]) + seeds[Int.random(in: 0..<seeds.count, using: &random)]
        }
      }
      let at = Int.random(in: 0...bytes.count, using: &random)
      let whole = Self.events([bytes])
      let split = Self.events([Array(bytes[..<at]), Array(bytes[at...])])
      if whole != split { Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription) split at \(at): \(whole) or \(split)") }
    }
  }
}
