// Runs commands in a shell on a pseudo terminal, and returns the text that a person would see.

import Glibc

/// Runs lines in one bash on a pseudo terminal of a fixed width.
struct TerminalShell {
  let columns: Int
  var environment: [String: String]

  private static let end = "--end of the command--"
  // TIOCSPTLCK and TIOCGPTN, whose macros Swift does not import.
  private static let lockRequest: UInt = 0x4004_5431
  private static let numberRequest: UInt = 0x8004_5430

  /// Runs commands one after another in one shell.
  /// - Returns: For each command its output, with standard error, as lines without trailing spaces.
  func run(_ commands: [String]) throws -> [[String]] {
    let terminal = try openTerminal()
    defer { close(terminal.main) }
    let script = commands.map { "\($0)\nprintf '%s\\n' '\(Self.end)'\n" }.joined()
    let shell = try ChildProcess(
      "/usr/bin/env", ["bash", "--norc", "--noprofile", "-c", script], environment: environment, terminal: terminal.path)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // The read fails when the last program has closed the terminal.
    while case let count = read(terminal.main, &buffer, buffer.count), count > 0 { bytes.append(contentsOf: buffer[..<count]) }
    _ = shell.waitForEnd()
    // If the output of a command has no final newline, the end mark is on its last line.
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

  /// Returns the visible part of a line, after all erasures. A program that waits for long erases its message about that.
  private static func shown(_ line: Substring) -> Substring {
    line.ranges(of: "\r\u{1B}[K").last.map { line[$0.upperBound...] } ?? line
  }

  /// Types keys into one interactive bash, each after the shell has printed the expected text.
  /// - Parameter patienceSeconds: The time limit without output; long, because the machine may be busy.
  /// - Returns: Everything on the terminal at the end.
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
