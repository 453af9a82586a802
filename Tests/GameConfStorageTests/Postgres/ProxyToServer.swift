// A proxy between a store and the server that breaks a connection at the worst moment.
import GameConfCore
import Glibc
import TestSupport
import Testing

@testable import GameConfStorage

/// Forwards the bytes of both sides over a Unix socket. On request it ends a connection instead of forwarding the answer to a commit.
final class ProxyToServer: Sendable {
  private struct GuardedState {
    var isHeld = false
    var isArmed = false
    var cuts = 0
    var threads = 1

    mutating func cut() -> Bool {
      guard isArmed else { return false }
      (isArmed, isHeld) = (false, true)
      cuts += 1
      return true
    }
  }

  let folder: TemporaryFolder
  private let server: String
  private let descriptor: Int32
  private let guarded = Monitor(GuardedState())

  /// - Parameter server: The folder of the server's socket.
  init(to server: String) throws {
    folder = try TemporaryFolder()
    self.server = server
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let isListening = Self.withAddress(of: folder.path) { bind(descriptor, $0, $1) } == 0 && listen(descriptor, 64) == 0
    try #require(isListening)
    let isStarted = WorkerThread.start { [descriptor, guarded, server] in
      while true {
        let client = accept(descriptor, nil, nil)
        if client < 0 { break }
        guarded.change { $0.threads += 1 }
        if !WorkerThread.start({ Self.handOn(client, server, guarded) }) { Self.end(client, guarded) }
      }
      guarded.change { $0.threads -= 1 }
    }
    try #require(isStarted)
  }

  deinit {
    hold(false)
    shutdown(descriptor, Int32(SHUT_RDWR))
    guarded.wait { $0.threads == 0 ? () : nil }
    close(descriptor)
  }

  /// Holds new connections back, or releases the waiting ones.
  func hold(_ isHeld: Bool) { guarded.change { $0.isHeld = isHeld } }

  /// Ends the next connection on which an insertion is committed, after the server has confirmed the commit. Holds new connections back
  /// from then on.
  /// - Returns: The number of this cut, from 1.
  func cutNextCommit() -> Int {
    guarded.change { guarded in
      guarded.isArmed = true
      return guarded.cuts + 1
    }
  }

  /// Waits until the cut with this number has ended a connection.
  func hasCut(_ number: Int) async {
    while guarded.change({ $0.cuts < number }) { await Task.yield() }
  }

  private static func end(_ client: Int32, _ guarded: Monitor<GuardedState>) {
    close(client)
    guarded.change { $0.threads -= 1 }
  }

  private static func handOn(_ client: Int32, _ server: String, _ guarded: Monitor<GuardedState>) {
    defer { end(client, guarded) }
    guarded.wait { $0.isHeld ? nil : () }
    let upstream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(upstream) }
    guard withAddress(of: server, { connect(upstream, $0, $1) }) == 0 else { return }
    var (bytes, said) = ([UInt8](repeating: 0, count: 65_536), [UInt8]())
    while true {
      var polled = [pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: upstream, events: Int16(POLLIN), revents: 0)]
      guard poll(&polled, 2, -1) > 0 else { return }
      for (at, (from, to)) in [(client, upstream), (upstream, client)].enumerated() where polled[at].revents != 0 {
        let count = read(from, &bytes, bytes.count)
        guard count > 0 else { return }
        if at == 1 {
          said += bytes[..<count]
          if isCommit(said), guarded.change({ $0.cut() }) { return }
          if count >= 6, bytes[count - 6] == UInt8(ascii: "Z") { said = [] }
        }
        var sent = 0
        while sent < count {
          // The store may have closed the connection.
          let more = bytes.withUnsafeBytes { send(to, $0.baseAddress.map { $0 + sent }, count - sent, Int32(MSG_NOSIGNAL)) }
          guard more > 0 else { return }
          sent += more
        }
      }
    }
  }

  /// True if the server has confirmed an inserted row and the commit.
  private static func isCommit(_ said: [UInt8]) -> Bool {
    said.firstRange(of: Array("INSERT 0 1\0".utf8)) != nil && said.firstRange(of: Array("COMMIT\0".utf8)) != nil
  }

  private static func withAddress(of folder: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array("\(folder)/.s.PGSQL.5432".utf8)) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}

extension PostgresSettings {
  /// Returns settings for the same database through a proxy.
  func through(_ proxy: ProxyToServer) -> PostgresSettings {
    var settings = self
    settings.connection = connection.split(separator: " ").map { $0.hasPrefix("host=") ? "host=\(proxy.folder.path)" : String($0) }
      .joined(separator: " ")
    return settings
  }

  /// The folder of the server's socket.
  var serverFolder: String { connection.split(separator: " ").first { $0.hasPrefix("host=") }.map { String($0.dropFirst(5)) } ?? "" }
}

extension FleetTests {
  @Test("a change whose commit gets no answer is made once, is reported as made, and does not undo a later change of another host")
  func lostCommit() async throws {
    let proxy = try ProxyToServer(to: settings.serverFolder)
    let (host, other) = (try FleetHost(settings.through(proxy), "one"), try FleetHost(settings, "other"))
    try await other.force("k", 1)
    await host.receives { if case .overrides(_, revision: 1, _) = $0 { true } else { false } }
    func receives(_ each: FleetHost, _ revision: Int64) async {
      await each.receives {
        switch $0 {
        case .overrides(_, revision, _): true
        case .replaced(let contents): contents.state.revisions["g"] == revision
        default: false
        }
      }
    }
    // On a slow machine the writer finds no connection in its three attempts and reports an unknown outcome, which does not count here.
    var (last, answer): (Int64, Int64?) = (1, nil)
    for _ in 1...5 where answer == nil {
      let (mine, others) = (last + 1, last + 2)
      // A change that is refused for lack of a connection is not committed, so nothing would be cut.
      while host.store.health.condition != .good { try? await host.store.look() }
      let cut = proxy.cutNextCommit()
      async let answered = host.force("k", .integer(mine))
      await proxy.hasCut(cut)
      #expect(try await other.force("k", .integer(others)) == others, "the commit itself was done")
      proxy.hold(false)
      do { answer = try await answered } catch StoreError.unknown { await receives(host, others) }
      last = others
    }
    let revision = last
    #expect(answer == revision - 1)
    for each in [host, other] {
      await receives(each, revision)
      #expect(try await each.store.contents().state.revisions["g"] == revision)
      #expect(try await each.store.contents().state.sortedOverrides.first?.records.first?.value == .integer(revision))
    }
    let published = host.changes.compactMap { if case .overrides(_, let revision, _) = $0 { revision } else { nil } }
    #expect(!published.contains(revision - 1), "it is among what was read anew, and later than that by nobody's account")
    let lines = try await host.store.read(deadlineMilliseconds: 60_000) { try $0.audits(AuditSelection(limit: 10)) }
    #expect(lines.count == Int(revision))
  }
}
