// The model of targeting: rules, percentage rollouts, and flags in flagd's format.

/// A targeting rule: a value for the callers that satisfy all of its conditions.
public struct Rule: Sendable, Hashable {
  /// The conjunction of the rule's fields `match` and `when` in the catalog; nil if it has neither.
  public var condition: LogicExpression?
  /// The percentage of players that the rule applies to; nil means every player.
  public var percent: Percent?
  /// The named condition of a Firebase template; nil in catalogs.
  public var named: NamedCondition?
  /// The value for callers that the rule matches, or a reference to another parameter.
  public var value: ValueSource

  /// Creates a rule; without any condition it matches every caller.
  public init(condition: LogicExpression? = nil, percent: Percent? = nil, named: NamedCondition? = nil, value: ValueSource) {
    self.condition = condition
    self.percent = percent
    self.named = named
    self.value = value
  }
}

/// A percentage rollout, fixed or growing over time. Players are assigned to 10⁸ buckets by a hash, so that a player who is included stays
/// included as the share grows.
///
/// The bucket is `(murmur3_x86_32(deterministic CBOR of [seed, targetingKey], seed 0) × 10⁸) >> 32`. A player is included if the bucket is
/// less than the share.
public struct Percent: Sendable, Hashable {
  /// The seed of the hash; nil means the parameter's key.
  public var seed: String?
  /// The share at the start, or the fixed share, in buckets: percent × 10⁶.
  public var from: Int64
  /// The growth of the share over time, linear between two instants; nil if the share is fixed.
  public var progress: Progress?

  /// The linear growth of a rollout's share over time.
  public struct Progress: Sendable, Hashable {
    /// The share at the end, in buckets: percent × 10⁶.
    public var to: Int64
    /// The instant at which the share begins to change.
    public var start: Instant
    /// The instant from which the share is ``to``.
    public var end: Instant

    /// Creates the growth of a share; `end` must be after `start`.
    public init(to: Int64, start: Instant, end: Instant) {
      self.to = to
      self.start = start
      self.end = end
    }
  }

  /// Creates a rollout. Shares are in millionths of a percent. By default the share is fixed and the seed is the parameter's key.
  public init(seed: String? = nil, from: Int64, progress: Progress? = nil) {
    self.seed = seed
    self.from = from
    self.progress = progress
  }
}

/// A flag in flagd's format: named variants, a default variant, and targeting that returns the name of a variant.
public struct FlagDefinition: Sendable, Hashable {
  /// False disables the flag, which then has no value.
  public var isEnabled: Bool
  /// The values by the name of their variant, all of one type.
  public var variants: ObjectValue
  /// The variant that applies if the targeting expression returns no name; nil means that the next lower layer decides.
  public var defaultVariant: String?
  /// The JsonLogic expression that returns the name of a variant, or null for the default variant.
  public var targeting: LogicExpression?
  /// The metadata of the flag, which is passed on to callers unchanged.
  public var metadata: ObjectValue

  /// Creates a flag, by default enabled and without targeting.
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
