// State files that belong to another store: a host that switches its database, and one that comes from SQLite.
import GameConfCore
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import GameConfStorage

private let slot = OverrideSlot(game: "g", key: "k")

/// A state directory that is used with one store after the other.
private final class MovingHost: Sendable {
  let temporary: TemporaryFolder
  let directory: StateDirectory
  let logged = Mutex<[String]>([])
  let losses = Mutex<[String]>([])

  init() throws {
    temporary = try TemporaryFolder()
    directory = try StateDirectory(path: temporary.path + "/state")
  }

  var reports: [String] { logged.withLock { $0 } }

  func postgres(_ settings: PostgresSettings) -> PostgresStore {
    PostgresStore(
      settings, writer: "moving", lastGood: LastGoodFile(in: directory), owner: owner(isShared: true), times: .tests,
      now: { Instant(seconds: 1000) },
      foundLoss: { words in self.losses.withLock { $0.append(words) } })
  }

  func sqlite() -> SQLiteStore {
    SQLiteStore(
      in: directory, lastGood: LastGoodFile(in: directory), owner: owner(isShared: false), times: .tests, now: { Instant(seconds: 1000) })
  }

  private func owner(isShared: Bool) -> StateOwner { StateOwner(isShared: isShared) { words in self.logged.withLock { $0.append(words) } } }

  var lastGood: LastGoodState? { get throws { try LastGoodFile(in: directory).load() } }
}

extension Store {
  /// Overrides a value a number of times.
  fileprivate func force(_ value: Value, times: Int = 1) async throws -> Int64 {
    var last: Int64 = 0
    for _ in 0..<times {
      last = try await write(WriteMode(scope: .game("g")), refusing: StoreError.self) { transaction in
        let revision = try transaction.nextRevision(of: "g")
        var overrides = KeyOverrides(slot: slot)
        overrides.setPermanent(
          OverrideRecord(
            slot: slot, value: value, author: Author(uid: 1, name: "ada"), reason: nil, at: Instant(seconds: 1), revision: revision))
        try transaction.put(overrides, revision: revision)
        return revision
      }
    }
    return last
  }

  fileprivate var overridden: Value? { get async throws { try await contents().state.sortedOverrides.first?.records.first?.value } }
}

@Suite("State files of another store")
struct FleetOwnerTests {
  private let host: MovingHost

  init() throws { host = try MovingHost() }

  private static func nowhere() throws -> PostgresSettings {
    try #require(PostgresSettings(connection: "host=/nonexistent dbname=x"))
  }

  @Test(
    "a host that switches to another fleet's database applies nothing of its old fleet's state file, and raises no revision",
    .enabled(if: StoreKind.postgresConnection != nil))
  func another() async throws {
    let (first, second) = (try PostgresSettings.fresh(), try PostgresSettings.fresh())
    let one = host.postgres(first)
    #expect(try await one.force(1, times: 7) == 7)
    one.close()
    let fleet = try #require(try host.lastGood?.fleet)
    let other = host.postgres(second)
    let contents = try await other.contents()
    #expect(contents.state.sortedOverrides.isEmpty && contents.state.revisions["g"] == nil)
    #expect(host.losses.withLock { $0 } == [])
    #expect(host.reports.count == 1 && host.reports[0].contains("fleet \(fleet): that state is no longer served"), "\(host.reports)")
    #expect(other.health.disregarded == host.reports)
    #expect(try await other.force(2) == 1)
    other.close()
    #expect(try host.lastGood?.fleet != fleet && host.lastGood?.state.revisions == ["g": 1])
    // The same fleet again, so no message is expected.
    host.logged.withLock { $0 = [] }
    let again = host.postgres(second)
    #expect(again.health.disregarded.isEmpty && host.reports.isEmpty)
    #expect(try await again.force(3) == 2)
    again.close()
  }

  @Test(
    "state that is served while the database is unreachable is dropped when the database proves to be another fleet's",
    .enabled(if: StoreKind.postgresConnection != nil))
  func provesToBeAnother() async throws {
    let connection = try #require(StoreKind.postgresConnection)
    let server = try #require(connection.split(separator: " ").first { $0.hasPrefix("host=") }?.dropFirst(5))
    let one = host.postgres(try .fresh())
    _ = try await one.force(1, times: 7)
    one.close()
    var away = try PostgresSettings.fresh()
    let link = host.temporary.path + "/server"
    away.connection = connection.split(separator: " ").map { $0.hasPrefix("host=") ? "host=\(link)" : String($0) }.joined(separator: " ")
    let other = host.postgres(away)
    defer { other.close() }
    let replacements = Mutex(0)
    other.publish { batch in
      for case .replaced in batch.changes { replacements.withLock { $0 += 1 } }
      return nil
    }
    #expect(try await other.overridden == 1)
    #expect(symlink(String(server), link) == 0)
    while other.health.condition != .good { try? await other.look() }
    #expect(try await other.contents().state.sortedOverrides.isEmpty)
    #expect(host.losses.withLock { $0 } == [])
    #expect(host.reports.contains { $0.contains("state served before") }, "\(host.reports)")
    #expect(try await other.force(2) == 1)
    #expect(replacements.withLock { $0 } == 1, "watchers begin anew")
  }

