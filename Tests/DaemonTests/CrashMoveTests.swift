// Power loss while the store is moved between SQLite and PostgreSQL: any database that a daemon would open is complete.

import GameConfCore
import Glibc
import TestSupport
import Testing

@testable import GameConfStorage

@Suite("States of a disk after a loss of power during a move of the store", .enabled(if: TestStore.postgres != nil))
struct CrashMoveTests {
  private static let database = "gameconfd.db"
  private static let states = TestLength.count(60, long: 2_000)

  private func settings(_ folder: TemporaryFolder, _ text: String) throws -> [String] {
    try folder.write(text, to: "store.yaml")
    return ["--config", folder.path + "/store.yaml"]
  }

  /// Counts the rows of a database among files; nil if the database does not exist.
  private func rows(_ files: [String: [UInt8]]) throws -> [String: Int64]? {
    guard files[Self.database] != nil else { return nil }
    let folder = try TemporaryFolder(isInMemory: true)
    for (name, bytes) in files where name.hasPrefix(Self.database) { try folder.write(bytes, to: name) }
    let connection = try SQLiteConnection(path: folder.path + "/" + Self.database, for: .writingPresent)
    defer { connection.close() }
    guard try connection.texts("PRAGMA integrity_check") == ["ok"] else { throw CrashFault(description: "the database is damaged") }
    var counts: [String: Int64] = [:]
    for table in ["players", "player_lines", "overrides", "answers"] {
      counts[table] = try connection.integer("SELECT count(*) FROM \(table)")
    }
    return counts
  }

  @Test("after a power loss during a store move, the database is complete in the old or the new place", arguments: [true, false])
  func move(toPostgres: Bool) throws {
    let folder = try TemporaryFolder()
    guard let library = try DiskLibrary.make(in: folder) else { return }
    let connection = try #require(TestStore.postgres)
    let schema = "c" + String(UInt64.random(in: .min ... .max), radix: 16)
    let plain = "# SQLite.\n"
    let shared = "store: {postgres: \"\(connection)\", schema: \(schema)}\n"
    let daemon = try RunningDaemon(folder: folder, arguments: try settings(folder, toPostgres ? plain : shared))
    for number in 1...40 {
      #expect(try TestPlayer(daemon: daemon, player: "p\(number % 7)").event(score: .integer(Int64(number))).status == 200)
    }
    #expect(try daemon.put("arcade_time_limit_base", 3.5, game: "wheresthedot").status == 201)
    daemon.stop()
    let before = DiskModel(of: folder.path + "/state")
    let log = try DiskLog(folder, library: library)
    let moved = try ChildProcess(
      Built.daemon,
      [
        "move-store", "--to", toPostgres ? "postgres" : "sqlite", "--postgres", connection, "--schema", schema, "--state-dir",
        folder.path + "/state",
      ],
      environment: log.environment
    ).waitForEnd()
    #expect(moved.status == 0, "\(moved.errors)")
    var (model, random, seen, opened) = (before, SeededGenerator(seed: 1), Set<[String: [UInt8]]>(), 0)
    let first = try rows(model.files(after: .nothing, &random))
    #expect((first != nil) == toPostgres)
    let whole = try toPostgres ? first : rows(DiskModel(of: folder.path + "/state").files(after: .nothing, &random))
    let records = try log.records()
    for (place, record) in records.enumerated() {
      model.apply(record)
      for _ in 0..<max(1, Self.states / records.count) {
        for loss in PowerLoss.allCases {
          let files = model.files(after: loss, &random)
          guard seen.insert(files.filter { $0.key.hasPrefix(Self.database) }).inserted else { continue }
          opened += 1
          let left = try rows(files)
          #expect(left == nil || left == whole, "after \(place) of \(records.count) records, lost: \(loss)")
        }
      }
    }
    #expect((model.files(after: .everything, &random)[Self.database] == nil) == toPostgres)
    print("crash states: a move to \(toPostgres ? "PostgreSQL" : "SQLite"): \(opened) states of \(records.count) records")
    #expect(opened > 0)
  }
}
