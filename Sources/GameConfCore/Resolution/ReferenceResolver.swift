// Resolves the parameters that a key refers to: each is resolved once, and may change the answer when it changes itself.

/// The answers of parameters that were asked on behalf of one caller at one instant, so that none is computed twice.
final class ReferenceCache {
  private var answers: [Int: Resolution?] = [:]

  func answer(at position: Int, _ compute: () -> Resolution?) -> Resolution? {
    if let known = answers[position] { return known }
    let answer = compute()
    answers[position] = .some(answer)
    return answer
  }
}

/// Gives one key's rules the values of parameters and keeps when those may change.
final class ReferenceResolver: ParameterLookup {
  private let table: ParameterTable
  private let caller: Caller
  private let memo: ReferenceCache
  /// The instant when the first of the values that were read may change; nil when never or when that cannot be known.
  private(set) var nextChangeAt: Instant?
  /// True if one of them may change at a time that cannot be known.
  private(set) var isTimeDependent = false

  init(table: ParameterTable, caller: Caller, memo: ReferenceCache) {
    self.table = table
    self.caller = caller
    self.memo = memo
  }

  func value(ofParameter key: String) -> Value? {
    guard let at = table.position(of: key), let answer = table.resolve(at: at, for: caller, memo: memo) else { return nil }
    nextChangeAt = Instant.earlier(nextChangeAt, answer.nextChangeAt)
    isTimeDependent = isTimeDependent || answer.isTimeDependent
    return answer.value
  }

  func isSecret(parameter key: String) -> Bool { table.isSecret(parameter: key) }
}

/// Gives expressions the values of parameters as resolved for one caller.
public final class CallerLookup: ParameterLookup {
  private let table: ParameterTable
  /// The caller for whom they are resolved.
  public let caller: Caller
  /// Made for the first key that does not answer everybody alike.
  private lazy var memo = ReferenceCache()

  /// A lookup for this caller.
  public init(table: ParameterTable, caller: Caller) {
    self.table = table
    self.caller = caller
  }

  /// The parameter's value for the caller, in the caller's language.
  public func value(ofParameter key: String) -> Value? {
    guard let at = table.position(of: key) else { return nil }
    if caller.overrides.isEmpty, let unchanging = table.entries[at].unchanging { return unchanging.value }
    return table.resolve(at: at, for: caller, memo: memo)?.value
  }

  /// True if the catalog says so.
  public func isSecret(parameter key: String) -> Bool { table.isSecret(parameter: key) }
}

extension Instant {
  /// The earlier of two, where there are any.
  public static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// The later of two, where there are any.
  static func later(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
  }
}
