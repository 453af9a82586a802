// Starts the daemon for a measurement.

import CLoad
import Glibc

/// The daemon's program and its catalogs.
struct Daemon {
  let program: String
  let defaults: String
  let folder: Workspace

  var socket: String { "\(folder.path)/run/games.sock" }
  var adminSocket: String { "\(folder.path)/run/admin.sock" }

  /// Starts the daemon on these catalogs and waits until it reports READY.
  /// - Parameter state: The name of the state folder. The state of an earlier start with this name is used again.
  /// - Returns: The process, and the time from before fork to READY.
  func start(
    catalogs: String? = nil, state: String = "state", arguments: [String] = [], cpu: Int32 = CPUs.server, environment: [String] = []
  ) throws(BenchError) -> (program: RunningProgram, milliseconds: Double) {
    let notify = "\(folder.path)/notify"
    let descriptor = load_notify_socket(notify)
    guard descriptor >= 0 else { throw BenchError("no notify socket") }
    defer { close(descriptor) }
    let log = "\(folder.path)/gameconfd.log"
    let running = try RunningProgram(
      [
        program, "--defaults", catalogs ?? defaults, "--runtime-dir", folder.folder("run"), "--state-dir", folder.folder(state),
        "--loops", "1",
      ] + arguments, environment: ["NOTIFY_SOCKET=\(notify)"] + environment, cpu: cpu, log: log)
    let ready = load_wait_ready(descriptor, 20_000)
    guard ready > 0 else {
      running.stop()
      throw BenchError("the daemon was not ready within 20 s; its log is \(log)")
    }
    return (running, Double(ready - running.startedNanoseconds) / 1e6)
  }
}
