// Parses the time windows of overrides as people type them: `--for 2h`, `--from "next monday 9:00"`, `--until 18:00`.

import GameConfCore

struct WindowText: Equatable {
  var from: Instant?
  var until: Instant?

  /// True if one of these texts is relative, so that the window can only be read with the daemon's clock.
  static func needsClock(duration: String?, from: String?, until: String?) -> Bool {
    duration != nil || [from, until].contains { $0.map(TimeText.needsClock) ?? false }
  }

  /// Parses the options for an override's window.
  /// - Parameter now: The time of the daemon's clock, to which relative times refer.
  init(duration: String?, from: String?, until: String?, now: Instant?, zone: LocalZone = .host) throws(CtlFailure) {
    if duration != nil, until != nil { throw .usage("--for and --until both name the end; give one of them") }
    if from != nil, duration == nil, until == nil { throw .usage("--from needs --until or --for: a window has an end") }
    let time = TimeText(now: now ?? Console.now, zone: zone)
    self.from = try from.map { (text) throws(CtlFailure) in try time.instant(text, "--from") }
    // A time of day as the end means the first one after the window's beginning, which may be days from now.
    let end = TimeText(now: self.from ?? time.now, zone: zone)
    self.until = try until.map { (text) throws(CtlFailure) in
      try (text.contains(":") && !text.contains(" ") && TimeText.needsClock(text) ? end : time).instant(text, "--until")
    }
    if let duration {
      let length = try LengthText.milliseconds(duration, "--for")
      guard length > 0 else { throw .usage("--for must be longer than 0s") }
      self.until = (self.from ?? now)?.adding(milliseconds: length)
      if self.until == nil { throw .usage("--for \(duration) reaches beyond the calendar") }
    }
    if let from = self.from, let until = self.until, until <= from {
      throw .usage("the window ends (\(until.text)) before it begins (\(from.text))")
    }
  }
}
