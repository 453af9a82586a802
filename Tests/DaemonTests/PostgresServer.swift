// A PostgreSQL server of a test's own, whose settings the test may change, and a proxy that cuts one connection to a server.

import Glibc
import Synchronization
import Testing

/// A server beside the one that all tests share. It ends with the test.
final class PostgresServer {
  /// The parameters of a connection to it, as libpq reads them.
  let connection: String
  private let data: String
  private let process: ChildProcess
  private let folder: TemporaryFolder
  /// The end of a pipe that the server's script reads: it ends when this is closed, by whatever.
  private let life: Int32

  init() throws {
    folder = try TemporaryFolder()
    let pipe = folder.path + "/life"
    try #require(mkfifo(pipe, 0o600) == 0)
    life = open(pipe, O_RDWR | O_CLOEXEC)
    process = try ChildProcess(
      Built.tree + "/.ci/with-postgres",
      ["/bin/sh", "-c", "echo \"$GAMECONF_POSTGRES\"; echo \"$GAMECONF_POSTGRES_DATA\"; exec cat <\"$0\"", pipe])
    connection = try #require(process.outputLine())
    data = try #require(process.outputLine())
  }

  deinit {
    close(life)
    _ = process.waitForEnd()
  }

  /// Changes a setting, as `ALTER SYSTEM` and a reload do.
  func set(_ line: String) throws {
    let file = try #require(fopen(data + "/postgresql.auto.conf", "a"))
    fputs(line + "\n", file)
    fclose(file)
    let text = String(decoding: try #require(TemporaryFolder.read(data + "/postmaster.pid")), as: UTF8.self)
    kill(try #require(text.split(separator: "\n").first.flatMap { pid_t($0) }), SIGHUP)
  }
}

/// Stands between a daemon and a server, and ends the first connection on which the daemon sends a text.
final class CuttingProxy {
  /// The folder of its socket.
  let folder: TemporaryFolder
  private let listener: Int32
  private let link: Link

  /// - Parameter server: The folder of the server's socket.
  init(to server: String, cuttingAt text: String) throws {
    folder = try TemporaryFolder()
    let link = Link(server + "/.s.PGSQL.5432", text)
    let listener = try UnhelpfulDaemon.listening(at: folder.path + "/.s.PGSQL.5432")
    (self.link, self.listener) = (link, listener)
    _ = try ClientThreads(1) { _ in
      while case let client = accept(listener, nil, nil), client >= 0 {
        let isServed = (try? ClientThreads(1) { _ in link.serve(client) }) != nil
        if !isServed { close(client) }
      }
      close(listener)
    }
  }

  /// The thread closes the socket when its `accept` fails.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// True once a connection was cut.
  var hasCut: Bool { link.hasCut.withLock { $0 } }

  private final class Link: Sendable {
    let hasCut = Mutex(false)
    private let server: String
    private let text: [UInt8]

    init(_ server: String, _ text: String) { (self.server, self.text) = (server, Array(text.utf8)) }

    func serve(_ client: Int32) {
      defer { close(client) }
      guard let upstream = try? RawConnection(server) else { return }
      var bytes = [UInt8](repeating: 0, count: 65_536)
      while true {
        var polled = [
          pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: upstream.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        guard poll(&polled, 2, -1) > 0 else { return }
        for (at, (from, to)) in [(client, upstream.descriptor), (upstream.descriptor, client)].enumerated() where polled[at].revents != 0 {
          let count = read(from, &bytes, bytes.count)
          guard count > 0 else { return }
          if at == 0, bytes[..<count].firstRange(of: text) != nil, cuts() { return }
          var sent = 0
          while sent < count {
            let more = bytes.withUnsafeBytes { send(to, $0.baseAddress.map { $0 + sent }, count - sent, Int32(MSG_NOSIGNAL)) }
            guard more > 0 else { return }
            sent += more
          }
        }
      }
    }

    /// True the first time.
    private func cuts() -> Bool {
      hasCut.withLock { hasCut in
        defer { hasCut = true }
        return !hasCut
      }
    }
  }
}
