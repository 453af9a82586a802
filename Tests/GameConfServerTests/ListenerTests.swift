// Listening sockets: bound, stale, and adopted ones.

import Glibc
import TestSupport
import Testing

@testable import GameConfServer

@Suite("Listeners")
struct ListenerTests {
  static func mode(_ path: String) -> UInt32 {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test("a bound socket has its mode, independent of the umask, and accepts connections", arguments: [UInt32(0o666), 0o600])
  func bound(mode: UInt32) throws {
    let folder = try TemporaryFolder()
    let listener = try Listener.bind(folder.path + "/s", mode: mode, as: .games)
    #expect(Self.mode(folder.path + "/s") == mode)
    #expect(throws: Never.self) { try RawClient(folder.path + "/s") }
    #expect(fcntl(listener.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    close(listener.descriptor)
  }

  @Test("a second listener on a path in use is refused, and the first continues")
  func inUse() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    let first = try Listener.bind(path, mode: 0o666, as: .games)
    #expect(throws: ListenFault.inUse(path)) { try Listener.bind(path, mode: 0o666, as: .games) }
    #expect(throws: Never.self) { try RawClient(path) }
    close(first.descriptor)
  }

  @Test("a socket with a full accept queue counts as in use")
  func fullQueue() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    let first = try Listener.bind(path, mode: 0o666, as: .games)
    #expect(listen(first.descriptor, 0) == 0)
    let waiting = try RawClient(path)
    #expect(throws: ListenFault.inUse(path)) { try Listener.bind(path, mode: 0o666, as: .games) }
    withExtendedLifetime(waiting) { _ = close(first.descriptor) }
  }

  @Test("a stale socket is replaced")
  func stale() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    close(try Listener.bind(path, mode: 0o666, as: .games).descriptor)
    #expect(throws: (any Error).self) { try RawClient(path) }
    let second = try Listener.bind(path, mode: 0o666, as: .games)
    #expect(throws: Never.self) { try RawClient(path) }
    close(second.descriptor)
  }

  @Test("a file at the socket's path that is not a socket is reported and not removed")
  func notSockets() throws {
    let folder = try TemporaryFolder()
    let (file, directory, link) = (folder.path + "/file", folder.path + "/directory", folder.path + "/link")
    close(open(file, O_CREAT | O_WRONLY, 0o600))
    mkdir(directory, 0o700)
    symlink(file, link)
    for (path, what) in [(file, "a file"), (directory, "a directory"), (link, "a symbolic link")] {
      #expect(throws: ListenFault.notASocket(path, what)) { try Listener.bind(path, mode: 0o666, as: .games) }
      #expect(access(path, F_OK) == 0)
    }
  }

  @Test("a socket path of 107 bytes is accepted, and a longer one refused")
  func length() throws {
    let folder = try TemporaryFolder()
    let longest = folder.path + "/" + String(repeating: "s", count: UnixAddress.pathBytesMax - folder.path.utf8.count - 1)
    close(try Listener.bind(longest, mode: 0o666, as: .games).descriptor)
    #expect(throws: ListenFault.pathTooLong(longest + "s")) { try Listener.bind(longest + "s", mode: 0o666, as: .games) }
    #expect(ListenFault.pathTooLong(longest + "s").description.contains("108 bytes; at most 107"))
  }

  @Test("a missing directory of a socket's path is reported")
  func noDirectory() {
    #expect(throws: ListenFault.system("/nonexistent/s.lock", "open", ENOENT)) {
      try Listener.bind("/nonexistent/s", mode: 0o666, as: .games)
    }
  }

  @Test("a socket path is not taken while another process holds its lock")
  func locked() throws {
    let folder = try TemporaryFolder()
    let lock = try PathLock(folder.path + "/s")
    #expect(throws: ListenFault.locked(folder.path + "/s")) { try Listener.bind(folder.path + "/s", mode: 0o666, as: .games) }
    lock.release()
    close(try Listener.bind(folder.path + "/s", mode: 0o666, as: .games).descriptor)
  }

  @Test("a drained server removes only the socket that it has bound itself")
  func unlinked() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    let first = try Listener.bind(path, mode: 0o666, as: .games)
    unlink(path)
    let second = try Listener.bind(path, mode: 0o666, as: .games)
    first.unlinkIfOurs()
    #expect(access(path, F_OK) == 0)
    second.unlinkIfOurs()
    #expect(access(path, F_OK) != 0)
    close(first.descriptor)
    close(second.descriptor)
  }

  @Test("an adopted socket is served and close-on-exec, and its path is not removed at the end")
  func adopted() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/s"
    // As from systemd: a listening descriptor without close-on-exec.
    let made = try Listener.bind(path, mode: 0o666, as: .games)
    _ = fcntl(made.descriptor, F_SETFD, 0)
    let listener = try Listener.adopt(made.descriptor, as: .games)
    #expect(fcntl(made.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    #expect(listener.name == path)
    let fixture = try Fixture()
    let server = try await HTTPServer.start(
      [listener], router: fixture.router, state: LoopState(snapshot: "s"), policy: { _, _ in .role(()) })
    #expect(try await RawClient(path).ask("GET", "/v1/hello/a").status == 200)
    await server.drain(withinSeconds: 0)
    #expect(access(path, F_OK) == 0)
  }

  @Test("a descriptor that is not a listening socket is not adopted")
  func notAdopted() throws {
    let file = open("/dev/null", O_RDONLY)
    #expect(throws: ListenFault.notListening(file, "it is not a socket")) { try Listener.adopt(file, as: .games) }
    let datagram = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    #expect(throws: ListenFault.notListening(datagram, "it is not a stream socket")) { try Listener.adopt(datagram, as: .games) }
    let idle = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #expect(throws: ListenFault.notListening(idle, "it is not listening")) { try Listener.adopt(idle, as: .games) }
    let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #expect(listen(network, 1) == 0)
    #expect(throws: ListenFault.notListening(network, "the games socket must be a Unix socket")) { try Listener.adopt(network, as: .games) }
    #expect(throws: Never.self) { try Listener.adopt(network, as: .metrics) }
    for each in [file, datagram, idle, network] { close(each) }
  }
}

@Suite("Peer credentials")
struct PeerCredentialsTests {
  static func ownGroups() -> [UInt32] {
    let count = getgroups(0, nil)
    var groups = [gid_t](repeating: 0, count: Int(max(0, count)))
    return count > 0 && getgroups(count, &groups) == count ? groups.sorted() : []
  }

  @Test("the credentials of both ends of a socket pair are this process's")
  func pair() throws {
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let peer = try #require(PeerCredentials.read(from: ends[0]))
    #expect(peer.uid == getuid() && peer.gid == getgid() && peer.pid == getpid())
    #expect(peer.groups.sorted() == Self.ownGroups())
    for end in ends { close(end) }
  }

  @Test("a descriptor that is not a connected Unix socket has no credentials")
  func none() {
    let network = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let alone = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #expect(PeerCredentials.read(from: network) == nil)
    #expect(PeerCredentials.read(from: alone) == nil)
    #expect(PeerCredentials.read(from: -1) == nil)
    for each in [network, alone] { close(each) }
  }

  @Test("a peer is a member of its primary and its supplementary groups")
  func member() {
    let peer = PeerCredentials(uid: 1, gid: 5, pid: 1, groups: [7, 9])
    #expect(peer.isMember(of: 5) && peer.isMember(of: 9) && !peer.isMember(of: 1))
  }
}
