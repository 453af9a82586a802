// The only place from which the programs print. Output arrives whole, or the program reports the failure.

internal import Glibc

/// Writes to standard output and standard error of a program.
package enum ProgramOutput {
  /// Opens /dev/null for each standard descriptor that is closed. A program calls this first.
  ///
  /// Otherwise the next socket or file that is opened would get the closed descriptor's number, and the program's output would be written
  /// into it. Writes to standard output and standard error still fail, as on a closed descriptor.
  package static func reserveDescriptors() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Writes all bytes; waits while a non-blocking descriptor is full.
  ///
  /// If the reader of standard output is gone, the process ends by SIGPIPE. If the reader of standard error is gone, the process goes on.
  /// - Returns: The system's message for the error; nil if all bytes were written.
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

  /// Writes a text. If writing to standard output fails, writes the reason to standard error and exits with 1.
  /// - Parameter program: The program's name, with which the error message begins.
  package static func say(_ text: String, to descriptor: Int32, by program: String) {
    guard let failure = write(text.utf8, to: descriptor), descriptor == STDOUT_FILENO else { return }
    _ = write("\(program): \(standardOutput): \(failure)\n".utf8, to: STDERR_FILENO)
    exit(1)
  }

  /// The name of standard output in error messages.
  package static let standardOutput = "standard output"

  /// Starts a thread that ends the process by SIGPIPE as soon as the reader of standard output is gone.
  ///
  /// Only for programs that wait and print events. A program that changes something must finish the change.
  package static func endWithReader() {
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { _ in
        // poll() with no events returns only for POLLERR or POLLHUP: the reader has closed its end.
        var entry = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        while true {
          if poll(&entry, 1, -1) > 0 { ProgramOutput.endByBrokenPipe() }
          if errno != EINTR { return nil }
        }
      }, nil)
    // If no thread can be created, the program notices the broken pipe at its next write.
    if status == 0 { pthread_detach(thread) }
  }

  private static func waitUntilWritable(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    _ = poll(&entry, 1, -1)
  }

  /// Ends the process by SIGPIPE, which libraries may have set to be ignored.
  private static func endByBrokenPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(SIGPIPE)
    // Reached only if the signal did not end the process.
    _exit(128 + SIGPIPE)
  }
}
