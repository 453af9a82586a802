// A refused start and a daemon that does not respond, as an operator sees them.

import GameConfCore
import Glibc
import Testing

@Suite("A daemon that does not serve")
struct RefusedStartTests {
  /// Starts the daemon with its standard error connected to the journal, as for a service.
  private func startAsService(_ words: String) throws -> ChildProcess.Ending {
    let script = "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/2); export JOURNAL_STREAM; exec '\(Built.daemon)' \(words)"
    return try ChildProcess("/bin/sh", ["-c", script]).waitForEnd()
  }

  @Test(
    "the reason of a refused start or check is an error in the journal",
    arguments: [
      ("--defaults /nope --state-dir DIR/state --runtime-dir DIR/run", Int32(1), "<3>the start is refused: /nope: "),
      ("--no-such-option", 2, "<3>the start is refused: "), ("--check --defaults /nope --state-dir DIR/state", 1, "<3>/nope: "),
    ])
  func priority(words: String, status: Int32, line: String) throws {
    // On a host with a journal, the entry goes to the journal's socket, and standard error stays empty.
    guard access("/run/systemd/journal/socket", F_OK) != 0 else { return }
    let folder = try TemporaryFolder()
    let ended = try startAsService(words.replacing("DIR", with: folder.path))
    #expect(ended.status == status && ended.errors.split(separator: "\n").contains { $0.hasPrefix(line) }, "\(ended)")
  }

  @Test("a start with a passed socket of an unknown name is refused and names it")
  func unknownSocket() throws {
    let folder = try TemporaryFolder()
    let script = """
      import os, socket, sys
      made = []
      for at, name in enumerate(["games", "admin", "gmaes"]):
          made.append(socket.socket(socket.AF_UNIX)); made[-1].bind(f"{sys.argv[1]}/{name}"); made[-1].listen(1)
      held = [os.dup(one.fileno()) for one in made]
      for at, one in enumerate(held): os.dup2(one, 3 + at, inheritable=True)
      os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="3", LISTEN_FDNAMES="games:admin:gmaes")
      os.execv(sys.argv[2], sys.argv[2:])
      """
    let ended = try ChildProcess(
      "/usr/bin/env",
      [
        "python3", "-c", script, folder.path, Built.daemon, "--defaults", Built.tree + "/Defaults", "--state-dir", folder.path + "/state",
        "--runtime-dir", folder.path + "/run",
      ]
    ).waitForEnd()
    #expect(ended.status == 1 && ended.errors.contains("systemd passes a socket named “gmaes”"), "\(ended)")
  }

  /// Creates a socket that listens and never answers, like systemd's for a daemon that does not start.
  private func silent(_ folder: TemporaryFolder) throws -> (path: String, descriptor: Int32) {
    let path = folder.path + "/silent.sock"
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(descriptor, 8) == 0
      }
    }
    try #require(isBound)
    return (path, descriptor)
  }

  @Test(
    "gameconfctl health gives up after 3 s without an answer, or after --timeout, and suggests what to check",
    arguments: [("3.0", [String]()), ("0.5", ["--timeout", "0.5"])])
  func health(seconds: String, options: [String]) throws {
    let folder = try TemporaryFolder()
    let (path, descriptor) = try silent(folder)
    defer { close(descriptor) }
    let ended = try ChildProcess(Built.control, ["health", "--socket", path] + options).waitForEnd()
    #expect(ended.status == 3 && ended.errors.contains("no answer within \(seconds) s"), "\(ended)")
    #expect(ended.errors.contains("systemctl status gameconfd") && ended.errors.contains("gameconfd --check"), "\(ended)")
    #expect(!ended.errors.contains("still waiting"))
  }

  @Test("a gameconfctl command reports on standard error that it is still waiting")
  func stillWaiting() throws {
    let folder = try TemporaryFolder()
    let (path, descriptor) = try silent(folder)
    defer { close(descriptor) }
    let command = try ChildProcess(Built.control, ["games", "--socket", path])
    #expect(command.waitForLine(containing: "still waiting for gameconfd") != nil)
    command.signal(SIGKILL)
    _ = command.waitForEnd()
    let limited = try ChildProcess(Built.control, ["games", "--socket", path, "--timeout", "4"]).waitForEnd()
    #expect(limited.status == 3 && !limited.errors.contains("still waiting"), "\(limited)")
  }
}
