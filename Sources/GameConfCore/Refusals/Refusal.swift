// The error with which the daemon rejects a request: a code, a message and a position in the request.

/// An error that rejects a request without having changed anything.
///
/// If an error is thrown in several places or named in tests, a static function creates it, such as ``scoreNegative(_:at:)``. The function
/// is next to the rule that it belongs to, and is the only place with the error's code, message and pointer.
public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error code, by which programs distinguish errors.
  public var code: ProblemCode
  /// A sentence for people that names the fault and the valid form.
  public var message: String
  /// A JSON pointer into the request's body; nil if no part of the body is at fault.
  public var pointer: String?
  /// The event check that was violated, as `EVENT.CHECK`; nil if the error is not from such a check.
  public var rule: String?
  /// The individual errors of a request that has several; empty for a single error.
  public var faults: [Refusal]
  /// Further data for programs, by name, such as the present revision or the conflicting entry.
  public var members: ObjectValue
  /// The time in seconds after which the client may retry, if it differs from the code's default.
  public var retryAfterSeconds: Int64?

  /// Creates an error, by default without a position and further data.
  public init(
    _ code: ProblemCode, _ message: String, at pointer: String? = nil, rule: String? = nil, faults: [Refusal] = [],
    members: ObjectValue = ObjectValue(), retryAfterSeconds: Int64? = nil
  ) {
    self.code = code
    self.message = message
    self.pointer = pointer
    self.rule = rule
    self.faults = faults
    self.members = members
    self.retryAfterSeconds = retryAfterSeconds
  }

  /// Returns the error with a prefix before all its pointers, for a request that is a part of a larger one.
  public func within(_ place: String) -> Refusal {
    var refusal = self
    refusal.pointer = pointer.map { place + $0 }
    refusal.faults = faults.map { $0.within(place) }
    return refusal
  }

  /// The code and the message, `CODE: message`.
  public var description: String { "\(code.rawValue): \(message)" }
}
