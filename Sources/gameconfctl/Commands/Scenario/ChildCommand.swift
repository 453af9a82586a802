// A command that runs as a child process.

import Glibc

/// A command that runs as a child process with this process's terminal, standard streams and environment.
final class ChildCommand {
  private let pid: pid_t
  private var ended: Int32?

  /// Starts a command. It is searched in PATH, as in a shell.
  init(_ command: [String], environment more: [(String, String)]) throws(CtlFailure) {
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let names = Set(more.map(\.0))
    var variables = Self.environment.filter { variable in !names.contains(String(variable.prefix { $0 != "=" })) }
    variables += more.map { "\($0)=\($1)" }
    var pairs = variables.map { strdup($0) } + [nil]
    defer { for pair in pairs { free(pair) } }
    var started: pid_t = 0
    let code = Self.withUsualSignals { posix_spawnp(&started, command[0], nil, &$0, &words, &pairs) }
    guard code == 0 else { throw .file(path: command[0], detail: "\(String(cString: strerror(code)))") }
    pid = started
  }

  /// Calls `body` with spawn attributes that give the child process the default signal handling, regardless of this process's handling.
  static func withUsualSignals(_ body: (inout posix_spawnattr_t) -> Int32) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The child process gets the default actions for the signals that this process handles.
    var usual = sigset_t()
    sigemptyset(&usual)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&usual, number) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    // The child process must not inherit the signal mask of the starting thread, because that mask blocks nearly all signals.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    return body(&attributes)
  }

  private static var environment: [String] {
    var variables: [String] = []
    var at = environ
    while let variable = at.pointee {
      variables.append(String(cString: variable))
      at += 1
    }
    return variables
  }

  /// Sends a signal to the child process, unless it has ended.
  func signal(_ number: Int32) { if ended == nil { kill(pid, number) } }

  /// The exit status as a shell reports it; nil while the command runs.
  var status: Int32? {
    if let ended { return ended }
    var raw: Int32 = 0
    let waited = waitpid(pid, &raw, WNOHANG)
    if waited == 0 || (waited < 0 && errno == EINTR) { return nil }
    let number = raw & 0x7f
    ended = waited < 0 ? 1 : number == 0 ? (raw >> 8) & 0xff : 128 + number
    return ended
  }
}
