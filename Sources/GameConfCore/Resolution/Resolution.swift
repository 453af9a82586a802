// The result of resolving a parameter for a caller: the value, the layer from which it comes, and the reason.

/// The layers that may give a parameter's value, highest first. The raw value is the `source` member of responses.
public enum Layer: String, Sendable, Hashable, CaseIterable {
  /// The value that a play pinned. It is above all other layers, and exists only in requests that name a play.
  case play
  case playerOverride = "override.player"
  case gameOverride = "override.game"
  case setting
  case remote
  case catalogDefault = "default"

  /// The layers that a parameter table resolves: all except the values that a play pinned. The highest is first.
  public static let ofTable = allCases.filter { $0 != .play }
}

/// The resolved value of a key for one caller.
///
/// The struct has the size of four words, so that functions return it in registers. Properties that few resolutions have are in a separate
/// allocation.
public struct Resolution: Sendable, Hashable {
  /// The value, converted to the parameter's type.
  public var value: Value
  /// The layer from which the value comes.
  public var layer: Layer
  /// The reason for the value, in the terms of OpenFeature.
  public var reason: EvaluationReason
  /// True if the value depends on time in a way whose next change is unknown.
  public var isTimeDependent = false
  private var rare: RarePropertiesBox?

  /// Creates a resolution. It allocates memory only for a variant, a next change or a fault.
  public init(
    value: Value, layer: Layer, reason: EvaluationReason, variant: String? = nil, nextChangeAt: Instant? = nil,
    isTimeDependent: Bool = false, fault: String? = nil
  ) {
    self.value = value
    self.layer = layer
    self.reason = reason
    self.isTimeDependent = isTimeDependent
    if variant != nil || nextChangeAt != nil || fault != nil {
      rare = RarePropertiesBox(RareProperties(variant: variant, nextChangeAt: nextChangeAt, fault: fault))
    }
  }

  /// The name of the variant that a flag or a rule selected; nil if no variant was selected.
  public var variant: String? {
    get { rare?.parts.variant }
    set { change { $0.variant = newValue } }
  }

  /// The instant at which the value may change without a write, by the passing of time; nil if that never happens or is unknown.
  public var nextChangeAt: Instant? {
    get { rare?.parts.nextChangeAt }
    set { change { $0.nextChangeAt = newValue } }
  }

  /// The reason why a flag's targeting failed, so that its default was used; nil if the targeting did not fail.
  public var fault: String? {
    get { rare?.parts.fault }
    set { change { $0.fault = newValue } }
  }

  private mutating func change(_ body: (inout RareProperties) -> Void) {
    let before = rare?.parts ?? RareProperties()
    var parts = before
    body(&parts)
    if parts != before { rare = parts == RareProperties() ? nil : RarePropertiesBox(parts) }
  }

  private struct RareProperties: Sendable, Hashable {
    var variant: String?
    var nextChangeAt: Instant?
    var fault: String?
  }

  private final class RarePropertiesBox: Sendable, Hashable {
    let parts: RareProperties

    init(_ parts: RareProperties) { self.parts = parts }

    static func == (left: RarePropertiesBox, right: RarePropertiesBox) -> Bool { left.parts == right.parts }

    func hash(into hasher: inout Hasher) { hasher.combine(parts) }
  }
}

/// The caller for whom values are resolved, with everything on which the values may depend.
public struct Caller: Sendable {
  /// The player's id, which is also the context's `targetingKey`; nil for a caller without a player.
  public var player: String?
  /// The attributes of the caller that rules read. They contain `targetingKey` if there is a player.
  public var context: ObjectValue
  /// The game's locales in order of preference, as `LocaleLookup` returns them. If the list is empty, localized values contain the texts of
  /// all languages.
  public var locales: [String]
  /// The present by the clock of the player or, without a player, of the game. It may be simulated.
  public var now: Instant
  /// The values of the overrides for this player, by parameter key.
  public var overrides: [String: Value]
  /// The values of the player's own settings, by parameter key.
  public var settings: [String: Value]
  /// The evaluation budget that all evaluations of the request share; nil limits each evaluation separately.
  public var budget: EvaluationBudget?

  /// Creates a caller.
  /// - Parameter player: The player's id, which is also put into the context as `targetingKey`. Without it, percentages and overrides for
  ///   players do not apply.
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
