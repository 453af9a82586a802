// Commands in a shell whose output goes to a terminal, as a person at the keyboard would see it.

import Glibc

/// Runs lines in one bash on a pseudo terminal of a fixed width.
struct TerminalShell {
  let columns: Int
  var environment: [String: String]

  private static let end = "--end of the command--"
  // TIOCSPTLCK and TIOCGPTN, macros that Swift does not see.
  private static let lockRequest: UInt = 0x4004_5431
  private static let numberRequest: UInt = 0x8004_5430

  /// Runs the commands one after the other in one shell.
  /// - Returns: for each what it printed, standard error too, as lines without spaces at their ends.
  func run(_ commands: [String]) throws -> [[String]] {
    let terminal = try openTerminal()
    defer { close(terminal.main) }
    let script = commands.map { "\($0)\nprintf '%s\\n' '\(Self.end)'\n" }.joined()
    let shell = try ChildProcess(
      "/usr/bin/env", ["bash", "--norc", "--noprofile", "-c", script], environment: environment, terminal: terminal.path)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // Reading fails when the last program has left the terminal.
    while case let count = read(terminal.main, &buffer, buffer.count), count > 0 { bytes.append(contentsOf: buffer[..<count]) }
    _ = shell.waitForEnd()
    // What ends without a newline has the mark on its last line.
    let texts = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n").split(
      separator: Self.end + "\n", omittingEmptySubsequences: false)
    return texts.dropLast().map { text in
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        String(Self.shown(line).reversed().drop { $0 == " " }.reversed())
      }
      if lines.last == "" { lines.removeLast() }
      return lines
    }
  }

  /// The part of a line that a terminal shows in the end: a program that waits long erases what it said of that.
  private static func shown(_ line: Substring) -> Substring {
    line.ranges(of: "\r\u{1B}[K").last.map { line[$0.upperBound...] } ?? line
  }

  /// Types keys in one interactive bash, each when the shell has printed what is waited for.
  /// - Parameter patienceSeconds: how long the shell may say nothing, on a machine that is busy.
  /// - Returns: everything on the terminal, in the end.
  func type(_ steps: [(waitingFor: String, keys: String)], patienceSeconds: Int32 = 60) throws -> String {
    let terminal = try openTerminal()
    defer { close(terminal.main) }
    let shell = try ChildProcess(
      "/usr/bin/env", ["bash", "--norc", "--noprofile", "-i"], environment: environment.merging(["INPUTRC": "/dev/null"]) { $1 },
      terminal: terminal.path, isTyped: true)
    var text = ""
    var seen = text.startIndex
    for step in steps {
      while true {
        if let found = text[seen...].firstRange(of: step.waitingFor) {
          seen = found.upperBound
          break
        }
        var poller = pollfd(fd: terminal.main, events: Int16(POLLIN), revents: 0)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        guard poll(&poller, 1, patienceSeconds * 1000) > 0, case let count = read(terminal.main, &buffer, buffer.count), count > 0 else {
          throw ChildProcess.Failure(description: "“\(step.waitingFor)” never came: \(text)")
        }
        let offset = text.utf8.distance(from: text.startIndex, to: seen)
        text += String(decoding: buffer[..<count], as: UTF8.self)
        seen = text.utf8.index(text.startIndex, offsetBy: offset)
      }
      let keys = Array(step.keys.utf8)
      _ = keys.withUnsafeBytes { write(terminal.main, $0.baseAddress, $0.count) }
    }
    shell.signal(SIGKILL)
    _ = shell.waitForEnd()
    return text
  }

  private func openTerminal() throws -> (main: Int32, path: String) {
    let main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, number): (Int32, Int32) = (0, 0)
    var size = winsize(ws_row: 50, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard main >= 0, ioctl(main, Self.lockRequest, &locked) == 0, ioctl(main, Self.numberRequest, &number) == 0,
      ioctl(main, UInt(TIOCSWINSZ), &size) == 0
    else { throw ChildProcess.Failure(description: "no pseudo terminal: \(String(cString: strerror(errno)))") }
    return (main, "/dev/pts/\(number)")
  }
}
