// Simulated time as it is typed.

import GameConfCore

enum ClockText {
  /// An instant such as `2027-01-31T00:00:00Z`.
  static func instant(_ text: String) throws(CtlFailure) -> Instant {
    do throws(TimeFault) {
      return try Instant(parsing: text)
    } catch {
      throw .usage("set: \(error.message)")
    }
  }

  /// Whether it says how long, and not when.
  static func isLength(_ text: String) -> Bool { (try? DurationText.milliseconds(in: text)) != nil }

  /// An instant, or how long before now it was: `2h`.
  static func past(_ text: String, _ option: String, now: Instant?) throws(CtlFailure) -> Instant {
    if let instant = try? Instant(parsing: text) { return instant }
    guard let now, let length = try? DurationText.milliseconds(in: text), let instant = now.adding(milliseconds: -length) else {
      throw .usage("\(option) \(SafeText.escaped(text)): write an instant such as 2026-12-01T00:00:00Z, or how long ago, such as 2h")
    }
    return instant
  }

  /// How far a simulated clock is ahead of the host's, in units that fit.
  static func ahead(milliseconds: Int64) -> String {
    let seconds = milliseconds / 1_000
    if seconds == 0 { return "not" }
    // Beside days, hours say nothing.
    let unit: Int64 = seconds.magnitude >= 2 * 86_400 ? 86_400 : seconds.magnitude >= 7_200 ? 3_600 : 1
    return DurationText.text(milliseconds: seconds / unit * unit * 1_000)
  }

  /// A length such as `36h`, in milliseconds.
  static func length(_ text: String) throws(CtlFailure) -> Int64 {
    do throws(TimeFault) {
      return try DurationText.milliseconds(in: text)
    } catch {
      throw .usage("offset: \(error.message)")
    }
  }
}
