// The rule for the years that a zone's data does not list, as POSIX writes it: `PST8PDT,M3.2.0,M11.1.0`.

internal import GameConfCore

/// Standard time and, where the zone has it, daylight saving time with the two days of each year on which clocks are changed.
struct ZoneRule: Sendable, Hashable {
  /// Daylight saving time, and when it begins and ends.
  struct DaylightSaving: Sendable, Hashable {
    var offset: Int64
    var start: YearlyTransition
    var end: YearlyTransition
  }

  /// A change of each year: a day, and seconds from its midnight by the clock before the change; these may be negative or of later days.
  struct YearlyTransition: Sendable, Hashable {
    var day: TransitionDay
    var seconds: Int64
  }

  /// A day of each year.
  enum TransitionDay: Sendable, Hashable {
    /// `J60` is 1 March in every year.
    case withoutLeapDay(Int)
    /// `59` is the sixtieth day of the year.
    case sinceNewYear(Int)
    /// `M3.2.0` is the second Sunday of March; a fifth week is the last.
    case weekday(month: Int, week: Int, weekday: Int)
  }

  /// Seconds east of UTC.
  var standard: Int64
  var saving: DaylightSaving?

  /// Seconds east of UTC when clocks show that time.
  /// - Parameter last: The transition after which the rule counts; nil where it always does.
  func offset(showing seconds: Int64, since last: Zone.Transition?) -> Int64 {
    guard let saving else { return standard }
    var found = last
    let year = Instant(seconds: seconds).utcDate.year
    for year in year - 1...year + 1 {
      for change in changes(in: year, saving) where change.firstShown <= seconds && last.map({ $0.seconds < change.seconds }) ?? true {
        // Of two at one instant the later one counts: a year may end in daylight saving time and the next begin with it.
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
      // The first of January 1970 was a Thursday.
      let ahead = ((weekday - 4 - first) % 7 + 7) % 7
      let day = first + ahead + 7 * (week - 1)
      return day < first + CivilDate.days(inMonth: month, year: year) ? day : day - 7
    }
  }
}

extension ZoneRule {
  /// The rule that a text holds.
  /// - Throws: ``Fault`` for anything but the form of RFC 9636, section 3.3.
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

    /// Passes over `PST`, or `<+0330>`.
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

    /// `8`, `-5:30` or `02:00:00`, in seconds.
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