  @Test("without its database a host serves its own fleet's last good state, but not one whose file names no fleet")
  func unnamed() async throws {
    let alone = host.sqlite()
    _ = try await alone.force(1)
    alone.close()
    #expect(try host.lastGood?.state.sortedOverrides.count == 1 && host.lastGood?.fleet == nil)
    let away = host.postgres(try Self.nowhere())
    let contents = try await away.contents()
    #expect(contents.state.sortedOverrides.isEmpty && contents.origin == .nothing)
    #expect(away.health.disregarded.count == 1 && away.health.disregarded[0].contains("without the id of a fleet"))
    away.close()
    #expect(try host.lastGood?.state.sortedOverrides.count == 1, "nothing was there to write")
    var state = try #require(try host.lastGood)
    state.fleet = "f1"
    try LastGoodFile(in: host.directory).store(state)
    let again = host.postgres(try Self.nowhere())
    #expect(try await again.overridden == 1)
    #expect(again.health.disregarded.isEmpty)
    again.close()
    #expect(try host.lastGood?.fleet == "f1")
  }

  @Test("a host without a fleet applies a state file that names no fleet, and starts empty beside a state file that names one")
  func alone() async throws {
    let alone = host.sqlite()
    _ = try await alone.force(1, times: 3)
    alone.close()
    let again = host.sqlite()
    #expect(try await again.overridden == 1)
    #expect(again.health.disregarded.isEmpty)
    again.close()
    for name in host.temporary.names(in: "state") where name.hasPrefix("gameconfd.db") { unlink(host.directory.path + "/" + name) }
    let missing = host.sqlite()
    if case .lost = missing.health.condition {} else { Issue.record("the file tells of a database: \(missing.health.condition)") }
    missing.close()
    var state = try #require(try host.lastGood)
    state.fleet = "f1"
    try LastGoodFile(in: host.directory).store(state)
    let fresh = host.sqlite()
    #expect(fresh.health.condition == .good && fresh.health.disregarded.count == 1)
    #expect(fresh.health.disregarded.first?.contains("in the fleet f1, and the store is this host's own") == true)
    #expect(try await fresh.contents().state.sortedOverrides.isEmpty)
    #expect(try await fresh.force(2) == 1)
    fresh.close()
    #expect(try host.lastGood?.fleet == nil && host.lastGood?.state.revisions == ["g": 1])
  }

  @Test("stored catalogs name their fleet, and only a host of that fleet, or a single host if they name no fleet, reads them")
  func accepted() throws {
    let catalog = AcceptedCatalog(game: "g", files: [AcceptedFile(name: "g.yaml", bytes: Array("fleet x\n".utf8))])
    func files(_ owner: StateOwner) -> AcceptedCatalogFiles { AcceptedCatalogFiles(in: host.directory, owner: owner) }
    let (alone, unknown, first, second) = (StateOwner(), StateOwner(isShared: true), StateOwner(isShared: true), StateOwner(isShared: true))
    first.belong(to: "f1")
    second.belong(to: "f2")
    func readers() -> [Bool] {
      [alone, unknown, first, second].map { owner in
        let found = files(owner).load()
        #expect(found.faults.isEmpty && (found.catalogs == [catalog]) == found.foreign.isEmpty)
        return found.foreign.isEmpty
      }
    }
    try files(alone).store(catalog)
    #expect(readers() == [true, false, false, false])
    try files(first).store(catalog)
    #expect(readers() == [false, true, true, false])
    #expect(second.disregarded.count == 2 && second.disregarded[1].contains("in the fleet f1, and the store is the fleet f2's"))
    try files(second).store(catalog)
    #expect(readers() == [false, true, false, true])
    let bytes = try host.temporary.read("state/accepted/g.accepted")
    #expect(AcceptedCatalogDocument.files(in: bytes) == catalog.files)
    for at in bytes.indices {
      var changed = bytes
      changed[at] ^= 1
      #expect(AcceptedCatalogDocument.files(in: changed) == nil && AcceptedCatalogDocument.files(in: Array(bytes[..<at])) == nil)
    }
  }
}
