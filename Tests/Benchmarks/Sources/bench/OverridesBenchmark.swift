// Durable overrides over the admin socket, and the throughput of reads on the games socket meanwhile.

import CLoad
import Glibc

/// Measures overrides on 32 connections and reads on one connection, each alone and both at the same time.
struct OverridesBenchmark {
  let daemon: Daemon
  let folder: Workspace
  let rounds: Int
  let seconds: Double

  private static let connections: Int32 = 32
  private static let game = "/v1/games/wheresthedot"
  private static let keys = [
    "arcade_radius_variation_from_level", "interstitial_every_n_game_overs", "remote_min_fetch_interval",
  ]
  private static let readPath = "/v1/games/dartsscore/config/answers_count"

  private struct Course {
    let title: String
    let requests: [[UInt8]]
  }

  private struct Samples {
    var alone: [Load.Result] = []
    var readsAlone: [Load.Result] = []
    var reads: [Load.Result] = []
    var overrides: [Load.Result] = []
  }

  func run() throws(BenchError) -> [Budgeted] {
    let syncs = load_syncs("\(folder.path)/syncs", min(1, seconds))
    let ours = try daemon.start(state: "overrides").program
    defer { ours.stop() }
    load_pin(CPUs.load)
    let answerBytes = try exchange(Peers.httpRequest(Self.readPath), on: daemon.socket).utf8.count
    let reading = Load(
      socket: daemon.socket, requests: [Array(Peers.httpRequest(Self.readPath).utf8)], answerBytes: answerBytes, connections: 1,
      seconds: seconds)

    var rows = [["load", "connections", "k/s", "÷ alone", "median µs", "p99 µs"]]
    func row(_ title: String, _ connections: Int32, _ results: [Load.Result], alone: [Load.Result]) -> [String] {
      let rate = results.map(\.perSecond).median
      return [
        title, "\(connections)", figure(rate / 1000, 2), figure(rate / alone.map(\.perSecond).median, 2),
        figure(results.map(\.medianMicroseconds).median), figure(results.map(\.p99Microseconds).median),
      ]
    }
    for course in [Course(title: "for the game", requests: Self.requests()), Self.forPlayers()] {
      let samples = try measure(course, reading)
      rows += [
        row("overrides \(course.title), alone", Self.connections, samples.alone, alone: samples.alone),
        row("  while one connection reads", Self.connections, samples.overrides, alone: samples.alone),
        row("reads alone", 1, samples.readsAlone, alone: samples.readsAlone),
        row("  while overrides are made", 1, samples.reads, alone: samples.readsAlone),
      ]
    }
    printTable(
      "Durable overrides: medians of \(rounds) rounds of \(figure(seconds)) s, the daemon on one CPU, load on another; "
        + "this disk takes \(figure(syncs, 0)) syncs of 4 KiB a second",
      rows)
    return []
  }

  private func measure(_ course: Course, _ reading: Load) throws(BenchError) -> Samples {
    var samples = Samples()
    for _ in 0..<rounds {
      samples.readsAlone.append(try reading.run())
      samples.alone.append(try writing(course, warmUpSeconds: 0.1, seconds: seconds).run())
      // The overrides start before the reads and end after them, so that no read is measured without overrides.
      let overrides = try writing(course, warmUpSeconds: 0.1, seconds: seconds + 0.2).begin()
      usleep(100_000)
      let reads = Result { () throws(BenchError) in try reading.run() }
      samples.overrides.append(try overrides.finish())
      samples.reads.append(try reads.get())
    }
    return samples
  }

  private func writing(_ course: Course, warmUpSeconds: Double, seconds: Double) -> Load {
    Load(
      socket: daemon.adminSocket, requests: course.requests, answerBytes: nil, connections: Self.connections, warmUpSeconds: warmUpSeconds,
      seconds: seconds)
  }

  /// Returns requests that set keys of a game in rotation, each to another value than before.
  static func requests(_ keys: [String] = keys) -> [[UInt8]] {
    (0..<300).map { put("\(game)/overrides/\(keys[$0 % keys.count])", value: 1 + $0 / keys.count % 100) }
  }

  /// Returns requests that set one key for each of 500 players in rotation.
  private static func forPlayers() -> Course {
    Course(
      title: "for players",
      requests: (0..<1000).map { put("\(game)/players/player-\($0 % 500)/overrides/remote_min_fetch_interval", value: 1 + $0) })
  }

  static func put(_ path: String, value: Int) -> [UInt8] {
    let body = "{\"value\":\(value),\"reason\":\"benchmark\"}"
    return Array(
      ("PUT \(path) HTTP/1.1\r\nHost: localhost\r\nUser-Agent: gameconf-bench\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)").utf8)
  }
}
