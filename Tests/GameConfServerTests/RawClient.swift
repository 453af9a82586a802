// A client that sends raw bytes and reads answers, with a time limit on every wait.

import Glibc
import NIOPosix

/// One parsed answer of a server.
struct RawAnswer: Equatable, Sendable {
  var status = 0
  var fields: [String: String] = [:]
  var body: [UInt8] = []

  var text: String { String(decoding: body, as: UTF8.self) }
}

/// One connection to a Unix socket.
///
/// Its calls block threads of their own. The cooperative threads, which the tests share with the server's tasks, must not be blocked.
final class RawClient: @unchecked Sendable {
  enum Failure: Error { case connect(Int32), ended(String), notHTTP(String) }

  private static let threads: NIOThreadPool = {
    let pool = NIOThreadPool(numberOfThreads: 16)
    pool.start()
    return pool
  }()

  /// The time limit of a wait. It is long, because the server shares two processors with all other tests.
  private static let patienceSeconds = 600

  let descriptor: Int32
  private var buffer: [UInt8] = []

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let code = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    if code != 0 { throw Failure.connect(errno) }
    var limit = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Glibc.close(descriptor) }

  /// Sends all bytes; returns the number that the server has read before it closed.
  @discardableResult
  func send(_ bytes: [UInt8]) async throws -> Int {
    try await Self.threads.runIfActive {
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes { Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count <= 0 { break }
        sent += count
      }
      return sent
    }
  }

  /// Sends the same bytes repeatedly without a pause.
  /// - Parameter before: The time of the previous send, because this call may have to wait for a thread.
  /// - Returns: Nil if all was sent. If the connection was closed: the longest time between two sends before that.
  func send(_ bytes: [UInt8], for duration: Duration, since before: ContinuousClock.Instant) async throws -> Duration? {
    try await Self.threads.runIfActive {
      var last = before
      var longest = Duration.zero
      let end = ContinuousClock.now + duration
      while last < end {
        let count = bytes.withUnsafeBytes { Glibc.send(self.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        let now = ContinuousClock.now
        longest = max(longest, now - last)
        last = now
        if count <= 0 { return longest }
      }
      return nil
    }
  }

  @discardableResult
  func send(_ text: String) async throws -> Int { try await send(Array(text.utf8)) }

  func closeOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads some bytes; empty at the end.
  func receive() async throws -> [UInt8] {
    try await Self.threads.runIfActive {
      var chunk = [UInt8](repeating: 0, count: 64 << 10)
      let count = recv(self.descriptor, &chunk, chunk.count, 0)
      if count < 0 { throw Failure.ended("errno \(errno) after \(String(decoding: self.buffer.prefix(300), as: UTF8.self))") }
      return Array(chunk.prefix(count))
    }
  }

  /// Waits until both directions are closed.
  func isHungUp() async throws -> Bool {
    try await Self.threads.runIfActive {
      var event = pollfd(fd: self.descriptor, events: 0, revents: 0)
      return poll(&event, 1, Int32(Self.patienceSeconds) * 1000) == 1 && event.revents & Int16(POLLHUP) != 0
    }
  }

  /// Reads all bytes to the end.
  func receiveToEnd() async throws -> [UInt8] {
    while true {
      let bytes = try await receive()
      if bytes.isEmpty { return buffer }
      buffer += bytes
    }
  }

  /// True if the server closes without sending a further byte.
  func isAtEnd() async throws -> Bool {
    if !buffer.isEmpty { return false }
    return try await receive().isEmpty
  }

  /// Reads one answer.
  func answer(toHead: Bool = false) async throws -> RawAnswer {
    while true {
      if let (answer, used) = try RawAnswer.read(buffer, toHead: toHead) {
        buffer.removeFirst(used)
        return answer
      }
      let bytes = try await receive()
      if bytes.isEmpty { throw Failure.ended(String(decoding: buffer.prefix(300), as: UTF8.self)) }
      buffer += bytes
    }
  }

  /// Sends a request and reads its answer.
  func ask(_ method: String, _ target: String, _ fields: [String] = [], body: String? = nil) async throws -> RawAnswer {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: x\r\n"
    for field in fields { head += field + "\r\n" }
    if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n" }
    try await send(head + "\r\n" + (body ?? ""))
    return try await answer(toHead: method == "HEAD")
  }
}

extension RawAnswer {
  /// Parses all answers in these bytes; throws if the last one is incomplete.
  static func all(_ bytes: [UInt8]) throws -> [RawAnswer] {
    var (rest, answers): ([UInt8], [RawAnswer]) = (bytes, [])
    while !rest.isEmpty {
      guard let (answer, used) = try read(rest, toHead: false) else { throw RawClient.Failure.ended(String(decoding: rest, as: UTF8.self)) }
      answers.append(answer)
      rest.removeFirst(used)
    }
    return answers
  }

  /// Parses the first answer in these bytes; nil if it is incomplete.
  static func read(_ bytes: [UInt8], toHead: Bool) throws -> (RawAnswer, used: Int)? {
    guard let headEnd = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return nil }
    var lines = String(decoding: bytes[..<(headEnd - 4)], as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
    let status = lines.removeFirst().split(separator: " ")
    guard status.count >= 2, status[0] == "HTTP/1.1", let code = Int(status[1]) else {
      throw RawClient.Failure.notHTTP(String(decoding: bytes, as: UTF8.self))
    }
    var answer = RawAnswer(status: code)
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { throw RawClient.Failure.notHTTP(String(line)) }
      answer.fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    if toHead || code == 204 || code == 304 || code < 200 { return (answer, headEnd) }
    if answer.fields["transfer-encoding"] == "chunked" { return try chunked(bytes, headEnd, answer) }
    guard let length = answer.fields["content-length"].flatMap({ Int($0) }) else {
      throw RawClient.Failure.notHTTP("no length: \(String(decoding: bytes[..<headEnd], as: UTF8.self))")
    }
    if bytes.count < headEnd + length { return nil }
    answer.body = Array(bytes[headEnd..<(headEnd + length)])
    return (answer, headEnd + length)
  }

  private static func chunked(_ bytes: [UInt8], _ start: Int, _ answer: RawAnswer) throws -> (RawAnswer, used: Int)? {
    var (at, answer) = (start, answer)
    while let lineEnd = bytes[at...].firstRange(of: Array("\r\n".utf8)) {
      guard let size = Int(String(decoding: bytes[at..<lineEnd.lowerBound], as: UTF8.self), radix: 16) else {
        throw RawClient.Failure.notHTTP("chunk size")
      }
      if bytes.count < lineEnd.upperBound + size + 2 { return nil }
      answer.body += bytes[lineEnd.upperBound..<(lineEnd.upperBound + size)]
      at = lineEnd.upperBound + size + 2
      if size == 0 { return (answer, at) }
    }
    return nil
  }
}
