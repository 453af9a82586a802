// Reads the numbers of a row, limited to ranges in which sums cannot overflow.
import GameConfCore

/// The range of numbers read from a database in use, where revisions and ordinals may have grown beyond ``StoredNumber/range``.
enum ReadableNumber {
  /// Numbers of which any two can be added without an overflow.
  static let range: ClosedRange<Int64> = -(1 << 62) + 1...(1 << 62) - 1
}

/// A row with integer columns: the current row of a query, or a copy.
protocol NumberRow {
  associatedtype Column: BinaryInteger

  /// Returns the integer in a column, of any 64 bits, without a check of its range. For scores and digests, which are never added without
  /// an overflow check.
  func anyInteger(_ column: Column) -> Int64?
}

extension NumberRow {
  /// Returns the integer in a column. Throws `.damaged` if the column has no integer, or one outside ``ReadableNumber/range``.
  func integer(_ column: Column) throws(DatabaseFailure) -> Int64 {
    guard let value = optionalInteger(column) else { throw .damaged("a number is missing in column \(column), or far out of range") }
    return value
  }

  /// Returns the integer in a column; nil if the column has no integer, or one outside ``ReadableNumber/range``.
  func optionalInteger(_ column: Column) -> Int64? { anyInteger(column).flatMap { ReadableNumber.range.contains($0) ? $0 : nil } }

  /// Returns the integer in a column, of any 64 bits. Throws `.damaged` if the column has no integer.
  func bits(_ column: Column) throws(DatabaseFailure) -> Int64 {
    guard let bits = anyInteger(column) else { throw .damaged("a number is missing in column \(column)") }
    return bits
  }

  /// Returns the score in a column, of any 64 bits. Throws `.damaged` if the column has no integer.
  func score(_ column: Column) throws(DatabaseFailure) -> Int64 {
    guard let score = anyInteger(column) else { throw .damaged("a score is missing in column \(column)") }
    return score
  }

  /// Returns the instant in a column. Throws `.damaged` if the column has no instant, or one outside the calendar.
  func instant(_ column: Column) throws(DatabaseFailure) -> Instant {
    guard let instant = optionalInstant(column) else {
      throw .damaged("an instant is missing in column \(column), or outside the calendar")
    }
    return instant
  }

  /// Returns the instant in a column; nil if the column is null or outside the calendar.
  func optionalInstant(_ column: Column) -> Instant? { anyInteger(column).flatMap(Instant.init(stored:)) }
}
