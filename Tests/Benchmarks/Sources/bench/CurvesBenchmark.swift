// The latency of a request and the daemon's memory as one count grows: parameters, rules, overrides, players, connections, watchers, hosts.

import CLoad
import Glibc

/// One cost curve: the microseconds of a response and the daemon's memory, over a growing count such as the number of parameters.
struct Curve {
  struct Point {
    let count: Int
    let microseconds: Double
    let mebibytes: Double
  }

  let title: String
  let points: [Point]
}

/// Measures the cost curves; prints tables, and draws a picture if a folder is named.
struct CurvesBenchmark {
  let program: String
  let defaults: String
  let seconds: Double
  /// The folder for `curves.svg` and `curves~dark.svg`; nil to draw none.
  let plots: String?
  /// The number of players in the largest database.
  let playersMax: Int

  func run() throws(BenchError) -> [Budgeted] {
    var curves = [
      try parameters("one value, by parameters") { "/v1/games/large/config/parameter_\($0 / 2)" },
      try parameters("whole config, by parameters") { _ in "/v1/games/large/config" },
      try rules(), try playerOverrides(), try players(), try connections(), try watchers(),
    ]
    if FleetDatabase.hasServer {
      curves.append(try hosts())
    } else {
      print("\n  !!! NOT MEASURED: the curve by hosts, which needs a PostgreSQL server: run the benchmarks by .ci/with-postgres")
    }
    for curve in curves {
      printTable(
        curve.title,
        [["count", "µs", "MiB"]] + curve.points.map { ["\($0.count)", figure($0.microseconds), figure($0.mebibytes)] })
    }
    if let plots {
      for (name, colours) in [("curves.svg", CurvePicture.Colours.light), ("curves~dark.svg", .dark)] {
        try CurvePicture(colours: colours).draw(curves, to: "\(plots)/\(name)")
      }
    }
    return []
  }

  // MARK: Curves

  private func parameters(_ title: String, _ path: (Int) -> String) throws(BenchError) -> Curve {
    var points: [Curve.Point] = []
    for count in [10, 30, 100, 300, 1_000, 3_000] {
      points.append(
        try point(count, catalog: StartBenchmark.catalog(parameters: count)) { daemon throws(BenchError) in
          try median(of: Peers.httpRequest(path(count)), on: daemon)
        })
    }
    return Curve(title: title, points: points)
  }

  /// Measures the value of a parameter with more and more rules, of which only the last one matches.
  private func rules() throws(BenchError) -> Curve {
    var points: [Curve.Point] = []
    for count in [1, 3, 10, 30, 100, 300, 1_000] {
      var catalog = StartBenchmark.catalog(parameters: 1) + "    rules:\n"
      for number in 1...count { catalog += "      - {match: {country: c\(number)}, value: \(number)}\n" }
      points.append(
        try point(count, catalog: catalog) { daemon throws(BenchError) in
          try median(of: Self.post("/v1/games/large/config/parameter_0", "{\"context\":{\"country\":\"c\(count)\"}}"), on: daemon)
        })
    }
    return Curve(title: "one value, by rules that are looked at", points: points)
  }

  private func playerOverrides() throws(BenchError) -> Curve {
    var points: [Curve.Point] = []
    for count in [1, 10, 100, 1_000, 5_000, 20_000] {
      points.append(
        try point(count, catalog: StartBenchmark.catalog(parameters: 10)) { daemon throws(BenchError) in
          for first in stride(from: 0, to: count, by: 1_000) {
            let rows = (first..<min(count, first + 1_000)).map { "{\"key\":\"parameter_0\",\"player\":\"p\($0)\",\"value\":\($0)}" }
            let body = "{\"reason\":\"bench\",\"overrides\":[\(rows.joined(separator: ","))]}"
            _ = try exchange(Self.post("/v1/games/large/overrides/import", body), on: daemon.adminSocket)
          }
          return try median(of: Peers.httpRequest("/v1/games/large/config/parameter_0?player=p\(count / 2)"), on: daemon)
        })
    }
    return Curve(title: "one value of a player, by overrides of players", points: points)
  }

  /// Measures each player's first read since the daemon's start, with the database in the system's file cache.
  private func players() throws(BenchError) -> Curve {
    var points: [Curve.Point] = []
    for count in [1_000, 10_000, 100_000, 1_000_000, 10_000_000] where count <= playersMax {
      let folder = try Workspace()
      defer { folder.remove() }
      let daemon = Daemon(program: program, defaults: defaults, folder: folder)
      let first = try daemon.start().program
      _ = try Course(request: LOAD_EVENTS, players: 1, connections: 1, seconds: 60, exchangesMax: 21).run(on: daemon.socket)
      first.stop()
      try attempting { peer_fill(folder.folder("state") + "/gameconfd.db", UInt64(count), &$0) }
      let started = try daemon.start().program
      defer { started.stop() }
      started.waitUntilIdle()
      load_pin(CPUs.load)
      let seen = try Course(
        request: LOAD_COUNTERS, players: UInt64(count), connections: 1, seconds: 60, exchangesMax: UInt64(min(count, 2_000))
      ).run(on: daemon.socket)
      points.append(Curve.Point(count: count, microseconds: Double(seen.median_ns) / 1000, mebibytes: started.mebibytes))
    }
    return Curve(title: "first read of a player, by players on disk", points: points)
  }

