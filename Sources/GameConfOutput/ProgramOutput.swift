// The one writer of what the programs print: all of it arrives, or the program says that it did not.

internal import Glibc

/// Writes to the standard descriptors of a program.
package enum ProgramOutput {
  /// Occupies the standard descriptors that are closed; the first thing that a program does.
  ///
  /// Otherwise the next socket or file would get the number, and what the program prints would be written into it. A write to an occupied
  /// descriptor fails, as on a closed one.
  package static func reserveDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes bytes whole; waits where the descriptor does not block and is full.
  ///
  /// If the reader of standard output is gone, the process ends by SIGPIPE. Notes on standard error are not worth that.
  /// - Returns: nil, or the system's words about the failure.
  package static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> String? {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written >= 0 {
        rest = rest.dropFirst(written)
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: waitUntilWritable(descriptor)
      case EPIPE where descriptor == STDOUT_FILENO: endByBrokenPipe()
      default: return String(cString: strerror(errno))
      }
    }
    return nil
  }

  /// Writes text; if standard output does not take it, says so on standard error and exits with 1.
  /// - Parameter program: The name of the program, which begins the sentence.
  package static func say(_ text: String, to descriptor: Int32, by program: String) {
    guard let failure = write(text.utf8, to: descriptor), descriptor == STDOUT_FILENO else { return }
    _ = write("\(program): \(standardOutput): \(failure)\n".utf8, to: STDERR_FILENO)
    exit(1)
  }

  /// The name of standard output in a sentence.
  package static let standardOutput = "standard output"

  /// Ends the process by SIGPIPE as soon as the reader of standard output is gone, also while there is nothing to write.
  ///
  /// For a program that waits and prints what comes; one that changes something goes on to its end.
  package static func endWithReader() {
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { _ in
        // Without events to wait for, poll returns only where nobody reads any longer.
        var entry = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        while true {
          if poll(&entry, 1, -1) > 0 { ProgramOutput.endByBrokenPipe() }
          if errno != EINTR { return nil }
        }
      }, nil)
    // Without a thread the next write finds out.
    if status == 0 { pthread_detach(thread) }
  }

  private static func waitUntilWritable(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, -1)
  }

  /// Ends the process as the signal does, which libraries have set to be ignored.
  private static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(SIGPIPE)
    // Only where the signal did not end it.
    _exit(128 + SIGPIPE)
  }
}
