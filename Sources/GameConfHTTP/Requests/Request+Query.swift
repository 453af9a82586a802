// Query parameters that are more than text.

internal import GameConfAPI
internal import GameConfServer

extension Request {
  /// A query parameter that is a whole number.
  func number(_ name: String, _ admitted: ClosedRange<Int64>) throws(Problem) -> Int64? {
    guard let text = query(name) else { return nil }
    if let number = Int64(text), admitted.contains(number) { return number }
    throw .query(
      .malformedQueryParameter, name, "\(name) is “\(text)”; it takes a whole number from \(admitted.lowerBound) to \(admitted.upperBound)."
    )
  }
}
