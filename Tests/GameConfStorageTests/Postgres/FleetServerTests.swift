// Unsuitable servers: an old version, a full disk, and too few connections.
import GameConfCore
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GameConfStorage

private let ada = PlayerID(game: "g", player: "ada")

/// A listener on a Unix socket that greets like a server of some version, and answers any query with `off`.
private final class FakeServer: Sendable {
  let folder: String
  private let descriptor: Int32
  private let hasEnded = ThreadEnd()

  /// A flag by which the end of a thread can be awaited.
  private final class ThreadEnd: Sendable {
    private let monitor = Monitor(false)
    func notify() { monitor.change { $0 = true } }
    func wait() { monitor.wait { $0 ? () : nil } }
  }

  init(version: String, in folder: String) throws {
    self.folder = folder
    let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    descriptor = listening
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("\(folder)/.s.PGSQL.5432".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    try #require(isBound == 0 && listen(listening, 8) == 0)
    let ended = hasEnded
    _ = WorkerThread.start {
      while true {
        let accepted = accept(listening, nil, nil)
        if accepted < 0 { break }
        Self.serve(accepted, version)
        Glibc.close(accepted)
      }
      ended.notify()
    }
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    hasEnded.wait()
    Glibc.close(descriptor)
  }

  private static func serve(_ descriptor: Int32, _ version: String) {
    let greeting =
      message("R", [0, 0, 0, 0])
      + [("server_version", version), ("server_encoding", "UTF8"), ("client_encoding", "UTF8"), ("standard_conforming_strings", "on")]
      .flatMap { message("S", text($0) + text($1)) }
      + message("K", [0, 0, 0, 1, 0, 0, 0, 1]) + message("Z", Array("I".utf8))
    let answer =
      message("T", [0, 1] + text("transaction_read_only") + [0, 0, 0, 0, 0, 0] + [0, 0, 0, 25, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0])
      + message("D", [0, 1, 0, 0, 0, 3] + Array("off".utf8)) + message("C", text("SHOW")) + message("Z", Array("I".utf8))
    var isGreeted = false
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count <= 0 || bytes[0] == UInt8(ascii: "X") { return }
      let reply = isGreeted ? answer : greeting
      isGreeted = true
      if write(descriptor, reply, reply.count) != reply.count { return }
    }
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

  private static func message(_ kind: Character, _ body: [UInt8]) -> [UInt8] {
    let length = UInt32(body.count + 4)
    return [kind.asciiValue ?? 0] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + body
  }
}

/// A small file system that a server's user may write to; nil if it cannot be mounted.
private final class SmallTablespace {
  let path: String

  /// - Parameter data: The server's data folder, whose owner also owns the new one.
  init?(beside data: String) {
    var status = stat()
    var template = Array("/tmp/gameconf-space-XXXXXX".utf8CString)
    guard geteuid() == 0, stat(data, &status) == 0, mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard mount("gameconf-test", path, "tmpfs", 0, "size=6m") == 0 else {
      rmdir(path)
      return nil
    }
    guard mkdir(path + "/space", 0o700) == 0, chown(path + "/space", status.st_uid, status.st_gid) == 0, chmod(path, 0o755) == 0 else {
      return nil
    }
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }

  func fill() {
    let descriptor = open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    let block = [UInt8](repeating: 1, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    close(descriptor)
  }

  func free() { unlink(path + "/filler") }
}

/// The migration steps and the refusals that many starting daemons report.
private final class CrowdReports: Sendable {
  let steps = Mutex<[StoreMigration]>([])
  let refusals = Mutex<[String]>([])
}

extension FleetTests {
  @Test("a server of PostgreSQL 9 is refused, and the message names the required version")
  func old() throws {
    let folder = try TemporaryFolder()
    let server = try FakeServer(version: "9.6.24", in: folder.path)
    let settings = try #require(PostgresSettings(connection: "host=\(server.folder) user=x dbname=x sslmode=disable gssencmode=disable"))
    let refused = #expect(throws: DatabaseFailure.self) { try PostgresConnection(settings, for: .writing).close() }
    #expect(refused?.message == "the server is of version 9; 12 or newer is needed")
    let host = try FleetHost(settings, "one")
    #expect(host.store.health.condition == .failing("the server is of version 9; 12 or newer is needed"))
  }

  @Test("a server whose disk is full refuses writes with the reason, serves reads, and accepts writes when there is space again")
  func full() async throws {
    guard let data = getenv("GAMECONF_POSTGRES_DATA").map({ String(cString: $0) }), let disk = SmallTablespace(beside: data) else {
      print("SKIPPED: a server's full disk was not tried, since this user may not mount a tmpfs (run as root)")
      return
    }
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    let space = "s" + settings.schema
    _ = try admin.round([PostgresCommand("CREATE TABLESPACE \(space) LOCATION '\(disk.path)/space'")])
    defer {
      _ = try? admin.round([PostgresCommand("DROP SCHEMA IF EXISTS \(settings.quotedSchema) CASCADE")])
      _ = try? admin.round([PostgresCommand("DROP TABLESPACE IF EXISTS \(space)")])
    }
    var small = settings
    small.connection += " options='-c default_tablespace=\(space)'"
    do {
      let (host, other) = (try FleetHost(small, "one"), try FleetHost(small, "other"))
      try await host.force("k", 1)
      try await host.visit(ada)
      disk.fill()
      var (refused, taken): (StoreError?, Int64) = (nil, 1)
      while refused == nil {
        do throws(any Error) { taken = try await host.force("large\(taken)", .string(String(repeating: "x", count: 1_500))) } catch {
          refused = error as? StoreError
        }
      }
      guard case .serverDiskFull(let words) = refused else { throw refused ?? .overloaded }
      #expect(words.contains("53100"), "\(words)")
      #expect(host.store.health.condition == .noSpace)
      #expect(try await host.store.read(deadlineMilliseconds: 60_000) { try $0.player(ada) }.revision == 1)
      #expect(try await host.store.read(deadlineMilliseconds: 60_000) { try $0.revision(of: "g") } == taken)
      // A poll finds that the database is reachable, which does not mean that there is space to write.
      try await host.store.look()
      #expect(host.store.health.condition == .noSpace)
      await other.receives { if case .overrides(_, revision: taken, _) = $0 { true } else { false } }
      disk.free()
      while host.store.health.condition != .good { try await host.store.look() }
      #expect(try await host.force("k", 2) == taken + 1, "what was refused has made no revision")
      #expect(host.store.health.condition == .good)
      #expect(try await other.force("k", 3) == taken + 2)
    }
  }

