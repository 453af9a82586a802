// Dates of the proleptic Gregorian calendar, and their day numbers.

/// A date of the proleptic Gregorian calendar without a time zone.
public struct CivilDate: Sendable, Hashable, Comparable {
  /// The year, from 1 to 9999 unless it results from arithmetic.
  public let year: Int
  /// The month, from 1 to 12.
  public let month: Int
  /// The day of the month, counted from 1.
  public let day: Int

  static let millisecondsADay: Int64 = 86_400_000

  /// The largest absolute value of a day number, a thousand million years, so that the conversion cannot overflow.
  private static let daysCountedMax = 365_000_000_000

  /// Creates a date; returns nil if the calendar does not have it.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), (1...CivilDate.days(inMonth: month, year: year)).contains(day) else {
      return nil
    }
    self.init(checkedYear: year, month: month, day: day)
  }

  private init(checkedYear year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Converts a day number to a date. Numbers beyond a thousand million years are clamped.
  ///
  /// Years are counted from March, so that the leap day is the last day of a year. An era of 400 years always has 146 097 days (Hinnant's
  /// algorithm).
  public init(daysSince1970 days: Int) {
    let sinceMarch0000 = min(max(days, -Self.daysCountedMax), Self.daysCountedMax) + 719_468
    let era = (sinceMarch0000 >= 0 ? sinceMarch0000 : sinceMarch0000 - 146_096) / 146_097
    let dayOfEra = sinceMarch0000 - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      checkedYear: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month, day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }

  /// The number of days since 1970-01-01, negative before it.
  public var daysSince1970: Int {
    let year = month <= 2 ? self.year - 1 : self.year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// The first instant of the day in UTC.
  public var utcStart: Instant { Instant(seconds: Int64(daysSince1970) * 86_400) }

  /// The date as `YYYY-MM-DD`.
  public var text: String { "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))" }

  /// True if the year has a 29 February.
  public static func isLeap(year: Int) -> Bool { year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) }

  /// Returns the number of days in a month, 28 to 31.
  public static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: isLeap(year: year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// True if the left date is earlier.
  public static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }
}

/// Returns a number in decimal, with leading zeros if it has fewer than this many digits.
func padded(_ number: Int, _ digits: Int) -> String {
  var text: [UInt8] = []
  appendPadded(number, digits, to: &text)
  return String(decoding: text, as: UTF8.self)
}

/// Appends a number in decimal, with leading zeros if it has fewer than this many digits.
func appendPadded(_ number: Int, _ digits: Int, to text: inout [UInt8]) {
  if number < 0 { text.append(UInt8(ascii: "-")) }
  var weight: UInt = 1
  for _ in 1..<digits { weight *= 10 }
  while weight > 1, number.magnitude < weight {
    text.append(UInt8(ascii: "0"))
    weight /= 10
  }
  text.append(contentsOf: String(number.magnitude).utf8)
}
