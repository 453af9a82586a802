// Load on a socket: what to ask, on how many connections, for how long, and what came of it.

import CLoad

/// Requests that are asked in turns, one exchange at a time on each connection.
struct Load {
  let socket: String
  let requests: [[UInt8]]
  /// The length of every answer; nil when they differ, then each must be HTTP and say 2xx.
  let answerBytes: Int?
  let connections: Int32
  var warmUpSeconds = 0.0
  let seconds: Double

  /// What was seen.
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

  /// Load that goes on while something else is done.
  struct Running {
    fileprivate let thread: OpaquePointer

    /// Waits until it is over.
    func finish() throws(BenchError) -> Result {
      var result = load_result()
      var fault = [CChar](repeating: 0, count: 128)
      guard load_finish(thread, &result, &fault) == 0 else { throw BenchError(text(fault)) }
      return Result(result)
    }
  }

  /// Puts it on and waits until it is over.
  func run() throws(BenchError) -> Result {
    var result = load_result()
    var fault = [CChar](repeating: 0, count: 128)
    guard (withPlan { load_run(&$0, &result, &fault) }) == 0 else { throw BenchError("\(socket): \(text(fault))") }
    return Result(result)
  }

  /// Puts it on from a thread of its own.
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
            answer_bytes: answerBytes ?? 0, connections: connections, warm_up_seconds: warmUpSeconds, seconds: seconds)
          return body(&plan)
        }
      }
    }
  }
}