  private func connections() throws(BenchError) -> Curve {
    raiseDescriptors()
    let folder = try Workspace()
    defer { folder.remove() }
    let daemon = Daemon(program: program, defaults: defaults, folder: folder)
    let started = try daemon.start(environment: Self.manyConnections).program
    defer { started.stop() }
    load_pin(CPUs.load)
    let request = Peers.httpRequest("/v1/games/dartsscore/config/answers_count")
    let answerBytes = try exchange(request, on: daemon.socket).utf8.count
    var points: [Curve.Point] = []
    for count in [1, 10, 100, 1_000, 8_000] {
      let load = Load(
        socket: daemon.socket, requests: [Array(request.utf8)], answerBytes: answerBytes, connections: Int32(count), warmUpSeconds: 0.2,
        seconds: seconds)
      var (mebibytes, microseconds): ([Double], [Double]) = ([], [])
      for _ in 0..<Self.runs {
        let running = try load.begin()
        usleep(UInt32(seconds * 700_000))
        mebibytes.append(started.mebibytes)
        microseconds.append(1e6 / (try running.finish()).perSecond)
      }
      points.append(Curve.Point(count: count, microseconds: microseconds.median, mebibytes: mebibytes.median))
    }
    return Curve(title: "one value, time between two answers, by connections", points: points)
  }

  private func watchers() throws(BenchError) -> Curve {
    raiseDescriptors()
    let folder = try Workspace()
    defer { folder.remove() }
    let daemon = Daemon(program: program, defaults: defaults, folder: folder)
    let started = try daemon.start(environment: Self.manyConnections).program
    defer { started.stop() }
    load_pin(CPUs.load)
    var points: [Curve.Point] = []
    for count in [10, 100, 1_000, 10_000] {
      var opened: UInt64 = 0
      guard let crowd = watch_open(daemon.socket, FanOutBenchmark.game, Int32(count), 1, &opened) else {
        throw BenchError("\(count) watchers cannot be opened")
      }
      defer { watch_close(crowd) }
      var lasts: [Double] = []
      for round in 0..<10 {
        var times = [UInt64](repeating: 0, count: count)
        var write: UInt64 = 0
        guard watch_round(crowd, daemon.adminSocket, FanOutBenchmark.request(points.count * 10 + round), &times, &write) == 0 else {
          throw BenchError("a watcher never heard of an override")
        }
        lasts.append(Double(times[count - 1]) / 1000)
        usleep(100_000 + UInt32(min(lasts[round], 1_000_000) * 4))
      }
      points.append(Curve.Point(count: count, microseconds: lasts.median, mebibytes: started.mebibytes))
    }
    return Curve(title: "an override until the last watcher has it, by watchers", points: points)
  }

  /// Measures an override on one connection to a daemon while further daemons on the load's CPU share its database.
  private func hosts() throws(BenchError) -> Curve {
    let database = try FleetDatabase("curves")
    defer { database.drop() }
    let folder = try Workspace()
    defer { folder.remove() }
    let daemon = Daemon(program: program, defaults: defaults, folder: folder)
    let started = try database.start(daemon)
    defer { started.stop() }
    var further = try FurtherHosts(24, program: program, defaults: defaults, on: database)
    defer {
      further.stop()
      further.remove()
    }
    load_pin(CPUs.load)
    let load = Load(
      socket: daemon.adminSocket, requests: OverridesBenchmark.requests(), answerBytes: nil, connections: 1, warmUpSeconds: 0.2,
      seconds: seconds)
    var points: [Curve.Point] = []
    for count in [1, 2, 5, 10, 25] {
      try further.start(count - 1)
      var medians: [Double] = []
      for _ in 0..<Self.runs { medians.append(try load.run().medianMicroseconds) }
      points.append(Curve.Point(count: count, microseconds: medians.median, mebibytes: started.mebibytes))
    }
    return Curve(title: "an override until it is answered, by hosts on one database", points: points)
  }

  // MARK: Parts

  private static let manyConnections = ["GAMECONFD_CONNECTIONS_PER_UID_MAX=12000", "GAMECONFD_CONNECTIONS_MAX=12288"]

  /// Starts a separate daemon that serves one catalog, and measures a point of a curve.
  private func point(
    _ count: Int, catalog: String, _ measure: (Daemon) throws(BenchError) -> Double
  ) throws(BenchError) -> Curve.Point {
    let folder = try Workspace()
    defer { folder.remove() }
    let catalogs = folder.folder("catalogs")
    try folder.write(catalog, to: "catalogs/large.yaml")
    let daemon = Daemon(program: program, defaults: catalogs, folder: folder)
    let started = try daemon.start().program
    defer { started.stop() }
    load_pin(CPUs.load)
    let microseconds = try measure(daemon)
    return Curve.Point(count: count, microseconds: microseconds, mebibytes: started.mebibytes)
  }

  /// Returns the median of several runs' medians on one connection, because the host's other load affects a whole run.
  private func median(of request: String, on daemon: Daemon) throws(BenchError) -> Double {
    let load = Load(
      socket: daemon.socket, requests: [Array(request.utf8)], answerBytes: nil, connections: 1, warmUpSeconds: 0.2, seconds: seconds)
    var medians: [Double] = []
    for _ in 0..<Self.runs { medians.append(try load.run().medianMicroseconds) }
    return medians.median
  }

  private static let runs = 3

  private static func post(_ path: String, _ body: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }
}

extension RunningProgram {
  fileprivate var mebibytes: Double { Double(kibibytes("VmRSS")) / 1024 }
}
