// A client that sends raw bytes and reads raw answers.

import GameConfCore
import Glibc

/// A blocking connection to a Unix socket.
final class RawConnection {
  /// A parsed HTTP response.
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: Value { (try? JSONReader.value(from: body, limits: JSONLimits(depthMax: 128, bytesMax: body.count))) ?? .null }
    /// The code of the problem in the response's body; nil if the response is not a problem.
    var code: String? { json["code"]?.stringValue }
    var detail: String? { json["detail"]?.stringValue }
  }

  let descriptor: Int32
  private var pending: [UInt8] = []

  init(_ path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { throw ChildProcess.Failure(description: "path too long") }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    guard result == 0 else {
      // The deinitializer closes the descriptor. Closing it here too could close another thread's new descriptor.
      let reason = String(cString: strerror(errno))
      throw ChildProcess.Failure(description: "cannot connect to \(path): \(reason)")
    }
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Sends bytes; false if the peer has disconnected.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Sends a text; false if the peer has disconnected.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Reads and drops the available bytes without waiting.
  func drain() {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
  }

  /// Closes the sending half of the connection.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads one response; nil if the connection closes before the response is complete.
  func answer(toHead: Bool = false) -> Answer? {
    while true {
      if let end = endOfHead() {
        let head = String(decoding: pending[..<end], as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
        var headers: [String: String] = [:]
        for line in head.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1)
          if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingPrefix(" ").description }
        }
        let status = head.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0
        let hasBody = !toHead && status >= 200 && status != 204 && status != 304
        let length = hasBody ? Int(headers["content-length"] ?? "0") ?? 0 : 0
        let whole = end + 4 + length
        while pending.count < whole { if !readMore() { return nil } }
        let body = Array(pending[(end + 4)..<whole])
        pending.removeSubrange(..<whole)
        return Answer(status: status, headers: headers, body: body)
      }
      if !readMore() { return nil }
    }
  }

  /// Reads the head of a chunked response and returns its status; nil if the connection closes before the end of the head.
  func beginStream() -> Int? {
    while endOfHead() == nil { if !readMore() { return nil } }
    guard let end = endOfHead() else { return nil }
    let status = String(decoding: pending[..<end], as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
    pending.removeSubrange(..<(end + 4))
    return status
  }

  /// Reads one chunk; empty at the end of the body, nil if the connection closes before the end of the chunk.
  func nextChunk() -> [UInt8]? {
    while true {
      if let line = pending.firstIndex(of: 10), let size = Int(String(decoding: pending[..<line], as: UTF8.self).dropLast(), radix: 16) {
        while pending.count < line + 1 + size + 2 { if !readMore() { return nil } }
        let chunk = Array(pending[(line + 1)..<(line + 1 + size)])
        pending.removeSubrange(..<(line + 1 + size + 2))
        return chunk
      }
      if !readMore() { return nil }
    }
  }

  /// Reads everything until the connection closes; nil after a time limit.
  func readToEnd() -> [UInt8]? {
    while readMore() {}
    return errno == EAGAIN ? nil : pending
  }

  private func endOfHead() -> Int? {
    guard pending.count >= 4 else { return nil }
    for at in 0...(pending.count - 4) where pending[at] == 13 && pending[at + 1] == 10 && pending[at + 2] == 13 && pending[at + 3] == 10 {
      return at
    }
    return nil
  }

  private func readMore() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    errno = 0
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { pending.append(contentsOf: buffer[..<count]) }
    return count > 0
  }
}
