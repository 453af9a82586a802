// A load on a socket: the requests, the number of connections, the duration, and the results.

import CLoad

/// A load of requests that are sent in rotation, one exchange at a time on each connection.
struct Load {
  let socket: String
  let requests: [[UInt8]]
  /// The length of every response; nil if the lengths differ, in which case each must be HTTP with a 2xx status.
  let answerBytes: Int?
  let connections: Int32
  var warmUpSeconds = 0.0
  let seconds: Double
  /// The exchanges after which the load ends early; 0 for none.
  var exchangesMax: UInt64 = 0

  /// The results of the load.
  struct Result {
    let perSecond: Double
    let medianMicroseconds: Double
    let p99Microseconds: Double
    let answers: Int

    fileprivate init(_ result: load_result) {
      answers = Int(result.answers)
      perSecond = Double(result.answers) / result.seconds
      medianMicroseconds = Double(result.median_ns) / 1000
      p99Microseconds = Double(result.p99_ns) / 1000
    }
  }

  /// A load that runs on a separate thread.
  struct Running {
    fileprivate let thread: OpaquePointer

    /// Waits until the load has ended.
    func finish() throws(BenchError) -> Result {
      var result = load_result()
      var fault = [CChar](repeating: 0, count: 128)
      guard load_finish(thread, &result, &fault) == 0 else { throw BenchError(text(fault)) }
      return Result(result)
    }
  }

  /// Runs the load and waits until it has ended.
  func run() throws(BenchError) -> Result {
    var result = load_result()
    var fault = [CChar](repeating: 0, count: 128)
    guard (withPlan { load_run(&$0, &result, &fault) }) == 0 else { throw BenchError("\(socket): \(text(fault))") }
    return Result(result)
  }

  /// Starts the load on a separate thread.
  func begin() throws(BenchError) -> Running {
    guard let thread = withPlan({ load_begin(&$0) }) else { throw BenchError("no thread for load on \(socket)") }
    return Running(thread: thread)
  }

  private func withPlan<Answer>(_ body: (inout load_plan) -> Answer) -> Answer {
    let lengths = requests.map(\.count)
    let bytes = requests.flatMap { $0 }.map { CChar(bitPattern: $0) }
    return socket.withCString { path in
      bytes.withUnsafeBufferPointer { bytes in
        lengths.withUnsafeBufferPointer { lengths in
          var plan = load_plan(
            path: path, requests: bytes.baseAddress, request_bytes: lengths.baseAddress, request_count: Int32(lengths.count),
            answer_bytes: answerBytes ?? 0, connections: connections, warm_up_seconds: warmUpSeconds, seconds: seconds,
            exchanges_max: exchangesMax)
          return body(&plan)
        }
      }
    }
  }
}
