// The end of a completion's patience, by the kernel's timer: neither a daemon that hangs nor a machine whose threads are all busy defers it.

import Glibc

enum CompletionDeadline {
  /// The longest time that the start may take before it is taken off the patience.
  private static let startMilliseconds = 30

  /// Ends this process, without a word and as if all were well, when the completer's patience is over; sooner where the start itself took long,
  /// since who types has waited for that too.
  static func set() {
    signal(SIGALRM) { _ in _exit(0) }
    let patience = Completer.patienceMilliseconds
    start(milliseconds: max(1, min(patience, patience + startMilliseconds - age)))
  }

  /// The time since this process began, in milliseconds, of which the kernel counts every tenth; 0 where it does not say.
  private static var age: Int {
    let descriptor = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1_024)
    let count = read(descriptor, &buffer, buffer.count)
    let bytes = buffer.prefix(max(0, count))
    // The name in brackets may have spaces; the twentieth word behind it says when the process began.
    let words = String(decoding: bytes, as: UTF8.self).split(separator: ")").last?.split(separator: " ") ?? []
    var now = timespec()
    guard words.count > 19, let ticks = Int(words[19]), clock_gettime(CLOCK_BOOTTIME, &now) == 0 else { return 0 }
    let age = now.tv_sec * 1000 + now.tv_nsec / 1_000_000 - ticks * 1000 / max(1, sysconf(Int32(_SC_CLK_TCK)))
    return (0...60_000).contains(age) ? age : 0
  }

  /// Lets the process go on; what is found is then written whole.
  static func lift() { start(milliseconds: 0) }

  private static func start(milliseconds: Int) {
    var timer = itimerval()
    timer.it_value = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  }
}