  @Test("two fleets in one database neither notify each other nor share rows")
  func twoFleets() async throws {
    let (one, other) = (try FleetHost(settings, "one"), try FleetHost(try .fresh(), "other"))
    for number in Int64(1)...3 {
      #expect(try await one.force("k", .integer(number)) == number)
      #expect(try await other.force("k", .integer(-number)) == number)
      try await one.visit(ada)
    }
    // Each listener registers its host at its first poll, which no write waits for.
    for host in [one, other] { await host.isRegistered() }
    for (host, name, value) in [(one, "one", 3), (other, "other", -3)] {
      #expect(try await host.store.takes(lease: "a", milliseconds: 3_600_000))
      try await host.store.look()
      #expect(try await host.store.contents().state.sortedOverrides.first?.records.first?.value == .integer(Int64(value)))
      #expect(host.store.health.fleet?.hosts.map(\.name) == [name])
      #expect(!host.changes.contains { if case .replaced = $0 { true } else { false } })
    }
    #expect(try await other.store.read(deadlineMilliseconds: 60_000) { try $0.player(ada) }.revision == 0)
    let epochs = [try await one.store.contents().state.epoch, try await other.store.contents().state.epoch]
    #expect(epochs[0] != epochs[1])
    for host in [one, other] { host.store.close() }
    let fleets = try [one, other].compactMap { try LastGoodCopy.state($0.folder.read("state/last-good.json"))?.fleet }
    #expect(Set(fleets).count == 2)
  }

  @Test("a foreign table with the name of a table of gameconfd is refused and left unchanged")
  func namesake() throws {
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    _ = try admin.round([
      PostgresCommand("CREATE SCHEMA \(settings.quotedSchema)"),
      PostgresCommand("CREATE TABLE \(settings.quotedSchema).fleet (ship TEXT)"),
      PostgresCommand("INSERT INTO \(settings.quotedSchema).fleet VALUES ('Bounty')"),
    ])
    let refused = #expect(throws: DatabaseFailure.self) {
      try PostgresSession(settings, .current, PostgresGrammar(), writer: "one", process: "a") { _ in }.connection.close()
    }
    #expect(refused?.message.contains("tables that are not gameconfd's") == true, "\(refused?.message ?? "")")
    let rows = try admin.round([PostgresCommand("SELECT ship FROM \(settings.quotedSchema).fleet")])
    #expect(rows.first?.rows.count == 1)
  }

  @Test("many daemons on a server with few connections create the tables once; those without a connection report it, and connect later")
  func many() async throws {
    let count = 96
    let admin = try PostgresConnection(try PostgresSettings.fresh(), for: .following)
    defer { admin.close() }
    let role = "h" + settings.schema
    _ = try admin.round([
      PostgresCommand("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 12"),
      PostgresCommand("CREATE SCHEMA \(settings.quotedSchema) AUTHORIZATION \(role)"),
    ])
    var crowded = settings
    crowded.connection += " user=\(role)"
    let crowd = crowded
    let reports = CrowdReports()
    var (waiting, waves) = (Set(0..<count), 0)
    while !waiting.isEmpty {
      waves += 1
      let came = await withTaskGroup(of: Int?.self) { group in
        for number in waiting {
          group.addTask {
            await WorkerThread.run {
              do throws(DatabaseFailure) {
                let session = try PostgresSession(crowd, .current, PostgresGrammar(), writer: "h\(number)", process: "a") { step in
                  reports.steps.withLock { $0.append(step) }
                }
                session.connection.close()
                return number
              } catch {
                reports.refusals.withLock { $0.append(error.message) }
                return nil
              }
            } ?? nil
          }
        }
        return await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
      }
      #expect(!came.isEmpty, "somebody comes in each time")
      if came.isEmpty { return }
      waiting.subtract(came)
    }
    #expect(waves > 1)
    let steps = reports.steps.withLock { $0.map(\.step) }
    #expect(!steps.isEmpty && steps == Array(1...max(1, steps.count)), "one daemon made the tables")
    let refusals = reports.refusals.withLock { Set($0) }
    // Beside busy neighbours the server may also accept no connection in time; that is temporary too.
    #expect(refusals.contains { $0.contains("too many") }, "\(refusals)")
    #expect(refusals.allSatisfy { $0.contains("too many") || $0.contains("timeout expired") }, "\(refusals)")
    let rows = try admin.round([PostgresCommand("SELECT count(*) FROM \(settings.quotedSchema).writers")])
    #expect(rows.first?.integer(0, 0) == Int64(count))
  }
}
