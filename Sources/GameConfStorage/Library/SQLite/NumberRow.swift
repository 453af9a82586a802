// The numbers of a row, read within the ranges that arithmetic can bear.
import GameConfCore

/// The numbers that are read of a database in use: revisions and ordinals may have gone on from those that gameconfd begins with.
enum ReadableNumber {
  /// Numbers of which two can be added without an overflow.
  static let range: ClosedRange<Int64> = -(1 << 62) + 1...(1 << 62) - 1
}

/// A row whose cells may hold numbers: the one that a query stands on, or a copy of it.
protocol NumberRow {
  associatedtype Column: BinaryInteger

  /// The integer in a column, of all 64 bits: a score or a digest, with which no sum is made unchecked.
  func anyInteger(_ column: Column) -> Int64?
}

extension NumberRow {
  /// The integer in a column; a damaged row has none where one was written.
  func integer(_ column: Column) throws(DatabaseFailure) -> Int64 {
    guard let value = optionalInteger(column) else { throw .damaged("a number is missing in column \(column), or far out of range") }
    return value
  }

  /// The integer in a column; nil if there is none, or one that a sum could overflow with.
  func optionalInteger(_ column: Column) -> Int64? { anyInteger(column).flatMap { ReadableNumber.range.contains($0) ? $0 : nil } }

  /// The 64 bits in a column.
  func bits(_ column: Column) throws(DatabaseFailure) -> Int64 {
    guard let bits = anyInteger(column) else { throw .damaged("a number is missing in column \(column)") }
    return bits
  }

  /// The score in a column.
  func score(_ column: Column) throws(DatabaseFailure) -> Int64 {
    guard let score = anyInteger(column) else { throw .damaged("a score is missing in column \(column)") }
    return score
  }

  /// The instant in a column.
  func instant(_ column: Column) throws(DatabaseFailure) -> Instant {
    guard let instant = optionalInstant(column) else {
      throw .damaged("an instant is missing in column \(column), or outside the calendar")
    }
    return instant
  }

  /// The instant in a column; nil if the column is null or outside the calendar.
  func optionalInstant(_ column: Column) -> Instant? { anyInteger(column).flatMap(Instant.init(stored:)) }
}
