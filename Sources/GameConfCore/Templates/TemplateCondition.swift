// The conditions of Firebase Remote Config's templates, evaluated as the admin SDK for Node does.

/// A condition of a template, which each caller satisfies or not.
///
/// This type follows firebase-admin for Node, because Google's libraries differ from each other. A signal is converted to text or a number as
/// JavaScript does. The bucket for a percentage is SHA-256 of `seed.id` modulo 100 000 000. Google has not published its hash for
/// percentages on the client, so they are evaluated with this hash too.
public indirect enum TemplateCondition: Sendable, Hashable {
  /// The disjunction of these conditions; false if the list is empty.
  case any([TemplateCondition])
  /// The conjunction of these conditions; true if the list is empty.
  case all([TemplateCondition])
  case constant(Bool)
  /// A percentage of callers. It is true if the bucket of the caller's id is in the share.
  case percent(TemplatePercent)
  /// A comparison of an attribute of the caller's context.
  case attribute(AttributeTest)
  case time(TimeTest)
  /// A condition that the daemon does not support. It is stored and returned but never true. The text is the reason.
  case notUnderstood(String)
  /// A condition with a time zone that this host does not have. It is never true on this host. The text is the reason.
  case zoneMissing(String)

  /// The deepest nesting of conditions that Firebase evaluates. Conditions below this depth are never true.
  public static let depthMax = 10
}

/// A condition with the name that parameters refer to.
public struct NamedCondition: Sendable, Hashable {
  /// The name, unique within its template.
  public var name: String
  /// The condition, parsed from the template.
  public var condition: TemplateCondition

  /// Creates a named condition; names are unique within a template.
  public init(name: String, condition: TemplateCondition) {
    self.name = name
    self.condition = condition
  }
}

/// A percentage in Firebase's form. Buckets are millionths of a percent. A range excludes its lower end and includes its upper end.
public struct TemplatePercent: Sendable, Hashable {
  /// The included buckets, each of which is a millionth of a percent.
  public enum Share: Sendable, Hashable {
    case atMost(Int64)
    case above(Int64)
    case between(Int64, Int64)
  }

  /// The seed of the hash; if it is empty, only the caller's id is hashed.
  public var seed: String
  /// The range of buckets for which the condition is true.
  public var share: Share

  /// Creates a percentage. It includes the ids whose bucket for the seed is in the share.
  public init(seed: String, share: Share) {
    self.seed = seed
    self.share = share
  }

  /// Returns the bucket of an id, from 0 to 99 999 999: SHA-256 of `seed.id`, big-endian, modulo 100 000 000.
  public static func bucket(seed: String, id: String) -> Int64 {
    var hash = SHA256()
    if !seed.isEmpty {
      hash.update(seed.utf8)
      hash.update(CollectionOfOne(UInt8(ascii: ".")))
    }
    hash.update(id.utf8)
    return hash.digest().reduce(0) { ($0 * 256 + Int64($1)) % Percent.bucketCount }
  }

  /// A message if the share includes no bucket at all, otherwise nil.
  public var emptiness: String? {
    guard case .between(let least, let most) = share, most <= least else { return nil }
    return "no percentage is \(share.phrase)"
  }

  /// True if the bucket is above the lower end and at most the upper.
  public func contains(_ bucket: Int64) -> Bool {
    switch share {
    case .atMost(let most): bucket <= most
    case .above(let least): bucket > least
    case .between(let least, let most): least < bucket && bucket <= most
    }
  }
}

/// A comparison of the present time with an instant.
public struct TimeTest: Sendable, Hashable {
  /// The relation that the present time must have to the instant.
  public var relation: OrderRelation
  /// The instant on the right side of the relation.
  public var instant: Instant

  /// Creates a test; the present is the left side of the relation.
  public init(_ relation: OrderRelation, _ instant: Instant) {
    self.relation = relation
    self.instant = instant
  }

  /// Returns the next instant after `now` at which the result of the comparison changes; nil if there is no such instant.
  func change(after now: Instant) -> Instant? {
    let next = Instant(milliseconds: instant.milliseconds + 1)
    return switch relation {
    case .less, .greaterOrEqual: instant > now ? instant : nil
    case .greater, .lessOrEqual: next > now ? next : nil
    case .equal, .notEqual: instant > now ? instant : next > now ? next : nil
    }
  }
}

/// A relation between two ordered values.
public enum OrderRelation: String, Sendable, Hashable, CaseIterable {
  case less = "<"
  case lessOrEqual = "<="
  case equal = "=="
  case notEqual = "!="
  case greater = ">"
  case greaterOrEqual = ">="

  /// True if the relation holds for an order of -1 (less), 0 (equal) or 1 (greater).
  public func holds(_ order: Int) -> Bool {
    switch self {
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .equal: order == 0
    case .notEqual: order != 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}

extension TemplateCondition {
  /// True if a caller satisfies the condition. It is false if the evaluation exceeds the budget of the request.
  public func holds(_ input: LogicInput) -> Bool {
    switch self {
    case .any(let conditions): conditions.contains { input.affords(1) && $0.holds(input) }
    case .all(let conditions): conditions.allSatisfy { input.affords(1) && $0.holds(input) }
    case .constant(let holds): holds
    case .percent(let percent):
      input.targetingKey.map { key in
        input.affords(4 + (percent.seed.utf8.count + key.utf8.count) / 16)
          && percent.contains(TemplatePercent.bucket(seed: percent.seed, id: key))
      } ?? false
    case .attribute(let test): test.holds(input.context, within: input.budget)
    case .time(let test): test.relation.holds(input.now < test.instant ? -1 : input.now == test.instant ? 0 : 1)
    case .notUnderstood, .zoneMissing: false
    }
  }

  /// The number of conditions in this tree, this one included.
  var size: Int {
    switch self {
    case .any(let conditions), .all(let conditions): conditions.reduce(1) { $0 + $1.size }
    case .constant, .percent, .attribute, .time, .notUnderstood, .zoneMissing: 1
    }
  }

  /// The inputs on which the condition's result may depend, such as context attributes and the time.
  public var reads: LogicDependencies {
    var reads = LogicDependencies()
    switch self {
    case .any(let conditions), .all(let conditions): for each in conditions { reads.formUnion(each.reads) }
    case .constant, .notUnderstood, .zoneMissing: break
    case .percent: reads.attributes = ["targetingKey"]
    case .attribute(let test): reads.attributes = test.subject.attributes
    case .time: reads.time = true
    }
    return reads
  }

  /// True if the condition consists of percentages only.
  public var isSplit: Bool {
    switch self {
    case .any(let conditions), .all(let conditions): !conditions.isEmpty && conditions.allSatisfy(\.isSplit)
    case .percent: true
    case .constant, .attribute, .time, .notUnderstood, .zoneMissing: false
    }
  }

  /// Returns the next instant after `now` at which the passing of time may change the result; nil if there is no such instant.
  public func change(after now: Instant) -> Instant? {
    switch self {
    case .any(let conditions), .all(let conditions): conditions.compactMap { $0.change(after: now) }.min()
    case .time(let test): test.change(after: now)
    case .constant, .percent, .attribute, .notUnderstood, .zoneMissing: nil
    }
  }
}

extension LogicInput {
  /// Takes steps from the evaluation budget of the request; returns false if the budget has too few.
  fileprivate func affords(_ steps: Int) -> Bool {
    guard let budget else { return true }
    budget.spend(steps)
    return !budget.isExceeded
  }
}
