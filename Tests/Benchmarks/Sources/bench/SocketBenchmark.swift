// Reads of one value and of a whole config over the socket, compared with nginx sending the same bytes and Redis sending the same body.

import CLoad

/// Measures reads over Unix sockets. All servers run together, and the load alternates between them in every round.
struct SocketBenchmark {
  let daemon: Daemon
  let folder: Workspace
  let rounds: Int
  let seconds: Double

  private static let value = "/v1/games/dartsscore/config/answers_count"
  private static let config = "/v1/games/wheresthedot/config"

  /// The processor budget of a request, as a ratio to nginx.
  private static let processorBudget = 1.1

  private struct Course {
    let title: String
    let path: String
    let connections: Int32
    let budget: Double
  }

  func run() throws(BenchError) -> [Budgeted] {
    let ours = try daemon.start().program
    defer { ours.stop() }
    var bodies: [String: String] = [:]
    var headers: [(String, String)] = []
    for path in [Self.value, Self.config] {
      let answer = try exchange(Peers.httpRequest(path), on: daemon.socket)
      let parts = split(answer)
      bodies[path] = parts.body
      headers = parts.headers
    }
    let peers = Peers(folder: folder)
    let nginx = try peers.nginx(bodies: bodies, headers: headers)
    defer { nginx.program.stop() }
    let redis = try peers.redis(bodies: bodies)
    defer { redis.program.stop() }
    load_pin(CPUs.load)

    let courses = [
      Course(title: "one value", path: Self.value, connections: 1, budget: 1),
      Course(title: "one value", path: Self.value, connections: 32, budget: 1),
      Course(title: "whole config", path: Self.config, connections: 1, budget: 1),
      Course(title: "whole config", path: Self.config, connections: 32, budget: 1),
    ]
    var rows = [["read, connections", "answer bytes", "server", "k/s", "÷ nginx", "budget", "median µs", "p99 µs", "CPU µs each"]]
    var budgeted: [Budgeted] = []
    for course in courses {
      let servers = [
        try Server(name: "gameconfd", program: ours, socket: daemon.socket, request: Peers.httpRequest(course.path)),
        try Server(name: "nginx", program: nginx.program, socket: nginx.socket, request: Peers.httpRequest(course.path)),
        try Server(name: "Redis GET", program: redis.program, socket: redis.socket, request: Peers.redisRequest(course.path)),
      ]
      guard try split(exchange(Peers.httpRequest(course.path), on: nginx.socket)).body == bodies[course.path] else {
        throw BenchError("nginx does not answer the same bytes for \(course.path)")
      }
      let samples = try measure(servers, connections: course.connections)
      let peer = samples[1].map(\.load.perSecond).median
      let processor = samples[0].map(\.processorMicroseconds).median
      let worked = processor / samples[1].map(\.processorMicroseconds).median
      for (server, taken) in zip(servers, samples) {
        let rate = taken.map(\.load.perSecond).median
        let isOurs = server.name == "gameconfd"
        rows.append([
          isOurs ? "\(course.title), \(course.connections)" : "", "\(server.answerBytes)", server.name, figure(rate / 1000),
          figure(rate / peer, 2), isOurs ? "≥ \(figure(course.budget))" : "", figure(taken.map(\.load.medianMicroseconds).median),
          figure(taken.map(\.load.p99Microseconds).median), figure(taken.map(\.processorMicroseconds).median),
        ])
        if isOurs {
          let what = "\(course.title) over the socket, \(course.connections) \(course.connections == 1 ? "connection" : "connections")"
          budgeted.append(
            Budgeted(
              what: what, figure: "\(figure(rate / 1000)) k/s", beside: "\(figure(rate / peer, 2)) × nginx",
              budget: "≥ \(figure(course.budget)) ×", isMet: rate / peer >= course.budget))
          // Only the read of one value has a processor budget.
          guard course.path == Self.value else { continue }
          budgeted.append(
            Budgeted(
              what: "\(what), processor", figure: "\(figure(processor)) µs each", beside: "\(figure(worked, 2)) × nginx",
              budget: "≤ \(figure(Self.processorBudget)) ×", isMet: worked <= Self.processorBudget))
        }
      }
    }
    printTable("Over a Unix socket: medians of \(rounds) rounds of \(figure(seconds)) s, servers on one CPU, load on another", rows)
    return budgeted
  }

  private struct Sample {
    let load: Load.Result
    let processorMicroseconds: Double
  }

  /// Returns the samples of each server; the rounds alternate between the servers, so that the host's other load affects all of them.
  private func measure(_ servers: [Server], connections: Int32) throws(BenchError) -> [[Sample]] {
    var samples = [[Sample]](repeating: [], count: servers.count)
    for _ in 0..<rounds {
      for (index, server) in servers.enumerated() {
        let before = server.program.processorSeconds
        let result = try Load(
          socket: server.socket, requests: [server.request], answerBytes: server.answerBytes, connections: connections, seconds: seconds
        ).run()
        let processor = server.program.processorSeconds - before
        samples[index].append(Sample(load: result, processorMicroseconds: processor * 1e6 / Double(max(1, result.answers))))
      }
    }
    return samples
  }

  /// Splits a response into the body, and the headers that nginx does not send by itself.
  private func split(_ answer: String) -> (headers: [(String, String)], body: String) {
    guard let end = answer.firstRange(of: "\r\n\r\n") else { return ([], "") }
    let own: Set<String> = ["date", "server", "content-type", "content-length", "connection"]
    let headers = answer[..<end.lowerBound].split(separator: "\r\n").dropFirst().compactMap { line -> (String, String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      return own.contains(line[..<colon].lowercased()) ? nil : (String(line[..<colon]), String(value))
    }
    return (headers, String(answer[end.upperBound...]))
  }
}
