// How a player's setting stands: what is stored, what answers, and what stands above it.
public import GameConfCore

/// A player's setting beside what answers for its key.
public struct SettingStatus: Sendable, Hashable {
  /// The key.
  public var key: String
  /// What the player chose; nil when nothing is stored.
  public var stored: Value?
  /// What answers for the key; nil when the game has no such parameter any more.
  public var effective: Resolution?
  /// The layer above that answers in the setting's place; nil when the setting answers or is not in force.
  public var shadowedBy: Layer?
  /// The reason why a stored setting is not in force: what it breaks, in a sentence; nil when it is, or nothing is stored.
  public var skipped: String?

  /// A setting's standing.
  public init(key: String, stored: Value?, effective: Resolution?, shadowedBy: Layer?, skipped: String?) {
    self.key = key
    self.stored = stored
    self.effective = effective
    self.shadowedBy = shadowedBy
    self.skipped = skipped
  }
}

extension PlayerView {
  /// How a setting stands.
  public func standing(ofSetting key: String) -> SettingStatus {
    let stored = state.settings[key]
    let effective = game.table.resolve(key, for: caller)
    let why = skipped.first { $0.key == key }?.why
    var shadow: Layer?
    if stored != nil, let layer = effective?.layer, layer == .playerOverride || layer == .gameOverride { shadow = layer }
    return SettingStatus(key: key, stored: stored, effective: effective, shadowedBy: shadow, skipped: why)
  }

  /// How every stored setting stands, by key.
  public var settings: [SettingStatus] { state.settings.keys.sorted().map(standing(ofSetting:)) }
}
