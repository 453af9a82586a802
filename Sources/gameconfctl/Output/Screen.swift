// The screen to which a command writes, and on which a user answers its questions.

import GameConfCore
import GameConfOutput
import Glibc

struct Screen: Sendable {
  /// True if standard output is a terminal.
  var isTerminal: Bool
  /// True if a person can answer questions: standard input and standard error are terminals.
  var isAnswering: Bool
  /// The width of standard output's terminal in columns; 80 if it is not a terminal.
  var width: Int
  /// The height of standard output's terminal in rows.
  var height = 24
  /// Writes to standard output. If that fails, the program prints the reason and ends.
  var write: @Sendable (String) -> Void
  /// Writes to standard error; a failure is ignored.
  var writeError: @Sendable (String) -> Void
  /// Prints a question on standard error and returns the typed answer; nil at the end of input.
  var answer: @Sendable (String) -> String?
  /// True if colours are shown on standard output.
  var isColored = false
  /// True if times and columns are shown in full (`--long`).
  var isLong = false
  /// Returns the time on the host's clock.
  var clock: @Sendable () -> Instant = Screen.hostClock
  var zone = LocalZone.host
  /// The width of standard error's terminal in columns; nil if it is not a terminal.
  var errorWidth: Int?
  /// Ends the program as soon as the reader of standard output is gone. Commands that wait for events and print them call it.
  var endWithReader: @Sendable () -> Void = {}
  /// Overwrites the progress line on standard error; nil if standard error is not a terminal.
  var progress: (@Sendable (String) -> Void)?

  /// The screen of the process's own standard input, output and error.
  static var process: Screen {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let isNoting = isatty(STDERR_FILENO) == 1
    let width = isTerminal ? size(of: STDOUT_FILENO).columns : 80
    let noteWidth = isNoting ? size(of: STDERR_FILENO).columns : 0
    let progress: @Sendable (String) -> Void = { text in
      note("\r\u{1b}[K" + DisplayWidth.cut(text, to: max(1, noteWidth - 1)))
    }
    return Screen(
      isTerminal: isTerminal, isAnswering: isatty(STDIN_FILENO) == 1 && isNoting, width: width,
      height: isTerminal ? size(of: STDOUT_FILENO).rows : 24,
      write: { text in
        guard let failure = ProgramOutput.write(text.utf8, to: STDOUT_FILENO) else { return }
        GameConfCtl.end(with: .file(path: ProgramOutput.standardOutput, detail: "\(failure)"))
      },
      writeError: { text in note(text) },
      answer: { question in
        note(isNoting ? DisplayWidth.paragraphs(question, to: noteWidth) : question)
        return readLine()
      },
      isColored: isTerminal && takesColors, errorWidth: isNoting ? noteWidth : nil, endWithReader: ProgramOutput.endWithReader,
      progress: isNoting ? progress : nil)
  }

  var style: OutputStyle {
    OutputStyle(isTerminal: isTerminal, width: width, isColored: isColored, isLong: isLong, now: clock(), zone: zone)
  }

  /// Returns a point in time in the form for this screen; see ``OutputStyle/time(_:in:)``.
  func time(_ instant: Instant, in place: InstantContext = .sentence) -> String { style.time(instant, in: place) }

  func show(_ table: Table) { write(table.text(style)) }
  func show(_ page: TablePage) { write(page.text(style)) }

  /// Writes a sentence, wrapped between words on a terminal.
  func say(_ sentence: Sentence) {
    let text = sentence.text(style)
    write((isTerminal ? DisplayWidth.paragraphs(text, to: width) : text) + "\n")
  }

  /// Writes a line without wrapping, such as an address or a row of cells.
  func line(_ line: Sentence) { write(line.text(style) + "\n") }

  /// Writes a text without an added line break. It is exact in a pipe, and on a terminal control characters are escaped.
  func show(bare text: String) { write(isTerminal ? Sentence("\(lines: text)").text() : text) }

  /// Writes a sentence to standard error, wrapped between words on a terminal.
  func note(_ sentence: Sentence) {
    let text = sentence.text(style)
    writeError((errorWidth.map { DisplayWidth.paragraphs(text, to: $0) } ?? text) + "\n")
  }

  /// Asks the user to confirm before data is destroyed.
  /// - Parameter isAgreed: True if the user agreed with `--yes`, so that no question is needed.
  func confirm(_ question: Sentence, isAgreed: Bool) throws(CtlFailure) {
    if isAgreed { return }
    guard isAnswering else { throw .usage("\(question) Give --yes to do it without being asked.") }
    let answer = self.answer(question.text(style) + " [y/N] ")?.lowercased() ?? ""
    guard answer == "y" || answer == "yes" else { throw .declined }
  }

  static let hostClock: @Sendable () -> Instant = {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Instant(milliseconds: Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000)
  }

  /// True if the terminal supports colours and `NO_COLOR` is not set (https://no-color.org).
  private static var takesColors: Bool {
    let text = { (name: String) in getenv(name).map { String(cString: $0) } ?? "" }
    return text("NO_COLOR").isEmpty && text("TERM") != "dumb" && !text("TERM").isEmpty
  }

  private static func size(of descriptor: Int32) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Writes to standard error. A failure is ignored, because there is no other place to report it.
  private static func note(_ text: String) { _ = ProgramOutput.write(text.utf8, to: STDERR_FILENO) }
}
