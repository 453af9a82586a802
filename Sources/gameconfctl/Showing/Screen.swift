// Where a command's words go and where its questions are answered.

import Glibc

struct Screen: Sendable {
  /// Whether a person looks at standard output.
  var isTerminal: Bool
  /// Whether a person can answer.
  var isAnswering: Bool
  /// Columns of the terminal.
  var width: Int
  /// Writes to standard output.
  var write: @Sendable (String) -> Void
  /// Writes a line to standard error.
  var note: @Sendable (String) -> Void
  /// The answer to a question; nil at the end of input.
  var answer: @Sendable (String) -> String?

  /// The process's own.
  static var process: Screen {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    return Screen(
      isTerminal: isTerminal, isAnswering: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1, width: isTerminal ? columns() : 80,
      write: { text in put(text, to: STDOUT_FILENO) },
      note: { line in put(line + "\n", to: STDERR_FILENO) },
      answer: { question in
        put(question, to: STDERR_FILENO)
        return readLine()
      })
  }

  func show(_ table: Table) { write(table.text(isTerminal: isTerminal, width: width)) }

  /// Asks before something is destroyed.
  func confirm(_ question: String, isAgreed: Bool) throws(CtlFailure) {
    if isAgreed { return }
    guard isAnswering else { throw .usage("\(question) Say --yes to do it without being asked.") }
    let answer = self.answer("\(question) [y/N] ")?.lowercased() ?? ""
    guard answer == "y" || answer == "yes" else { throw .declined }
  }

  private static func columns() -> Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func put(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return }
    }
  }
}
