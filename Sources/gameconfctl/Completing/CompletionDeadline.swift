// The end of a completion's patience, by the kernel's timer: neither a daemon that hangs nor a machine whose threads are all busy defers it.

import Glibc

enum CompletionDeadline {
  /// Ends this process, without a word and as if all were well, when the completer's patience is over.
  static func set() {
    signal(SIGALRM) { _ in _exit(0) }
    start(milliseconds: Completer.patienceMilliseconds)
  }

  /// Lets the process go on; what is found is then written whole.
  static func lift() { start(milliseconds: 0) }

  private static func start(milliseconds: Int) {
    var timer = itimerval()
    timer.it_value = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  }
}
