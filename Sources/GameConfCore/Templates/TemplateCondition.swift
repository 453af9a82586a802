// Conditions as Firebase Remote Config's templates have them: evaluated as its admin library for Node does.

/// The condition of a template, which callers fulfil or not.
///
/// Where Google's libraries differ, this follows firebase-admin for Node: a signal is turned into text or a number as JavaScript does, and a
/// percentage is decided by SHA-256 of `seed.id` modulo 100 000 000. The client's percentage has no public hash; the server's is used for it.
public indirect enum TemplateCondition: Sendable, Hashable {
  /// One of these holds; none of no conditions does.
  case any([TemplateCondition])
  /// All of these hold; all of no conditions do.
  case all([TemplateCondition])
  /// Always, or never.
  case constant(Bool)
  /// The caller's bucket lies in a share.
  case percent(TemplatePercent)
  /// An attribute of the caller's context compares so.
  case attribute(AttributeTest)
  /// The time has come, or has not.
  case time(TimeTest)
  /// Kept, given back, and never fulfilled; why it is not understood.
  case notUnderstood(String)
  /// Never fulfilled on this host, which does not have the time zone; why.
  case zoneMissing(String)

  /// The depth to which Firebase evaluates: what lies deeper never holds.
  public static let depthMax = 10
}

/// A condition with the name that parameters refer to.
public struct NamedCondition: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// The condition under which it holds.
  public var condition: TemplateCondition

  /// A named condition.
  public init(name: String, condition: TemplateCondition) {
    self.name = name
    self.condition = condition
  }
}

/// A share of callers as Firebase counts it: in millionths of a percent, both ends of a range above the lower and up to the upper.
public struct TemplatePercent: Sendable, Hashable {
  /// The buckets that are in.
  public enum Share: Sendable, Hashable {
    case atMost(Int64)
    case above(Int64)
    case between(Int64, Int64)
  }

  /// The salt of the hash; empty hashes the id alone.
  public var seed: String
  /// The buckets that are in.
  public var share: Share

  /// A share.
  public init(seed: String, share: Share) {
    self.seed = seed
    self.share = share
  }

  /// The bucket of an id, from 0 to 99 999 999: SHA-256 of `seed.id`, big-endian, modulo 100 000 000.
  public static func bucket(seed: String, id: String) -> Int64 {
    var hash = SHA256()
    if !seed.isEmpty {
      hash.update(seed.utf8)
      hash.update(CollectionOfOne(UInt8(ascii: ".")))
    }
    hash.update(id.utf8)
    return hash.digest().reduce(0) { ($0 * 256 + Int64($1)) % Percent.bucketCount }
  }

  /// The fault of a share that no bucket lies in; nil where some do.
  public var emptiness: String? {
    guard case .between(let least, let most) = share, most <= least else { return nil }
    return "no percentage is \(share.phrase)"
  }

  /// True if a bucket is in.
  public func contains(_ bucket: Int64) -> Bool {
    switch share {
    case .atMost(let most): bucket <= most
    case .above(let least): bucket > least
    case .between(let least, let most): least < bucket && bucket <= most
    }
  }
}

/// The test that the time is before or after an instant.
public struct TimeTest: Sendable, Hashable {
  /// The relation of the time to the instant.
  public var relation: OrderRelation
  /// The instant.
  public var instant: Instant

  /// A test of the time.
  public init(_ relation: OrderRelation, _ instant: Instant) {
    self.relation = relation
    self.instant = instant
  }

  /// The instant when its answer changes next; nil when it will not.
  func change(after now: Instant) -> Instant? {
    let next = Instant(milliseconds: instant.milliseconds + 1)
    return switch relation {
    case .less, .greaterOrEqual: instant > now ? instant : nil
    case .greater, .lessOrEqual: next > now ? next : nil
    case .equal, .notEqual: instant > now ? instant : next > now ? next : nil
    }
  }
}

/// The relation of two things that have an order.
public enum OrderRelation: String, Sendable, Hashable, CaseIterable {
  case less = "<"
  case lessOrEqual = "<="
  case equal = "=="
  case notEqual = "!="
  case greater = ">"
  case greaterOrEqual = ">="

  /// True if it holds when the left side is less (-1), equal (0) or greater (1).
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
  /// True if it holds for a caller, within what the request may still do; one that is cut short does not.
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

  /// The number of conditions that it is made of, itself counted.
  var size: Int {
    switch self {
    case .any(let conditions), .all(let conditions): conditions.reduce(1) { $0 + $1.size }
    case .constant, .percent, .attribute, .time, .notUnderstood, .zoneMissing: 1
    }
  }

  /// The inputs that its answer can depend on.
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

  /// True if nothing but percentages decides.
  public var isSplit: Bool {
    switch self {
    case .any(let conditions), .all(let conditions): !conditions.isEmpty && conditions.allSatisfy(\.isSplit)
    case .percent: true
    case .constant, .attribute, .time, .notUnderstood, .zoneMissing: false
    }
  }

  /// The instant when what it reads of the time may change its answer next; nil when it will not.
  public func change(after now: Instant) -> Instant? {
    switch self {
    case .any(let conditions), .all(let conditions): conditions.compactMap { $0.change(after: now) }.min()
    case .time(let test): test.change(after: now)
    case .constant, .percent, .attribute, .notUnderstood, .zoneMissing: nil
    }
  }
}

extension LogicInput {
  /// Takes steps; false when there were not as many left.
  fileprivate func affords(_ steps: Int) -> Bool {
    guard let budget else { return true }
    budget.spend(steps)
    return !budget.isExceeded
  }
}
