// A measured program: its start on a CPU, its memory and processor time, and its end.

import CLoad
import Glibc

/// The CPUs of a measurement: servers run on the first, load on the second. On a host with one CPU they share it, and the figures mean
/// little.
enum CPUs {
  static let count = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  static let server: Int32 = 0
  static let load: Int32 = count > 1 ? 1 : 0
}

/// Raises the limit of this process's open files as far as it may, for thousands of connections. Programs that it starts inherit the limit.
func raiseDescriptors() {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  limit.rlim_cur = limit.rlim_max
  setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
}

/// A started program, which ends with ``stop()`` or with this process.
struct RunningProgram {
  let pid: pid_t
  /// The time just before the start, on the monotonic clock.
  let startedNanoseconds: UInt64

  init(_ arguments: [String], environment: [String] = [], cpu: Int32, log: String) throws(BenchError) {
    let arguments = arguments.map { strdup($0) } + [nil]
    let environment = (environment + ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]).map { strdup($0) } + [nil]
    defer { (arguments + environment).forEach { free($0) } }
    startedNanoseconds = load_now_ns()
    pid = load_start(arguments, environment, cpu, log)
    guard pid > 0 else { throw BenchError("fork: \(String(cString: strerror(errno)))") }
  }

  func stop() { load_stop(pid) }

  /// The processor seconds of the program so far, user and system time together.
  var processorSeconds: Double {
    let fields = Self.text("/proc/\(pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// Returns the number in a line of `/proc/PID/status`, in KiB for memory such as `VmRSS`; 0 if there is no such line.
  func kibibytes(_ name: String) -> Int {
    let line = Self.text("/proc/\(pid)/status").split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  private static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Waits until a process accepts connections on a socket.
  func waitUntilAccepting(_ socket: String) throws(BenchError) {
    let until = load_now_ns() + 10_000_000_000
    while load_accepts(socket) == 0 {
      guard load_now_ns() < until, kill(pid, 0) == 0 else { throw BenchError("nobody accepts on \(socket)") }
      usleep(2_000)
    }
  }
}
