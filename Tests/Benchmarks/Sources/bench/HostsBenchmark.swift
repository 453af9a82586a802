// The cost of further hosts on a daemon's PostgreSQL database: its events and overrides a second beside connections that only listen for
// changes, and beside further daemons. Also the time until another host serves an override.

import CLoad
import Glibc

/// Measures events and overrides of one daemon, alone and beside further hosts, in interleaved rounds.
struct HostsBenchmark {
  let program: String
  let defaults: String
  let rounds: Int
  let seconds: Double

  private static let players: UInt64 = 10_000
  private static let connections: Int32 = 32
  private static let warmUp = 0.5
  /// The least ratio to the same daemon alone, beside the most listening connections and beside the most daemons.
  private static let budget = 0.8
  /// The pause after further hosts have come or gone, in which the server's processes begin or end.
  private static let pauseMicroseconds: UInt32 = 1_000_000

  private enum Company {
    case listening(Int32)
    case daemons(Int)

    var title: String {
      switch self {
      case .listening(let count): "\(count) listening connections"
      case .daemons(let count): count == 1 ? "1 further host" : "\(count) further hosts"
      }
    }
  }

  private static let companies: [Company] = [.listening(10), .listening(100), .listening(1_000), .daemons(1), .daemons(5), .daemons(25)]
  private static let budgeted = [2, 5]

  /// The rates of one measurement, all for a second.
  private struct Rates {
    var (events, overrides) = (0.0, 0.0)
    /// The notifications that all listening connections together received.
    var (duringEvents, duringOverrides) = (0.0, 0.0)
  }

  private struct Pair {
    let alone: Rates
    let beside: Rates
  }

  func run() throws(BenchError) -> [Budgeted] {
    raiseDescriptors()
    let database = try FleetDatabase("hosts")
    defer { database.drop() }
    let folder = try Workspace()
    defer { folder.remove() }
    let daemon = Daemon(program: program, defaults: defaults, folder: folder)
    try database.fill(daemon, players: Self.players)
    let ours = try database.start(daemon)
    defer { ours.stop() }
    ours.waitUntilIdle()
    var further = try FurtherHosts(25, program: program, defaults: defaults, on: database)
    defer {
      further.stop()
      further.remove()
    }
    load_pin(CPUs.load)
    var pairs = [[Pair]](repeating: [], count: Self.companies.count)
    for round in 0..<rounds {
      for (index, company) in Self.companies.enumerated() {
        pairs[index].append(try measure(daemon, beside: company, &further, round: round, ids: "\(round)-\(index)"))
      }
    }
    let budgeted = report(pairs)
    try further.start(1)
    try measureServing(daemon, on: further.daemons[0])
    return budgeted
  }

  // MARK: Rates

  /// Measures the daemon alone and beside further hosts, one directly after the other. Every second round begins with the further hosts, so
  /// that the growth of the database and the host's other load affect both.
  private func measure(
    _ daemon: Daemon, beside company: Company, _ further: inout FurtherHosts, round: Int, ids: String
  ) throws(BenchError) -> Pair {
    if round % 2 == 1 {
      let beside = try rates(daemon, beside: company, &further, ids: "b\(ids)")
      return Pair(alone: try rates(daemon, ids: "a\(ids)"), beside: beside)
    }
    let alone = try rates(daemon, ids: "a\(ids)")
    return Pair(alone: alone, beside: try rates(daemon, beside: company, &further, ids: "b\(ids)"))
  }

  private func rates(
    _ daemon: Daemon, beside company: Company, _ further: inout FurtherHosts, ids: String
  ) throws(BenchError) -> Rates {
    defer { usleep(Self.pauseMicroseconds) }
    switch company {
    case .daemons(let count):
      defer { further.stop() }
      try further.start(count)
      return try rates(daemon, ids: ids)
    case .listening(let count):
      let listeners = try Listeners(count, on: further.database)
      defer { listeners.close() }
      usleep(Self.pauseMicroseconds)
      return try rates(daemon, ids: ids, listeners)
    }
  }

  private func rates(_ daemon: Daemon, ids: String, _ listeners: Listeners? = nil) throws(BenchError) -> Rates {
    var rates = Rates()
    rates.duringEvents = try notifications(listeners) { () throws(BenchError) in
      let result = try Course(
        request: LOAD_EVENTS, players: Self.players, connections: Self.connections, ids: ids, warmUp: Self.warmUp, seconds: seconds
      ).run(on: daemon.socket)
      rates.events = Double(result.answers) / result.seconds
    }
    rates.duringOverrides = try notifications(listeners) { () throws(BenchError) in
      rates.overrides = try Load(
        socket: daemon.adminSocket, requests: OverridesBenchmark.requests(), answerBytes: nil, connections: Self.connections,
        warmUpSeconds: Self.warmUp, seconds: seconds
      ).run().perSecond
    }
    return rates
  }

  /// Returns the notifications a second that the listeners receive during a measurement; 0 without listeners.
  private func notifications(_ listeners: Listeners?, during body: () throws(BenchError) -> Void) throws(BenchError) -> Double {
    let (before, began) = (try listeners?.notifications() ?? 0, load_now_ns())
    try body()
    let received = (try listeners?.notifications() ?? 0) - before
    return received / (Double(load_now_ns() - began) / 1e9)
  }

