// A PostgreSQL server for one test, whose settings the test can change, and a proxy that cuts one connection to a server.

import Glibc
import Synchronization
import Testing

/// A PostgreSQL server for one test, besides the server that all tests share. It stops when the object is deallocated.
final class PostgresServer {
  /// The connection parameters in the form of libpq.
  let connection: String
  private let data: String
  private let process: ChildProcess
  private let folder: TemporaryFolder
  /// A pipe that the server's script reads. The script stops the server when this end is closed, also if the test process crashes.
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

  /// Changes a setting and makes the server reload its settings, like `ALTER SYSTEM` and `pg_reload_conf()`.
  func set(_ line: String) throws {
    let file = try #require(fopen(data + "/postgresql.auto.conf", "a"))
    fputs(line + "\n", file)
    fclose(file)
    let text = String(decoding: try #require(TemporaryFolder.read(data + "/postmaster.pid")), as: UTF8.self)
    kill(try #require(text.split(separator: "\n").first.flatMap { pid_t($0) }), SIGHUP)
  }
}

/// A proxy between a daemon and a server, which closes the first connection on which the daemon sends a given text.
final class CuttingProxy {
  /// The folder of the proxy's socket.
  let folder: TemporaryFolder
  private let listener: Int32
  private let link: Link

  /// Starts a proxy that closes the first connection on which the daemon sends the text.
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

  /// The accepting thread closes the socket, when its `accept` fails because of this shutdown.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// True if the proxy has closed a connection.
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

    /// Returns true at the first call only.
    private func cuts() -> Bool {
      hasCut.withLock { hasCut in
        defer { hasCut = true }
        return !hasCut
      }
    }
  }
}
