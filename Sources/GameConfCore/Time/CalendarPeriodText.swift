// The ISO 8601 notation of calendar periods: `P1W`, `P3M`.

extension CalendarPeriod {
  /// The largest number of units in a period, such as the number of days.
  public static let countMax = 9999

  /// Parses a period with one unit, such as `P1W`, `P16D`, `P3M` or `P1Y`.
  /// - Throws: ``Fault`` for anything else, also for an empty period (`P0D`).
  public init(parsing text: String) throws(Fault) {
    let right = "write it as P3D, P1W, P6M or P1Y: P, one count and one of D, W, M, Y"
    let shown = JSONPointer.clipped(text, bytesMax: 64)
    let bytes = text.utf8
    guard bytes.first == UInt8(ascii: "P"), let letter = text.unicodeScalars.last, let unit = Unit(rawValue: String(letter)) else {
      throw Fault("“\(shown)” is not a calendar period; \(right).")
    }
    let digits = bytes.dropFirst().dropLast()
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      throw Fault("“\(shown)” is not a calendar period; \(right).")
    }
    guard let count = Int(String(Substring(digits))), (1...Self.countMax).contains(count) else {
      throw Fault("The count of a calendar period goes from 1 to \(Self.countMax), which “\(shown)” does not.")
    }
    self.init(count: count, unit: unit)
  }

  /// The period in ISO 8601 notation.
  public var text: String { "P\(count)\(unit.rawValue)" }
}

extension CalendarPeriod: CustomStringConvertible {
  /// The period in ISO 8601 notation, as ``text`` returns it.
  public var description: String { text }
}
