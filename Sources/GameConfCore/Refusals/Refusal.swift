// The reason why the daemon does not do what was requested: a code, a sentence, and the place in the request.

/// A request that is refused and has changed nothing.
///
/// A refusal that more than one place throws, or that tests name, is one function beside the rules that it belongs to, such as
/// ``scoreNegative(_:at:)``: code, sentence and place stand there and nowhere else.
public struct Refusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// The fault, for programs.
  public var code: ProblemCode
  /// The fault, and the state that would be right, for people.
  public var message: String
  /// JSON pointer into the request's body; nil where the fault is in no place of it.
  public var pointer: String?
  /// The rule of the catalog that refuses, `EVENT.CHECK`, where the code alone does not say which.
  public var rule: String?
  /// The single faults, where there are several.
  public var faults: [Refusal]
  /// More about it for programs, by name: the revision that it is now, the entry that is in the way.
  public var members: ObjectValue
  /// The seconds after which the same request may be sent again, where that is not the code's own.
  public var retryAfterSeconds: Int64?

  /// A refusal.
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

  /// The same where the request, or the part of it that is refused, stands at a place of something larger.
  public func within(_ place: String) -> Refusal {
    var refusal = self
    refusal.pointer = pointer.map { place + $0 }
    refusal.faults = faults.map { $0.within(place) }
    return refusal
  }

  /// `CODE: message`.
  public var description: String { "\(code.rawValue): \(message)" }
}
