// One value and a whole config over the socket, beside nginx with the same bytes and Redis with the same body.

import CLoad

/// Reads over Unix sockets; all servers run at once, and take turns under load in every round.
struct SocketBenchmark {
  let daemon: Daemon
  let folder: Workspace
  let rounds: Int
  let seconds: Double

  private static let value = "/v1/games/dartsscore/config/answers_count"
  private static let config = "/v1/games/wheresthedot/config"

  private struct Course {
    let title: String
    let path: String
    let connections: Int32
    let budget: String
  }

  func run() throws(BenchError) {
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
      Course(title: "one value", path: Self.value, connections: 1, budget: "0.6"),
      Course(title: "one value", path: Self.value, connections: 32, budget: "0.6"),
      Course(title: "whole config", path: Self.config, connections: 1, budget: "0.5"),
      Course(title: "whole config", path: Self.config, connections: 32, budget: "0.5"),
    ]
    var rows = [["read, connections", "answer bytes", "server", "k/s", "÷ nginx", "budget", "median µs", "p99 µs", "CPU µs each"]]
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
      let peer = samples[1].map(\.perSecond).median
      for (server, taken) in zip(servers, samples) {
        let rate = taken.map(\.perSecond).median
        let isOurs = server.name == "gameconfd"
        rows.append([
          isOurs ? "\(course.title), \(course.connections)" : "", "\(server.answerBytes)", server.name, figure(rate / 1000),
          figure(rate / peer, 2), isOurs ? "≥ \(course.budget)" : "", figure(taken.map(\.medianMicroseconds).median),
          figure(taken.map(\.p99Microseconds).median), figure(taken.map(\.processorMicroseconds).median),
        ])
      }
    }
    printTable("Over a Unix socket: medians of \(rounds) rounds of \(figure(seconds)) s, servers on one CPU, load on another", rows)
  }

  private struct Sample {
    let perSecond: Double
    let medianMicroseconds: Double
    let p99Microseconds: Double
    let processorMicroseconds: Double
  }

  /// For each server its samples; the rounds go through all servers in turn, so that what else the machine does strikes all of them.
  private func measure(_ servers: [Server], connections: Int32) throws(BenchError) -> [[Sample]] {
    var samples = [[Sample]](repeating: [], count: servers.count)
    for _ in 0..<rounds {
      for (index, server) in servers.enumerated() {
        var result = load_result()
        var fault = [CChar](repeating: 0, count: 128)
        let before = server.program.processorSeconds
        let status = load_run(
          server.socket, server.request, server.request.count, server.answerBytes, connections, 0, seconds, &result, &fault)
        guard status == 0 else { throw BenchError("\(server.name): \(text(fault))") }
        let processor = server.program.processorSeconds - before
        samples[index].append(
          Sample(
            perSecond: Double(result.answers) / result.seconds, medianMicroseconds: Double(result.median_ns) / 1000,
            p99Microseconds: Double(result.p99_ns) / 1000, processorMicroseconds: processor * 1e6 / Double(max(1, result.answers))))
      }
    }
    return samples
  }

  /// The body, and the headers that nginx would not send by itself.
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
