// Records a daemon's disk writes while a test calls it, and checks the states that a power loss may leave.

import GameConfCore
import Glibc
import TestSupport
import Testing

/// A daemon whose disk writes are recorded.
struct CrashRecording {
  typealias Answer = RawConnection.Answer
  /// Sends a call, and marks in the recording that it was acknowledged.
  typealias Acknowledged = (() throws -> Answer) throws -> Answer

  /// The number of states to open for each recording: some 300 in total in `make test`, some 100 000 in `make test-long`.
  private static let states = TestLength.count(24, long: 5_000)

  private let name: String
  private let game: String
  private let players: Set<String>
  private let database: ((String) throws -> Void)?

  /// - Parameters:
  ///   - players: The players to compare, in addition to those that the daemon has at the end.
  ///   - database: Creates the initial database at a path.
  init(
    _ name: String, game: String = "wheresthedot", players: Set<String> = ["p1"], over database: ((String) throws -> Void)? = nil
  ) {
    self.name = name
    self.game = game
    self.players = players
    self.database = database
  }

  /// Records a daemon while the body calls it, then opens states after a power loss.
  func check(_ body: (RunningDaemon, Acknowledged) throws -> Void) async throws {
    let folder = try TemporaryFolder()
    if let database {
      mkdir(folder.path + "/state", 0o750)
      try database(folder.path + "/state/gameconfd.db")
    }
    let before = DiskModel(of: folder.path + "/state")
    guard let library = try DiskLibrary.make(in: folder) else { return }
    let log = try DiskLog(folder, library: library)
    let catalog = try #require(TemporaryFolder.read(Built.tree + "/Defaults/\(game).yaml"))
    let daemon = try RunningDaemon(
      catalogs: ["\(game).yaml": String(decoding: catalog, as: UTF8.self)], folder: folder, environment: log.environment)
    try body(daemon) { ask in
      let answer = try ask()
      log.mark("\(answer.status)")
      return answer
    }
    let listed = try daemon.read(at: "/v1/games/\(game)/players", admin: true)["players"]?.listValue ?? []
    daemon.stop()
    let records = try log.records()
    let began = ContinuousClock.now
    let states = CrashStates(
      before: before, records: records, game: game, players: players.union(listed.compactMap { $0["player"]?.stringValue }).sorted())
    let opened = try await states.open(states: Self.states, seed: 1)
    let milliseconds = (ContinuousClock.now - began) / .milliseconds(1)
    print("crash states: \(name): \(opened) states of \(records.count) records, \(Int(milliseconds)) ms")
    #expect(opened > 0)
  }
}
