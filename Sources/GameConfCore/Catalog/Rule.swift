// The rule that gives callers a value: one rule of a parameter, in the catalog's own spelling.

/// A value for callers that fulfil all of a rule's conditions.
public struct Rule: Sendable, Hashable {
  /// `match` and `when`, joined by `and`; nil when the rule has neither.
  public var condition: LogicExpression?
  /// A share of the players; nil when the rule has none.
  public var percent: Percent?
  /// A template's own condition; nil outside of templates from Firebase.
  public var named: NamedCondition?
  /// The value that they get, or another parameter's.
  public var value: ValueSource

  /// A rule; without any condition it always matches.
  public init(condition: LogicExpression? = nil, percent: Percent? = nil, named: NamedCondition? = nil, value: ValueSource) {
    self.condition = condition
    self.percent = percent
    self.named = named
    self.value = value
  }
}

/// A share of the players, by a hash of `[seed or key, targetingKey]`; fixed or moving with time.
///
/// bucket = (murmur3_x86_32(deterministic CBOR of `[seed, targetingKey]`, seed 0) × 10⁸) >> 32; in when bucket < share.
public struct Percent: Sendable, Hashable {
  /// The salt of the hash; nil means the parameter's key.
  public var seed: String?
  /// The number of 10⁸ buckets that are in at the start (and always, when fixed); percent × 10⁶.
  public var from: Int64
  /// The end of a moving share and when it moves, linear between; nil when fixed.
  public var progress: Progress?

  /// A share that moves.
  public struct Progress: Sendable, Hashable {
    /// The number of 10⁸ buckets that are in at the end.
    public var to: Int64
    /// The instant when it begins to move.
    public var start: Instant
    /// The instant when it has arrived.
    public var end: Instant

    /// A movement; `end` must be after `start`.
    public init(to: Int64, start: Instant, end: Instant) {
      self.to = to
      self.start = start
      self.end = end
    }
  }

  /// A share of the players, in millionths of a percent.
  public init(seed: String? = nil, from: Int64, progress: Progress? = nil) {
    self.seed = seed
    self.from = from
    self.progress = progress
  }
}

/// A flag in flagd's own spelling: named variants, a default, and targeting that names one.
public struct FlagDefinition: Sendable, Hashable {
  /// A disabled flag has no value.
  public var isEnabled: Bool
  /// The values by name; all of one type.
  public var variants: ObjectValue
  /// The variant when targeting gives none; nil means the layer below decides.
  public var defaultVariant: String?
  /// Gives the name of a variant, or null for the default one.
  public var targeting: LogicExpression?
  /// Handed through to callers.
  public var metadata: ObjectValue

  /// A flag.
  public init(
    isEnabled: Bool = true, variants: ObjectValue, defaultVariant: String?, targeting: LogicExpression? = nil,
    metadata: ObjectValue = ObjectValue()
  ) {
    self.isEnabled = isEnabled
    self.variants = variants
    self.defaultVariant = defaultVariant
    self.targeting = targeting
    self.metadata = metadata
  }
}
