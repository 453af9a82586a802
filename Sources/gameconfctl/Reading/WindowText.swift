// Windows as they are typed: `--for 2h`, `--from`, `--until`.

import GameConfCore

struct WindowText: Equatable {
  var from: Instant?
  var until: Instant?

  /// Whether the daemon's clock is needed to read these.
  static func needsClock(duration: String?, from: String?, until: String?) -> Bool {
    duration != nil || from?.hasPrefix("+") == true || until?.hasPrefix("+") == true
  }

  /// - Parameter now: what the daemon's clock shows; what is relative counts from there.
  init(duration: String?, from: String?, until: String?, now: Instant?) throws(CtlFailure) {
    if duration != nil, until != nil { throw .usage("--for and --until both say when it ends; say one of them") }
    if from != nil, duration == nil, until == nil { throw .usage("--from needs --until or --for: a window has an end") }
    self.from = try from.map { (text) throws(CtlFailure) in try Self.instant(text, "--from", now) }
    self.until = try until.map { (text) throws(CtlFailure) in try Self.instant(text, "--until", now) }
    if let duration {
      let length = try Self.length(duration, "--for")
      guard length > 0 else { throw .usage("--for must be longer than 0s") }
      self.until = (self.from ?? now)?.adding(milliseconds: length)
      if self.until == nil { throw .usage("--for \(duration) reaches beyond the calendar") }
    }
    if let from = self.from, let until = self.until, until <= from {
      throw .usage("the window ends (\(until.text)) before it begins (\(from.text))")
    }
  }

  private static func instant(_ text: String, _ option: String, _ now: Instant?) throws(CtlFailure) -> Instant {
    if text.hasPrefix("+"), let now {
      guard let instant = now.adding(milliseconds: try length(String(text.dropFirst()), option)) else {
        throw .usage("\(option) \(text) reaches beyond the calendar")
      }
      return instant
    }
    do throws(TimeFault) {
      return try Instant(parsing: text)
    } catch {
      throw .usage("\(option): \(error.message)")
    }
  }

  private static func length(_ text: String, _ option: String) throws(CtlFailure) -> Int64 {
    do throws(TimeFault) {
      return try DurationText.milliseconds(in: text)
    } catch {
      throw .usage("\(option): \(error.message)")
    }
  }
}
