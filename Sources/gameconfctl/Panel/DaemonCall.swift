// Calls and streams over the daemon's socket for threads that wait for them.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Glibc

/// One connection to the daemon, for one call.
final class DaemonCall {
  let descriptor: Int32
  private var parser = ResponseParser()
  private var hasEnded = false
  /// Status and headers, as soon as they have come.
  private(set) var head: ResponseHead?

  /// Connects; nil when no daemon listens there.
  init?(_ socketPath: String) {
    guard let descriptor = BlockingSocket.connect(to: socketPath) else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  func send(_ method: Method, _ target: String, headers: [PanelCall.Header] = [], body: [UInt8] = []) -> Bool {
    var text = "\(method.rawValue) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nGameconf-Program: panel\r\n"
    for header in headers { text += "\(header.name): \(header.value)\r\n" }
    if method != .get { text += "Content-Length: \(body.count)\r\n" }
    return BlockingSocket.send(Array((text + "\r\n").utf8) + body, to: descriptor)
  }

  /// Waits for bytes and returns what of the body they complete; nil at the end.
  func next() throws(TransportError) -> [UInt8]? {
    if hasEnded { return nil }
    guard let bytes = BlockingSocket.receive(descriptor) else {
      hasEnded = true
      guard parser.close() != nil else { throw .connectionClosed }
      return nil
    }
    parser.feed(bytes)
    var body: [UInt8] = []
    while let event = try parsed() {
      switch event {
      case .head(let head): self.head = head
      case .body(let piece): body += piece
      case .end:
        hasEnded = true
        return body.isEmpty ? nil : body
      }
    }
    return body
  }

  private func parsed() throws(TransportError) -> ResponseParser.Event? {
    do throws(ResponseParser.Fault) {
      return try parser.next()
    } catch { throw .malformedAnswer(detail: error.detail) }
  }

  /// The whole answer; nil when it did not come, or is longer than any the panel asks for.
  func whole() -> Response? {
    var body: [UInt8] = []
    do throws(TransportError) {
      while let piece = try next() {
        body += piece
        guard body.count <= UnixHTTPClient.bodyBytesMax else { return nil }
      }
    } catch { return nil }
    return head.map { Response(head: $0, body: body) }
  }
}
