// The answer for a key: the value, the layer that gave it, and the reason.

/// The layer that gave a value, highest first; the raw value is the wire's `source`.
public enum Layer: String, Sendable, Hashable, CaseIterable {
  /// The value that a play pinned; above all others, and only where a play is asked for.
  case play
  case playerOverride = "override.player"
  case gameOverride = "override.game"
  case setting
  case remote
  case catalogDefault = "default"

  /// The layers that a game's table has, highest first.
  public static let ofTable = allCases.filter { $0 != .play }
}

/// The answer for one key and one caller.
///
/// Four words, which a call returns in registers: what few answers have lies elsewhere.
public struct Resolution: Sendable, Hashable {
  /// The value, in the kind its parameter's type says.
  public var value: Value
  /// The layer that gave it.
  public var layer: Layer
  /// The reason of the answer.
  public var reason: EvaluationReason
  /// True if the answer reads the time in a way whose next change cannot be known.
  public var isTimeDependent = false
  private var rare: ExtrasBox?

  /// An answer.
  public init(
    value: Value, layer: Layer, reason: EvaluationReason, variant: String? = nil, nextChangeAt: Instant? = nil,
    isTimeDependent: Bool = false, fault: String? = nil
  ) {
    self.value = value
    self.layer = layer
    self.reason = reason
    self.isTimeDependent = isTimeDependent
    if variant != nil || nextChangeAt != nil || fault != nil {
      rare = ExtrasBox(Extras(variant: variant, nextChangeAt: nextChangeAt, fault: fault))
    }
  }

  /// The name of the flag variant, or of the rule's, when there is one.
  public var variant: String? {
    get { rare?.parts.variant }
    set { change { $0.variant = newValue } }
  }

  /// The instant when the answer may change without anyone writing; nil when never, and when that cannot be known.
  public var nextChangeAt: Instant? {
    get { rare?.parts.nextChangeAt }
    set { change { $0.nextChangeAt = newValue } }
  }

  /// The reason why a flag's targeting could not be evaluated, so that the default answers; nil when nothing went wrong.
  public var fault: String? {
    get { rare?.parts.fault }
    set { change { $0.fault = newValue } }
  }

  private mutating func change(_ body: (inout Extras) -> Void) {
    let before = rare?.parts ?? Extras()
    var parts = before
    body(&parts)
    if parts != before { rare = parts == Extras() ? nil : ExtrasBox(parts) }
  }

  private struct Extras: Sendable, Hashable {
    var variant: String?
    var nextChangeAt: Instant?
    var fault: String?
  }

  private final class ExtrasBox: Sendable, Hashable {
    let parts: Extras

    init(_ parts: Extras) { self.parts = parts }

    static func == (left: ExtrasBox, right: ExtrasBox) -> Bool { left.parts == right.parts }

    func hash(into hasher: inout Hasher) { hasher.combine(parts) }
  }
}

/// The caller for whom a value is resolved.
public struct Caller: Sendable {
  /// The player; also `targetingKey` of the context.
  public var player: String?
  /// Attributes that rules read; `targetingKey` is there when `player` is.
  public var context: ObjectValue
  /// The game's locales in the order to answer in, as `LocaleLookup` gives them; empty answers localized values whole.
  public var locales: [String]
  /// The game's simulated time.
  public var now: Instant
  /// The overrides of admins for this player, by key.
  public var overrides: [String: Value]
  /// The choices of the player, by key.
  public var settings: [String: Value]
  /// The budget of the rules for this caller; nil bounds each evaluation alone.
  public var budget: EvaluationBudget?

  /// A caller; without a player only what is the same for all of them answers.
  public init(
    player: String? = nil, context: ObjectValue = ObjectValue(), locales: [String], now: Instant, overrides: [String: Value] = [:],
    settings: [String: Value] = [:]
  ) {
    self.player = player
    self.context = context
    if let player { self.context["targetingKey"] = .string(player) }
    self.locales = locales
    self.now = now
    self.overrides = overrides
    self.settings = settings
  }
}
