// What the server counts: kept by each event loop for itself, added up when somebody looks.

public import GameConfAPI

/// Counts since the server started, and what is open now.
public struct ServerCounters: Sendable {
  /// Latency buckets' upper bounds in microseconds; the last bucket has none.
  public static let latencyBoundsMicroseconds: [Int64] = [
    10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 50_000, 250_000, 1_000_000,
  ]

  /// The statuses that are counted by themselves, others count as the last.
  public static let statuses = [
    200, 201, 204, 304, 400, 403, 404, 405, 408, 409, 412, 413, 414, 415, 417, 422, 428, 429, 431, 500, 501, 503, 505, 507, 0,
  ]

  /// Endpoint ids in the order of ``requests``; after the last come the requests that reached none.
  public internal(set) var endpoints: [String]
  /// Requests by endpoint and status: `requests[endpoint * statuses.count + status]`; the row after the last endpoint is for none.
  public internal(set) var requests: [UInt64]
  /// Requests by the time from the head's arrival to the answer's, in ``latencyBoundsMicroseconds`` and one more.
  public internal(set) var latencies: [UInt64]
  /// The sum of those times.
  public internal(set) var latencyNanoseconds: UInt64 = 0
  /// Bytes read and written.
  public internal(set) var bytesIn: UInt64 = 0, bytesOut: UInt64 = 0
  /// Answers that lay ready.
  public internal(set) var readyAnswers: UInt64 = 0
  /// Evaluations that lay ready, by the position of their tally.
  var evaluations: [UInt64] = []
  /// Connections accepted, open and refused by kind of socket.
  public internal(set) var accepted: [SocketKind: UInt64] = [:], open: [SocketKind: Int] = [:], refused: [SocketKind: UInt64] = [:]
  /// Connections closed because a timeout passed.
  public internal(set) var timeouts: UInt64 = 0
  /// Streams open now.
  public internal(set) var streams = 0

  init(endpoints: [String]) {
    self.endpoints = endpoints
    requests = [UInt64](repeating: 0, count: (endpoints.count + 1) * Self.statuses.count)
    latencies = [UInt64](repeating: 0, count: Self.latencyBoundsMicroseconds.count + 1)
  }

  /// How many requests of an endpoint were answered with a status; nil as endpoint asks for those that reached none.
  public func requests(to endpoint: String?, status: Int) -> UInt64 {
    let row = endpoint.map { endpoints.firstIndex(of: $0) } ?? endpoints.count
    return row.map { requests[$0 * Self.statuses.count + Self.column(status)] } ?? 0
  }

  static func column(_ status: Int) -> Int { status == 200 ? 0 : statuses.firstIndex(of: status) ?? statuses.count - 1 }

  mutating func count(endpoint: Int, status: Int, by number: UInt64 = 1) {
    let row = endpoint >= 0 && endpoint < endpoints.count ? endpoint : endpoints.count
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
    if tally >= evaluations.count { evaluations += [UInt64](repeating: 0, count: tally + 1 - evaluations.count) }
    evaluations[tally] += number
  }

  static func + (left: ServerCounters, right: ServerCounters) -> ServerCounters {
    var sum = left
    for at in sum.requests.indices { sum.requests[at] += right.requests[at] }
    for at in sum.latencies.indices { sum.latencies[at] += right.latencies[at] }
    sum.latencyNanoseconds += right.latencyNanoseconds
    sum.bytesIn += right.bytesIn
    sum.bytesOut += right.bytesOut
    sum.readyAnswers += right.readyAnswers
    if sum.evaluations.count < right.evaluations.count {
      sum.evaluations += [UInt64](repeating: 0, count: right.evaluations.count - sum.evaluations.count)
    }
    for at in right.evaluations.indices { sum.evaluations[at] += right.evaluations[at] }
    sum.accepted.merge(right.accepted, uniquingKeysWith: +)
    sum.open.merge(right.open, uniquingKeysWith: +)
    sum.refused.merge(right.refused, uniquingKeysWith: +)
    sum.timeouts += right.timeouts
    sum.streams += right.streams
    return sum
  }
}
