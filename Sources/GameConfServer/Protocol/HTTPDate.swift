// The text of an instant in the HTTP header Date.

/// An instant as RFC 9110's IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`, always 29 bytes.
enum HTTPDate {
  static let length = 29

  static func text(secondsSince1970 seconds: Int) -> [UInt8] {
    let days = Int((Double(seconds) / 86_400).rounded(.down))
    let second = seconds - days * 86_400
    let date = civil(days)
    let weekday = ((days + 4) % 7 + 7) % 7
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length)
    bytes += weekdays[weekday].utf8
    bytes += ", ".utf8
    append(date.day, digits: 2, to: &bytes)
    bytes += " \(months[date.month - 1]) ".utf8
    append(date.year, digits: 4, to: &bytes)
    for (mark, part) in [(" ", second / 3_600), (":", second / 60 % 60), (":", second % 60)] {
      bytes += mark.utf8
      append(part, digits: 2, to: &bytes)
    }
    bytes += " GMT".utf8
    return bytes
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func append(_ number: Int, digits: Int, to bytes: inout [UInt8]) {
    var divisor = 1
    for _ in 1..<digits { divisor *= 10 }
    while divisor > 0 {
      bytes.append(48 + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }

  /// Returns the Gregorian date of a day counted from 1970-01-01 (Hinnant's `civil_from_days`).
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}
