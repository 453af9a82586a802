// The deadline of a completion, by the kernel's timer: neither a daemon that hangs nor a host whose threads are all busy defers it.

import Glibc

enum CompletionDeadline {
  /// The usual duration of the start. A longer start is subtracted from the timeout.
  private static let startMilliseconds = 30

  /// Ends this process silently and successfully after the completer's timeout, or sooner if the start took long, since the user has waited
  /// for that too.
  static func set() {
    signal(SIGALRM) { _ in _exit(0) }
    let patience = Completer.patienceMilliseconds
    start(milliseconds: max(1, min(patience, patience + startMilliseconds - age)))
  }

  /// The time since this process started, in milliseconds, in the kernel's steps of ten; 0 if the kernel does not report it.
  private static var age: Int {
    let descriptor = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = read(descriptor, &buffer, buffer.count)
    let bytes = buffer.prefix(max(0, count))
    // The name in brackets may contain spaces; the twentieth word behind it is the start time.
    let words = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    var now = timespec()
    guard words.count > 19, let ticks = Int(words[19]), clock_gettime(CLOCK_BOOTTIME, &now) == 0 else { return 0 }
    let age = now.tv_sec * 1000 + now.tv_nsec / 1_000_000 - ticks * 1000 / max(1, sysconf(Int32(_SC_CLK_TCK)))
    return (0...60_000).contains(age) ? age : 0
  }

  /// Cancels the deadline, so that the candidates are written whole.
  static func lift() { start(milliseconds: 0) }

  private static func start(milliseconds: Int) {
    var timer = itimerval()
    timer.it_value = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  }
}
