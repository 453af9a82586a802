// Responses are parsed in the same way for any split of their bytes.

import Testing

@testable import GameConfTransport

@Suite("The parser of HTTP responses")
struct ResponseParserTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var status = 200
    var body = ""
    var isReusable = true
    var endsWithClose = false
    var testDescription: String { name }
  }

  static let samples = [
    Sample(name: "a length", text: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", body: "hello"),
    Sample(name: "an empty body", text: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    Sample(name: "no phrase", text: "HTTP/1.1 404 \r\ncontent-length: 2\r\n\r\n{}", status: 404, body: "{}"),
    Sample(name: "no content", text: "HTTP/1.1 204 No Content\r\nGameconf-Revision: 7\r\n\r\n", status: 204),
    Sample(
      name: "not modified, with the length it would have", text: "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", status: 304),
    Sample(
      name: "chunks", text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n",
      body: "abc0123456789"),
    Sample(
      name: "chunks and trailers", text: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: b\r\n\r\n", body: "x"),
    Sample(name: "until the end", text: "HTTP/1.1 200 OK\r\n\r\nto the end", body: "to the end", isReusable: false, endsWithClose: true),
    Sample(name: "closing", text: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx", body: "x", isReusable: false),
    Sample(name: "HTTP/1.0", text: "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", body: "x", isReusable: false),
    Sample(name: "after an interim answer", text: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx", body: "x"),
  ]

  @Test("a response is parsed the same when its bytes arrive in two parts, split at any byte", arguments: samples)
  func cuts(_ sample: Sample) throws {
    let bytes = Array(sample.text.utf8)
    for cut in 0...bytes.count {
      var parser = ResponseParser()
      var status: Int?
      var body: [UInt8] = []
      var end: Bool?
      func drain() throws {
        while let event = try parser.next() {
          switch event {
          case .head(let head): status = head.status
          case .body(let piece): body += piece
          case .end(let isReusable): end = isReusable
          }
        }
      }
      parser.feed(bytes[..<cut])
      try drain()
      parser.feed(bytes[cut...])
      try drain()
      if sample.endsWithClose {
        #expect(end == nil)
        #expect(parser.close() == .end(isReusable: false))
        end = false
      }
      #expect(status == sample.status)
      #expect(String(decoding: body, as: UTF8.self) == sample.body, "cut at \(cut)")
      #expect(end == sample.isReusable, "cut at \(cut)")
    }
  }

  @Test(
    "bytes that are not HTTP are refused",
    arguments: [
      "SSH-2.0-OpenSSH\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
      "HTTP/1.1 200 OK\r\n: x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\nx\r\n",
    ])
  func refused(text: String) {
    #expect(throws: ResponseParser.Fault.self) {
      var parser = ResponseParser()
      parser.feed(Array(text.utf8))
      while try parser.next() != nil {}
    }
  }

  @Test("a response's head of 64 KiB is parsed, and one of a byte more is refused", arguments: [(0, true), (1, false)])
  func headLimit(extra: Int, isRead: Bool) throws {
    let fixed = "HTTP/1.1 204 No Content\r\nX: "
    let text = fixed + String(repeating: "x", count: ResponseParser.headBytesMax - fixed.utf8.count + extra) + "\r\n\r\n"
    var parser = ResponseParser()
    parser.feed(Array(text.utf8))
    if isRead {
      #expect(try parser.next() != nil)
    } else {
      #expect(throws: ResponseParser.Fault.self) { try parser.next() }
    }
  }

  @Test("a truncated response never gives the event for its end")
  func cutAnswer() throws {
    var parser = ResponseParser()
    parser.feed(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel".utf8))
    while try parser.next() != nil {}
    #expect(parser.close() == nil)
  }
}

@Suite("Server-sent events")
struct EventStreamTests {
  @Test(
    "event streams are parsed as the HTML standard says",
    arguments: [
      ("data: a\n\n", [ServerSentEvent(data: "a")]),
      ("event: change\r\ndata: a\r\ndata:  b\r\nid: 7\r\n\r\n", [ServerSentEvent(event: "change", data: "a\n b", id: "7")]),
      (": heartbeat\n\ndata\n\n", [ServerSentEvent(data: "")]),
      ("id: 1\ndata: x\r\rdata: y\n\n", [ServerSentEvent(data: "x", id: "1"), ServerSentEvent(data: "y", id: "1")]),
      ("event: lonely\n\ndata: z", []),
    ])
  func parse(text: String, events: [ServerSentEvent]) {
    var whole = EventStreamParser()
    #expect(whole.feed(Array(text.utf8)) == events)
    var single = EventStreamParser()
    #expect(text.utf8.flatMap { single.feed([$0]) } == events)
  }
}
