// Notifications received on a real datagram socket. Each test runs in its own process, because NOTIFY_SOCKET belongs to the process.

import Glibc
import Testing

@testable import GameConfSystemd

@Suite("Service notifications")
struct ServiceNotifierTests {
  @Test("the service manager receives ready, status, stopping and timeout extensions in systemd's format")
  func messages() async {
    await #expect(processExitsWith: .success) {
      let manager = NotifySocket()
      let notifier = ServiceNotifier()
      demand(notifier.isListenedTo, "not listened to")
      notifier.ready(status: "5 games")
      demand(manager.next() == ["READY=1", "STATUS=5 games"], "ready")
      notifier.status("5 games, 1 degraded")
      demand(manager.next() == ["STATUS=5 games, 1 degraded"], "status")
      notifier.stopping(status: "Draining")
      demand(manager.next() == ["STOPPING=1", "STATUS=Draining"], "stopping")
      notifier.extendTimeout(seconds: 90)
      demand(manager.next() == ["EXTEND_TIMEOUT_USEC=90000000"], "extend")
      notifier.extendTimeout(seconds: -1)
      demand(manager.next() == ["EXTEND_TIMEOUT_USEC=0"], "negative")
      demand(manager.next() == nil, "something else was sent")
    }
  }

  @Test("the notification of a reload has the monotonic time in microseconds")
  func reloading() async {
    await #expect(processExitsWith: .success) {
      let manager = NotifySocket()
      var before = timespec()
      clock_gettime(CLOCK_MONOTONIC, &before)
      ServiceNotifier().reloading()
      let message = manager.next() ?? []
      demand(message.first == "RELOADING=1", "\(message)")
      let reported = message.dropFirst().first?.split(separator: "=").last.flatMap { Int64($0) } ?? 0
      let earliest = Int64(before.tv_sec) * 1_000_000 + Int64(before.tv_nsec) / 1_000
      demand(reported >= earliest && reported < earliest + 60_000_000, "\(reported) after \(earliest)")
    }
  }

  @Test("a line break in a status line does not begin another assignment, and a long status line is cut")
  func hostileStatus() async {
    await #expect(processExitsWith: .success) {
      let manager = NotifySocket()
      let notifier = ServiceNotifier()
      notifier.status("a\nMAINPID=1\r\u{0}b")
      demand(manager.next() == ["STATUS=a MAINPID=1  b"], "line break")
      notifier.status(String(repeating: "é", count: ServiceNotifier.statusBytesMax))
      demand(manager.next()?.first?.utf8.count == "STATUS=".utf8.count + ServiceNotifier.statusBytesMax, "length")
    }
  }

  @Test("the daemon sends no notification without a service manager")
  func silence() async {
    await #expect(processExitsWith: .success) {
      unsetenv("NOTIFY_SOCKET")
      let notifier = ServiceNotifier()
      let manager = NotifySocket()
      demand(!notifier.isListenedTo, "listened to")
      notifier.ready(status: "x")
      notifier.alive()
      demand(manager.next() == nil, "something was sent")
    }
  }

  @Test("the watchdog pings while all event loops answer, pauses while one hangs, and resumes when it answers again")
  func watchdog() async {
    await #expect(processExitsWith: .success) {
      let manager = NotifySocket()
      let held = Answers()
      let watchdog = Watchdog(
        notifier: ServiceNotifier(), limitMicroseconds: 1_000_000, loops: [{ $0() }, { held.keep($0) }],
        onHold: { held.note($0) })
      let rounds = WatchdogLoops(count: 2)
      watchdog.beginRound(rounds)
      demand(manager.next() == ["WATCHDOG=1"], "first ping")
      watchdog.beginRound(rounds)
      watchdog.beginRound(rounds)
      demand(manager.next() == nil, "ping while a loop is silent")
      demand(held.notes == [[1]], "\(held.notes)")
      held.answerAll()
      watchdog.beginRound(rounds)
      demand(manager.next() == ["WATCHDOG=1"], "ping after the answer")
    }
  }

  @Test("a watchdog is created only if the service manager expects pings of this process")
  func watchdogExpected() async {
    await #expect(processExitsWith: .success) {
      unsetenv("WATCHDOG_USEC")
      demand(Watchdog(notifier: ServiceNotifier(), loops: []) == nil, "none asked")
      setenv("WATCHDOG_USEC", "20000000", 1)
      demand(Watchdog(notifier: ServiceNotifier(), loops: [])?.limitMicroseconds == 20_000_000, "asked")
      setenv("WATCHDOG_PID", "\(getpid())", 1)
      demand(Watchdog(notifier: ServiceNotifier(), loops: []) != nil, "asked of this process")
      setenv("WATCHDOG_PID", "1", 1)
      demand(Watchdog(notifier: ServiceNotifier(), loops: []) == nil, "asked of another process")
    }
  }
}
