// The notifications of the daemon's state to the service manager (sd_notify).

import CSystemd
import Glibc

/// Sends the daemon's state to the service manager over `NOTIFY_SOCKET`.
///
/// Without a manager no method has an effect. No method waits for a reply.
public struct ServiceNotifier: Sendable {
  /// The maximum length of a status line in bytes of UTF-8; longer ones are cut.
  public static let statusBytesMax = 512

  /// True if a service manager receives the notifications.
  public let isListenedTo: Bool

  /// Creates a notifier. It reads the environment variable `NOTIFY_SOCKET` once to find whether a service manager listens.
  public init() { isListenedTo = getenv("NOTIFY_SOCKET") != nil }

  /// Reports that the daemon serves requests. It also ends a reload.
  ///
  /// - Parameter status: The line that `systemctl status` shows.
  public func ready(status: String) { send("READY=1\nSTATUS=\(Self.oneLine(status))") }

  /// Sets the line that `systemctl status` shows: the games, the revision and the degradations in a few words.
  public func status(_ status: String) { send("STATUS=\(Self.oneLine(status))") }

  /// Reports that a reload begins, with the present monotonic time. Call ``ready(status:)`` after it, also if the reload failed.
  public func reloading() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    send("RELOADING=1\nMONOTONIC_USEC=\(Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000)\nSTATUS=Reloading")
  }

  /// Reports that the daemon accepts no new requests and finishes those in progress.
  public func stopping(status: String) { send("STOPPING=1\nSTATUS=\(Self.oneLine(status))") }

  /// Extends the timeout of a start, reload or stop to this many seconds from now. Call it again before they are over.
  public func extendTimeout(seconds: Int) { send("EXTEND_TIMEOUT_USEC=\(max(0, min(seconds, 86_400)) * 1_000_000)") }

  /// Pings the service manager's watchdog. Only ``Watchdog`` calls it, while all event loops respond.
  public func alive() { send("WATCHDOG=1") }

  private func send(_ assignments: String) {
    guard isListenedTo else { return }
    sd_notify(0, assignments)
  }

  /// Returns the status without control characters, because a line break would begin another assignment.
  private static func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 })).cut(
      toBytes: statusBytesMax)
  }
}
