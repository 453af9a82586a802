// Resolves `{parameter}` references once for each caller, and records when their values may change.

/// The parameters that were resolved for one caller at one instant, so that each is resolved only once (memoization).
final class ReferenceCache {
  private var answers: [Int: Resolution?] = [:]

  func answer(at position: Int, _ compute: () -> Resolution?) -> Resolution? {
    if let known = answers[position] { return known }
    let answer = compute()
    answers[position] = .some(answer)
    return answer
  }
}

/// A lookup of other parameters' values for the rules of one key. It records when the values that it returned may change.
final class ReferenceResolver: ParameterLookup {
  private let table: ParameterTable
  private let caller: Caller
  private let memo: ReferenceCache
  /// The earliest instant at which a returned value may change; nil if that never happens or is unknown.
  private(set) var nextChangeAt: Instant?
  /// True if a returned value depends on time in a way whose next change is unknown.
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

/// Resolves parameter values for one caller on demand, each only once.
public final class CallerLookup: ParameterLookup {
  private let table: ParameterTable
  /// The caller, on whose context, overrides and language the values depend.
  public let caller: Caller
  /// The values that were resolved for the caller. It is created at the first key whose value is not the same for all callers.
  private lazy var memo = ReferenceCache()

  /// Creates a lookup in a table for one caller.
  public init(table: ParameterTable, caller: Caller) {
    self.table = table
    self.caller = caller
  }

  /// Returns the parameter's value for the caller, with texts in the caller's language. Returns nil if the catalog does not declare the
  /// key.
  public func value(ofParameter key: String) -> Value? {
    guard let at = table.position(of: key) else { return nil }
    if caller.overrides.isEmpty, let unchanging = table.entries[at].unchanging { return unchanging.value }
    return table.resolve(at: at, for: caller, memo: memo)?.value
  }

  /// True if the catalog declares the parameter secret.
  public func isSecret(parameter key: String) -> Bool { table.isSecret(parameter: key) }
}

extension Instant {
  /// Returns the earlier of two instants. If only one is not nil, returns that one.
  public static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// Returns the later of two instants. If only one is not nil, returns that one.
  static func later(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
  }
}
