// The deadline of a completion. It uses a timer of the kernel, so that neither a daemon that hangs nor busy threads can delay it.

import Glibc

enum CompletionDeadline {
  /// The usual duration of the program's start in milliseconds. A longer start is subtracted from the timeout.
  private static let startMilliseconds = 30

  /// Ends this process silently and successfully after the completer's timeout. If the start took long, it ends sooner, because the user
  /// has waited for the start too.
  static func set() {
    signal(SIGALRM) { _ in _exit(0) }
    let patience = Completer.patienceMilliseconds
    start(milliseconds: max(1, min(patience, patience + startMilliseconds - age)))
  }

  /// The time since this process started in milliseconds, with a resolution of ten; 0 if the kernel does not report it.
  private static var age: Int {
    let descriptor = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = read(descriptor, &buffer, buffer.count)
    let bytes = buffer.prefix(max(0, count))
    // In /proc/self/stat the name in parentheses may contain spaces. The start time is the twentieth word after it.
    let words = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    var now = timespec()
    guard words.count > 19, let ticks = Int(words[19]), clock_gettime(CLOCK_BOOTTIME, &now) == 0 else { return 0 }
    let age = now.tv_sec * 1000 + now.tv_nsec / 1_000_000 - ticks * 1000 / max(1, sysconf(Int32(_SC_CLK_TCK)))
    return (0...60_000).contains(age) ? age : 0
  }

  /// Cancels the deadline, so that the process does not end while it writes the candidates.
  static func lift() { start(milliseconds: 0) }

  private static func start(milliseconds: Int) {
    var timer = itimerval()
    timer.it_value = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  }
}
