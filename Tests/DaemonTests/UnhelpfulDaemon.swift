// A daemon without valid answers, for clients that must cope with it.

import Glibc

/// Answers every request on a Unix socket by one rule, and closes the connection after each.
final class UnhelpfulDaemon {
  /// Returns the response to a request, by its method and target. For an empty text, the daemon closes the connection without a response.
  typealias Rule = @Sendable (_ method: Substring, _ target: Substring) -> String

  private let listener: Int32

  init(at path: String, _ rule: @escaping Rule) throws {
    listener = try Self.listening(at: path)
    let (listener, answer) = (listener, rule)
    var thread = pthread_t()
    let work = Unmanaged.passRetained(Work { Self.serve(listener, answer) })
    let made = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, work.toOpaque())
    guard made == 0 else { throw ChildProcess.Failure(description: "no thread for \(path)") }
    pthread_detach(thread)
  }

  /// Makes the thread's `accept` fail, after which the thread closes the socket.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Returns the text of an HTTP response.
  static func answer(_ status: Int, _ body: String, type: String = "application/json", fields: String = "") -> String {
    """
    HTTP/1.1 \(status) Status\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\(fields)Connection: close\r\n\r\n\(body)
    """
  }

  private final class Work: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func serve(_ listener: Int32, _ rule: Rule) {
    while case let connection = accept(listener, nil, nil), connection >= 0 {
      let words = head(connection).split(separator: " ")
      if words.count > 2 {
        let text = rule(words[0], words[1])
        send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
        // Closing with unread bytes would reset the connection and discard the answer.
        shutdown(connection, Int32(SHUT_WR))
        var rest = [UInt8](repeating: 0, count: 4096)
        while recv(connection, &rest, rest.count, 0) > 0 {}
      }
      close(connection)
    }
    close(listener)
  }

  /// Reads a request's head byte by byte up to its empty line; empty if the client disconnects before.
  private static func head(_ connection: Int32) -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.suffix(4) != [13, 10, 13, 10] {
      guard recv(connection, &byte, 1, 0) == 1 else { return "" }
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Creates a socket that listens at a path.
  static func listening(at path: String) throws -> Int32 {
    let made = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(made, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 }
    }
    guard isBound, listen(made, 8) == 0 else { throw ChildProcess.Failure(description: "cannot listen at \(path)") }
    return made
  }
}
