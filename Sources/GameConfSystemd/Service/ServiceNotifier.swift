// The daemon's notifications to the service manager about its own state.

import CSystemd
import Glibc

/// Messages to the service manager over `NOTIFY_SOCKET`.
///
/// Without a manager every call does nothing, so callers need not ask. Nothing here waits for an answer.
public struct ServiceNotifier: Sendable {
  /// A status line is cut to this many bytes of UTF-8.
  public static let statusBytesMax = 512

  /// True if a manager listens.
  public let isListenedTo: Bool

  /// Looks once whether `NOTIFY_SOCKET` is set.
  public init() { isListenedTo = getenv("NOTIFY_SOCKET") != nil }

  /// Reads are served from now on; also ends a reload.
  ///
  /// - Parameter status: the line that `systemctl status` shows.
  public func ready(status: String) { send("READY=1\nSTATUS=\(Self.oneLine(status))") }

  /// Sets the text that `systemctl status` shows: a few words on games, revision and what is degraded.
  public func status(_ status: String) { send("STATUS=\(Self.oneLine(status))") }

  /// A reload has begun, at this instant of the monotonic clock; ``ready(status:)`` ends it, also when it failed.
  public func reloading() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    send("RELOADING=1\nMONOTONIC_USEC=\(Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000)\nSTATUS=Reloading")
  }

  /// No new work is taken; what is in flight is finished.
  public func stopping(status: String) { send("STOPPING=1\nSTATUS=\(Self.oneLine(status))") }

  /// Start, reload or stop may take this much longer, counted from now; say it again before it is over.
  public func extendTimeout(seconds: Int) { send("EXTEND_TIMEOUT_USEC=\(max(0, min(seconds, 86_400)) * 1_000_000)") }

  /// The daemon is alive; ``Watchdog`` knows when that is true.
  public func alive() { send("WATCHDOG=1") }

  private func send(_ assignments: String) {
    guard isListenedTo else { return }
    sd_notify(0, assignments)
  }

  /// A line break in a status would begin another assignment.
  private static func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 })).cut(
      toBytes: statusBytesMax)
  }
}