  private func report(_ pairs: [[Pair]]) -> [Budgeted] {
    var rows = [["beside", "events k/s", "÷ none", "notifications/s", "overrides k/s", "÷ none", "notifications/s"]]
    let alone = pairs.joined().map(\.alone)
    rows.append([
      "none", figure(alone.map(\.events).median / 1000, 2), "", "", figure(alone.map(\.overrides).median / 1000, 2), "", "",
    ])
    var budgeted: [Budgeted] = []
    for (index, (company, pairs)) in zip(Self.companies, pairs).enumerated() {
      let beside = pairs.map(\.beside)
      let (events, overrides) = (beside.map(\.events).median, beside.map(\.overrides).median)
      let eventsShare = pairs.map { $0.beside.events / $0.alone.events }.median
      let overridesShare = pairs.map { $0.beside.overrides / $0.alone.overrides }.median
      let hasBudget = Self.budgeted.contains(index)
      let limit = hasBudget ? " (≥ \(figure(Self.budget)))" : ""
      var received = ["", ""]
      if case .listening = company {
        received = [beside.map(\.duringEvents), beside.map(\.duringOverrides)].map { figure($0.median, 0) }
      }
      rows.append([
        company.title, figure(events / 1000, 2), figure(eventsShare, 2) + limit, received[0], figure(overrides / 1000, 2),
        figure(overridesShare, 2) + limit, received[1],
      ])
      guard hasBudget else { continue }
      for (what, rate, share) in [("events", events, eventsShare), ("overrides", overrides, overridesShare)] {
        budgeted.append(
          Budgeted(
            what: "durable \(what) beside \(company.title)", figure: "\(figure(rate / 1000, 2)) k/s",
            beside: "\(figure(share, 2)) × without them", budget: "≥ \(figure(Self.budget)) ×", isMet: share >= Self.budget))
      }
    }
    printTable(
      "Further hosts on one PostgreSQL database, \(Self.connections) connections, \(Self.players) players: medians of \(rounds) rounds of "
        + "\(figure(seconds)) s, ratios within a round; notifications received by all listening connections together", rows)
    return budgeted
  }

  // MARK: The time until another host serves an override

  private static let key = "remote_min_fetch_interval"
  private static let streamKey = "interstitial_every_n_game_overs"
  private static let streamConnections: Int32 = 4
  private static let samples = 40
  private static let betweenMicroseconds: UInt32 = 300_000
  private static let streamSeconds = 14.0

  private func measureServing(_ daemon: Daemon, on other: Daemon) throws(BenchError) {
    var rows = [["an override's answer until another host serves it", "overrides", "p50 ms", "p99 ms", "stream k/s"]]
    func row(_ title: String, _ times: [Double], _ stream: Double?) {
      rows.append([
        title, "\(times.count)", figure(times.median, 2), figure(times.percentile(99), 2), stream.map { figure($0 / 1000, 2) } ?? "",
      ])
    }
    row("alone", try serveTimes(daemon, on: other, firstValue: 101, until: .max), nil)
    let stream = try Load(
      socket: daemon.adminSocket, requests: OverridesBenchmark.requests([Self.streamKey]), answerBytes: nil,
      connections: Self.streamConnections, seconds: Self.streamSeconds
    ).begin()
    let until = load_now_ns() + UInt64(Self.streamSeconds * 1e9)
    let times = Result { () throws(BenchError) in try serveTimes(daemon, on: other, firstValue: 201, until: until) }
    let streamed = try stream.finish()
    row("beside overrides of another key on \(Self.streamConnections) connections", try times.get(), streamed.perSecond)
    printTable("One override every \(Self.betweenMicroseconds / 1000) ms, with one further host", rows)
  }

  /// Returns the milliseconds of each override, as many as there is time for.
  private func serveTimes(
    _ daemon: Daemon, on other: Daemon, firstValue: Int, until: UInt64
  ) throws(BenchError) -> [Double] {
    let get = Peers.httpRequest("/v1/games/wheresthedot/config/\(Self.key)")
    var times: [Double] = []
    while times.count < Self.samples, load_now_ns() < until {
      let value = firstValue + times.count
      let put = text(OverridesBenchmark.put("/v1/games/wheresthedot/overrides/\(Self.key)", value: value).map { CChar(bitPattern: $0) })
      var nanoseconds: UInt64 = 0
      try attempting { fleet_serve_time(daemon.adminSocket, put, other.socket, get, "\"value\":\(value),", &nanoseconds, &$0) }
      times.append(Double(nanoseconds) / 1e6)
      usleep(Self.betweenMicroseconds)
    }
    return times
  }
}

/// Connections to a database that only listen for the changes of a fleet.
private struct Listeners {
  private let listeners: OpaquePointer

  init(_ count: Int32, on database: FleetDatabase) throws(BenchError) {
    var fault = [CChar](repeating: 0, count: 128)
    guard let opened = fleet_listen(database.address, count, CPUs.load, &fault) else {
      throw BenchError(
        "\(count) listening connections cannot be opened; start the server by .ci/with-postgres with GAMECONF_POSTGRES_CONNECTIONS=1400. "
          + text(fault))
    }
    listeners = opened
  }

  func notifications() throws(BenchError) -> Double {
    let count = fleet_notifications(listeners)
    guard count >= 0 else { throw BenchError("PostgreSQL has closed a listening connection") }
    return Double(count)
  }

  func close() { fleet_close(listeners) }
}
