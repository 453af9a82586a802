// Shows the progress of long work on standard error.

import Synchronization

/// A progress line that is overwritten repeatedly, and removed when the work is done.
final class Progress: Sendable {
  /// The time in milliseconds before the line appears, so that short work shows no progress.
  private static let silentMilliseconds = 400
  private static let stepMilliseconds = 150
  /// The time in milliseconds after which a note on standard error says that the command still waits, if standard error is not a terminal.
  static let noteMilliseconds = 3_000
  private static let barColumns = 24

  private struct ProgressState {
    var done: Int64 = 0
    var hasEnded = false
    var isShown = false
  }

  private let state = Mutex(ProgressState())
  private let what: Sentence
  /// The total number of bytes of the work; nil if it is unknown.
  private let total: Int64?
  private let write: (@Sendable (String) -> Void)?
  /// Prints a note that the command still waits; nil if the progress line is shown or no note is wanted.
  private let note: (@Sendable (Sentence) -> Void)?

  /// Starts to show progress if standard error is a terminal.
  /// - Parameter isNoted: True to print, if no progress line is shown, a single note after ``noteMilliseconds``.
  init(_ what: Sentence, total: Int64? = nil, on screen: Screen, isNoted: Bool = false) {
    let progress = screen.progress
    let note: @Sendable (Sentence) -> Void = { screen.note($0) }
    (self.what, self.total, write) = (what, total, progress)
    self.note = isNoted && progress == nil ? note : nil
    if write != nil || self.note != nil { Task { await self.tick() } }
  }

  func advance(by bytes: Int) { state.withLock { $0.done += Int64(bytes) } }

  /// Removes the progress line. Nothing is written to it after this.
  func stop() {
    state.withLock { state in
      if state.isShown, !state.hasEnded { write?("") }
      state.hasEnded = true
    }
  }

  private func tick() async {
    var milliseconds = 0
    while !state.withLock({ $0.hasEnded }) {
      do { try await Task.sleep(for: .milliseconds(Self.stepMilliseconds)) } catch { return }
      milliseconds += Self.stepMilliseconds
      if let note {
        if milliseconds < Self.noteMilliseconds { continue }
        return state.withLock { state in
          if !state.hasEnded { note("gameconfctl: still \(what); “systemctl status gameconfd” says if it runs") }
        }
      }
      if milliseconds < Self.silentMilliseconds { continue }
      state.withLock { state in
        if state.hasEnded { return }
        state.isShown = true
        write?(line(done: state.done, afterSeconds: milliseconds / 1000))
      }
    }
  }

  /// Returns the progress line. It has a bar if the total is known, otherwise the elapsed time.
  func line(done: Int64, afterSeconds seconds: Int) -> String {
    guard let total, total > 0, done < total else { return "\(what.text()) … \(seconds) s" }
    let bar = ThemeTable.bar(Double(done) / Double(total), width: Self.barColumns)
    return "\(what.text()) \(bar) \(done * 100 / total) %, \(ByteCountText.words(done)) of \(ByteCountText.words(total))"
  }
}

/// Renders a number of bytes in the form that people read.
enum ByteCountText {
  private static let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]

  /// Returns a number of bytes with its unit, such as `512 bytes` or `1.5 MiB`.
  static func words(_ bytes: Int64) -> String {
    var (unit, tenths) = (0, max(0, bytes) * 10)
    while tenths >= 10_240, unit < units.count - 1 { (unit, tenths) = (unit + 1, tenths / 1024) }
    if unit == 0 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    return tenths < 1000 && tenths % 10 != 0 ? "\(tenths / 10).\(tenths % 10) \(units[unit])" : "\(tenths / 10) \(units[unit])"
  }
}
