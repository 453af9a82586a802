// Parses and formats durations: `2h`, `90s`, `1d12h`, and in ISO 8601 `PT2H`.

/// Parses and formats durations in units of fixed length: weeks, days of 24 hours, hours, minutes, seconds and milliseconds.
public enum DurationText {
  /// The longest duration: from the first to the last representable instant.
  public static let millisecondsMax = Instant.latest.milliseconds - Instant.earliest.milliseconds
  /// The longest text of a duration in bytes.
  public static let textBytesMax = 64

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  /// Parses a duration and returns it in milliseconds; never negative.
  ///
  /// Units go from the largest to the smallest, each at most once. Only the last number may have a fraction (`1.5h`). In ISO 8601 notation,
  /// months and years are not allowed, because their length varies.
  /// - Throws: ``Fault`` for anything else, for a duration above ``millisecondsMax``, and for a fraction of a millisecond.
  public static func milliseconds(in text: String) throws(Fault) -> Int64 {
    guard text.utf8.count <= textBytesMax else { throw Fault("A length of time has at most \(textBytesMax) characters.") }
    let parts = text.hasPrefix("P") || text.hasPrefix("p") ? try isoParts(text) : try parts(of: text[...], in: text)
    var total: Int64 = 0
    var unitBefore = -1
    for (at, part) in parts.enumerated() {
      guard let unit = units.firstIndex(where: { $0.name == part.unit }), unit > unitBefore else { throw fault(text) }
      unitBefore = unit
      if !part.fraction.isEmpty, at < parts.count - 1 { throw Fault("In “\(text)” only the last number may have a fraction.") }
      let (added, overflows) = total.addingReportingOverflow(try length(of: part, unit: units[unit].milliseconds, in: text))
      guard !overflows, added <= millisecondsMax else { throw Fault("“\(text)” is longer than the calendar, which ends in 9999.") }
      total = added
    }
    return total
  }

  /// Formats a duration with the largest units first: `1d12h`, `1s500ms`, `0s`.
  public static func text(milliseconds: Int64) -> String {
    if milliseconds == 0 { return "0s" }
    var rest = milliseconds.magnitude
    var text = milliseconds < 0 ? "-" : ""
    for unit in units.dropFirst() {
      let (count, remainder) = rest.quotientAndRemainder(dividingBy: UInt64(unit.milliseconds))
      if count > 0 { text += "\(count)\(unit.name)" }
      rest = remainder
    }
    return text
  }

  private struct DurationPart {
    var whole: Substring
    var fraction: Substring
    var unit: String
  }

  private static func isoParts(_ text: String) throws(Fault) -> [DurationPart] {
    let capitals = text.uppercased()
    let halves = capitals.dropFirst().split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    guard let days = halves.first, halves.count == 1 || !halves[1].isEmpty else { throw fault(text) }
    let dayParts = days.isEmpty && halves.count == 2 ? [] : try parts(of: days, in: text)
    let timeParts = halves.count == 2 ? try parts(of: halves[1], in: text) : []
    if dayParts.contains(where: { $0.unit == "m" || $0.unit == "y" }) {
      throw Fault("“\(text)” has months or years, whose length differs; write weeks, days, hours, minutes or seconds.")
    }
    guard dayParts.allSatisfy({ $0.unit == "w" || $0.unit == "d" }), timeParts.allSatisfy({ ["h", "m", "s"].contains($0.unit) }) else {
      throw fault(text)
    }
    return dayParts + timeParts
  }

  private static func parts(of text: Substring, in whole: String) throws(Fault) -> [DurationPart] {
    var parts: [DurationPart] = []
    var rest = text
    repeat {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(digits.count)
      var fraction = Substring()
      if rest.first == "." {
        fraction = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        rest = rest.dropFirst(fraction.count + 1)
        if fraction.isEmpty { throw fault(whole) }
      }
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(unit.count)
      if digits.isEmpty { throw fault(whole) }
      if unit.isEmpty, rest.isEmpty, parts.isEmpty, fraction.isEmpty {
        throw Fault("“\(whole)” has a number without a unit; write it as \(whole)s, \(whole)m or \(whole)h.")
      }
      if unit.isEmpty { throw fault(whole) }
      if unit == "M", !whole.uppercased().hasPrefix("P") {
        throw Fault("“\(whole)” may mean minutes or months; write \(digits)m for minutes. A month has no fixed length: write days.")
      }
      parts.append(DurationPart(whole: digits, fraction: fraction, unit: unit.lowercased()))
    } while !rest.isEmpty
    return parts
  }

  private static func length(of part: DurationPart, unit: Int64, in text: String) throws(Fault) -> Int64 {
    let tooLong = Fault("“\(text)” is longer than the calendar, which ends in 9999.")
    guard let count = Int64(part.whole) else { throw tooLong }
    let (length, overflows) = count.multipliedReportingOverflow(by: unit)
    if overflows { throw tooLong }
    var scale: Int64 = 1
    var numerator: Int64 = 0
    for digit in part.fraction.reversed().drop(while: { $0 == "0" }).reversed() {
      guard scale < 1_000_000_000, let value = digit.wholeNumberValue else { throw Fault("“\(text)” is finer than a millisecond.") }
      scale *= 10
      numerator = numerator * 10 + Int64(value)
    }
    let (product, productOverflows) = numerator.multipliedReportingOverflow(by: unit)
    guard !productOverflows, product.isMultiple(of: scale) else { throw Fault("“\(text)” is finer than a millisecond.") }
    let (sum, sumOverflows) = length.addingReportingOverflow(product / scale)
    if sumOverflows { throw tooLong }
    return sum
  }

  private static func fault(_ text: String) -> Fault {
    Fault("“\(text)” is not a length of time; write it as 90s, 2h, 1d12h or PT2H (units w, d, h, m, s, ms, each once, greatest first).")
  }
}
