// Resolves `{parameter}` references once for each caller, and tracks when their values may change.

/// A memo of the parameters that were resolved for one caller at one instant, so that none is resolved twice.
final class ReferenceCache {
  private var answers: [Int: Resolution?] = [:]

  func answer(at position: Int, _ compute: () -> Resolution?) -> Resolution? {
    if let known = answers[position] { return known }
    let answer = compute()
    answers[position] = .some(answer)
    return answer
  }
}

/// A lookup for the rules of one key, which records when the values that were read may change.
final class ReferenceResolver: ParameterLookup {
  private let table: ParameterTable
  private let caller: Caller
  private let memo: ReferenceCache
  /// The earliest instant at which one of the values may change; nil if never or if that is unknown.
  private(set) var nextChangeAt: Instant?
  /// True if one of the values depends on time in a way whose next change is unknown.
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

/// Resolves parameter values for one caller on demand, with a memo.
public final class CallerLookup: ParameterLookup {
  private let table: ParameterTable
  /// The caller, whose overrides and language the values depend on.
  public let caller: Caller
  /// The memo, created when the first key is resolved whose value is not the same for all callers.
  private lazy var memo = ReferenceCache()

  /// Creates a lookup whose values are resolved on demand.
  public init(table: ParameterTable, caller: Caller) {
    self.table = table
    self.caller = caller
  }

  /// Returns the value for the caller, in the caller's language.
  public func value(ofParameter key: String) -> Value? {
    guard let at = table.position(of: key) else { return nil }
    if caller.overrides.isEmpty, let unchanging = table.entries[at].unchanging { return unchanging.value }
    return table.resolve(at: at, for: caller, memo: memo)?.value
  }

  /// True if the catalog declares the parameter secret.
  public func isSecret(parameter key: String) -> Bool { table.isSecret(parameter: key) }
}

extension Instant {
  /// Returns the earlier of two instants; if one is nil, the other.
  public static func earlier(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// Returns the later of two instants; if one is nil, the other.
  static func later(_ one: Instant?, _ other: Instant?) -> Instant? {
    guard let one, let other else { return one ?? other }
    return max(one, other)
  }
}
