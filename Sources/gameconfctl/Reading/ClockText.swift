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

  /// A length such as `36h`, in milliseconds.
  static func length(_ text: String) throws(CtlFailure) -> Int64 {
    do throws(TimeFault) {
      return try DurationText.milliseconds(in: text)
    } catch {
      throw .usage("offset: \(error.message)")
    }
  }
}
