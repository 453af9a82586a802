// Adds calendar periods to an instant, always from the same anchor, so that a short month does not move later renewals to an earlier day.

extension Instant {
  /// Returns this instant plus a number of periods in UTC. A day that the month does not have becomes its last day (31 January + P1M is 28
  /// or 29 February).
  ///
  /// All periods are counted from this instant, so that 31 January plus two months is 31 March. A negative number of periods goes back.
  /// - Returns: nil if the result is outside the years 0001 to 9999.
  public func adding(_ period: CalendarPeriod, times: Int = 1) -> Instant? {
    let (units, overflows) = period.count.multipliedReportingOverflow(by: times)
    guard !overflows, units.magnitude <= 4_000_000 else { return nil }
    switch period.unit {
    case .day: return adding(milliseconds: Int64(units) * CivilDate.millisecondsADay)
    case .week: return adding(milliseconds: Int64(units) * 7 * CivilDate.millisecondsADay)
    case .month: return adding(months: units)
    case .year: return adding(months: units * 12)
    }
  }

  private func adding(months: Int) -> Instant? {
    let date = utcDate
    let monthsSinceZero = date.year * 12 + date.month - 1 + months
    guard (12..<120_000).contains(monthsSinceZero) else { return nil }
    let (year, month) = monthsSinceZero.quotientAndRemainder(dividingBy: 12)
    let day = min(date.day, CivilDate.days(inMonth: month + 1, year: year))
    return CivilDate(year: year, month: month + 1, day: day)?.utcStart.adding(milliseconds: millisecondsIntoUTCDay)
  }
}
