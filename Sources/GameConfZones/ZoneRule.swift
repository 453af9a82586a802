// The POSIX TZ rule at the end of a zone's file, such as `PST8PDT,M3.2.0,M11.1.0`, for the years after its last listed transition.

internal import GameConfCore

/// A POSIX TZ rule: standard time and, in zones that have it, daylight saving time with its two yearly transitions.
struct ZoneRule: Sendable, Hashable {
  /// The offset of daylight saving time, and its first and last moment in each year.
  struct DaylightSaving: Sendable, Hashable {
    var offset: Int64
    var start: YearlyTransition
    var end: YearlyTransition
  }

  /// A transition that recurs every year. The seconds count from local midnight of the day and may be negative or exceed a day.
  struct YearlyTransition: Sendable, Hashable {
    var day: TransitionDay
    var seconds: Int64
  }

  /// The day of a yearly transition, in one of the three notations of POSIX.
  enum TransitionDay: Sendable, Hashable {
    /// `Jn`: day n of the year, 29 February not counted, so that `J60` is always 1 March.
    case withoutLeapDay(Int)
    /// `n`: n days after 1 January, 29 February counted, so that `59` is 1 March or, in leap years, 29 February.
    case sinceNewYear(Int)
    /// `Mm.w.d`: the w-th weekday d of month m, so that `M3.2.0` is the second Sunday of March. Week 5 means the last.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  /// The offset of standard time, in seconds east of UTC.
  var standard: Int64
  var saving: DaylightSaving?

  /// Returns the offset, in seconds east of UTC, that applies to a local time.
  /// - Parameter last: The last transition that the zone's file lists, after which the rule applies; nil if the file lists no transition.
  func offset(showing seconds: Int64, since last: Zone.Transition?) -> Int64 {
    guard let saving else { return standard }
    var found = last
    let year = Instant(seconds: seconds).utcDate.year
    for year in year - 1...year + 1 {
      for change in changes(in: year, saving) where change.firstShown <= seconds && last.map({ $0.seconds < change.seconds }) ?? true {
        // If daylight saving time lasts all year, its end in one year and its start in the next are one instant. The start, which comes
        // later in this loop, wins.
        if found.map({ $0.seconds <= change.seconds }) ?? true { found = change }
      }
    }
    return found?.after ?? standard
  }

  private func changes(in year: Int, _ saving: DaylightSaving) -> [Zone.Transition] {
    guard let newYear = CivilDate(year: year, month: 1, day: 1)?.daysSince1970 else { return [] }
    func transition(_ change: YearlyTransition, from before: Int64, to after: Int64) -> Zone.Transition {
      let day = Int64(change.day.daysSince1970(in: year, newYear: newYear))
      return Zone.Transition(seconds: day * 86_400 + change.seconds - before, before: before, after: after)
    }
    return [
      transition(saving.start, from: standard, to: saving.offset), transition(saving.end, from: saving.offset, to: standard),
    ]
  }
}

extension ZoneRule.TransitionDay {
  fileprivate func daysSince1970(in year: Int, newYear: Int) -> Int {
    switch self {
    case .sinceNewYear(let days): return newYear + days
    case .withoutLeapDay(let day): return newYear + day - (day >= 60 && CivilDate.isLeap(year: year) ? 0 : 1)
    case .weekday(let month, let week, let weekday):
      let first = CivilDate(year: year, month: month, day: 1)?.daysSince1970 ?? newYear
      // 1 January 1970 was a Thursday, which is weekday 4.
      let ahead = ((weekday - 4 - first) % 7 + 7) % 7
      let day = first + ahead + 7 * (week - 1)
      return day < first + CivilDate.days(inMonth: month, year: year) ? day : day - 7
    }
  }
}

extension ZoneRule {
  /// Parses a POSIX TZ string.
  /// - Throws: ``Fault`` if the text is not in the form of RFC 9636, section 3.3.
  init(parsing text: [UInt8]) throws(Fault) {
    var reader = Reader(rest: text[...])
    self = try reader.rule()
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    private let fault = Fault("the rule at its end is not one of POSIX")

    init(rest: ArraySlice<UInt8>) { self.rest = rest }

    mutating func rule() throws(Fault) -> ZoneRule {
      try skipName()
      var rule = ZoneRule(standard: try -time(hoursMax: 24))
      if rest.isEmpty { return rule }
      try skipName()
      let offset = rest.first == UInt8(ascii: ",") ? rule.standard + 3600 : try -time(hoursMax: 24)
      guard take(",") else { throw fault }
      let start = try change()
      guard take(",") else { throw fault }
      rule.saving = DaylightSaving(offset: offset, start: start, end: try change())
      guard rest.isEmpty else { throw fault }
      return rule
    }

    /// Skips the abbreviation of a zone: letters, as in `PST`, or any name in angle brackets, as in `<+0330>`.
    private mutating func skipName() throws(Fault) {
      let isQuoted = take("<")
      let name = rest.prefix { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
        default: false
        }
      }
      rest = rest.dropFirst(name.count)
      guard name.count >= 3, !isQuoted || take(">") else { throw fault }
    }

    /// Parses a time such as `8`, `-5:30` or `02:00:00`, and returns it in seconds. POSIX TZ writes times of day and offsets in this form.
    private mutating func time(hoursMax: Int) throws(Fault) -> Int64 {
      let isNegative = take("-")
      if !isNegative { _ = take("+") }
      var seconds = try number(0...hoursMax) * 3600
      if take(":") { seconds += try number(0...59) * 60 }
      if take(":") { seconds += try number(0...59) }
      return Int64(isNegative ? -seconds : seconds)
    }

    private mutating func change() throws(Fault) -> YearlyTransition {
      let day: TransitionDay
      if take("M") {
        let month = try number(1...12)
        guard take(".") else { throw fault }
        let week = try number(1...5)
        guard take(".") else { throw fault }
        day = .weekday(month: month, week: week, weekday: try number(0...6))
      } else if take("J") {
        day = .withoutLeapDay(try number(1...365))
      } else {
        day = .sinceNewYear(try number(0...365))
      }
      return YearlyTransition(day: day, seconds: take("/") ? try time(hoursMax: 167) : 7200)
    }

    private mutating func number(_ range: ClosedRange<Int>) throws(Fault) -> Int {
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard (1...3).contains(digits.count) else { throw fault }
      rest = rest.dropFirst(digits.count)
      let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
      guard range.contains(number) else { throw fault }
      return number
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard let byte = rest.first, UInt32(byte) == character.value else { return false }
      rest = rest.dropFirst()
      return true
    }
  }
}
