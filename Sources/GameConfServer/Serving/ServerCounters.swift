// The counters of the HTTP server. Each event loop has its own; they are summed when they are read.

/// The HTTP server's counts since its start, with the resources that are in use at present.
package struct ServerCounters: Sendable {
  /// The upper bounds of the latency buckets in microseconds; the last bucket has no bound.
  package static let latencyBoundsMicroseconds: [Int64] = [
    10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000, 1_000_000,
  ]

  /// The HTTP statuses that are counted separately. All other statuses count in the last column, which is called 0.
  package static let statuses = [
    200, 201, 204, 304, 400, 403, 404, 405, 408, 409, 412, 413, 414, 415, 417, 422, 428, 429, 431, 500, 501, 503, 505, 507, 0,
  ]

  /// The ids of the routes in the order of the rows of ``requests``.
  package internal(set) var routes: [String]
  /// The number of requests by route and status, at `route * statuses.count + status`. The row after the last route counts requests without
  /// a route.
  package internal(set) var requests: [UInt64]
  /// The number of requests by latency, the time from the arrival of the head to the answer. The last element counts those above all
  /// bounds.
  package internal(set) var latencies: [UInt64]
  /// The sum of the latencies of all requests, in nanoseconds.
  package internal(set) var latencyNanoseconds: UInt64 = 0
  /// The number of bytes that were read from clients, and that were sent to them.
  package internal(set) var bytesIn: UInt64 = 0, bytesOut: UInt64 = 0
  /// The number of precomputed or cached answers that were sent without a call of a handler.
  package internal(set) var readyAnswers: UInt64 = 0
  /// The number of evaluations of keys in precomputed and cached answers, by the position of the counter.
  package internal(set) var tallies: [UInt64] = []
  /// The numbers of accepted, open and refused connections, by kind of socket.
  package internal(set) var accepted: [ServerSocket: UInt64] = [:], open: [ServerSocket: Int] = [:], refused: [ServerSocket: UInt64] = [:]
  /// The number of connections that a timeout has closed.
  package internal(set) var timeouts: UInt64 = 0
  /// The number of times that a connection had to wait because its user's clients had not read their answers.
  package internal(set) var heldBack: UInt64 = 0
  /// The bytes of memory that request bodies take at present, and those of answers that clients have not read.
  package internal(set) var bodyBytes = 0, answerBytes = 0
  package internal(set) var streams = 0

  init(routes: [String]) {
    self.routes = routes
    requests = [UInt64](repeating: 0, count: (routes.count + 1) * Self.statuses.count)
    latencies = [UInt64](repeating: 0, count: Self.latencyBoundsMicroseconds.count + 1)
  }

  /// Returns the number of requests to a route that were answered with a status. If `route` is nil, requests without a route are counted.
  package func requests(to route: String?, status: Int) -> UInt64 {
    let row = route.map { routes.firstIndex(of: $0) } ?? routes.count
    return row.map { requests[$0 * Self.statuses.count + Self.column(status)] } ?? 0
  }

  static func column(_ status: Int) -> Int { status == 200 ? 0 : statuses.firstIndex(of: status) ?? statuses.count - 1 }

  mutating func count(route: Int, status: Int, by number: UInt64 = 1) {
    let row = route >= 0 && route < routes.count ? route : routes.count
    requests[row * Self.statuses.count + Self.column(status)] += number
  }

  mutating func count(nanoseconds: Int64, by number: UInt64 = 1) {
    let microseconds = nanoseconds / 1_000
    let bucket = Self.latencyBoundsMicroseconds.firstIndex { microseconds <= $0 } ?? Self.latencyBoundsMicroseconds.count
    latencies[bucket] += number
    latencyNanoseconds += UInt64(max(0, nanoseconds)) * number
  }

  mutating func count(tally: Int, by number: UInt64 = 1) {
    if tally < 0 { return }
    if tally >= tallies.count { tallies += [UInt64](repeating: 0, count: tally + 1 - tallies.count) }
    tallies[tally] += number
  }

  static func + (left: ServerCounters, right: ServerCounters) -> ServerCounters {
    var sum = left
    for at in sum.requests.indices { sum.requests[at] += right.requests[at] }
    for at in sum.latencies.indices { sum.latencies[at] += right.latencies[at] }
    sum.latencyNanoseconds += right.latencyNanoseconds
    sum.bytesIn += right.bytesIn
    sum.bytesOut += right.bytesOut
    sum.readyAnswers += right.readyAnswers
    if sum.tallies.count < right.tallies.count {
      sum.tallies += [UInt64](repeating: 0, count: right.tallies.count - sum.tallies.count)
    }
    for at in right.tallies.indices { sum.tallies[at] += right.tallies[at] }
    sum.accepted.merge(right.accepted, uniquingKeysWith: +)
    sum.open.merge(right.open, uniquingKeysWith: +)
    sum.refused.merge(right.refused, uniquingKeysWith: +)
    sum.timeouts += right.timeouts
    sum.streams += right.streams
    sum.bodyBytes += right.bodyBytes
    sum.answerBytes += right.answerBytes
    sum.heldBack += right.heldBack
    return sum
  }
}
