// The status of a player's setting: the stored value, the effective value, and the layer that shadows it.
public import GameConfCore

/// A player's setting with the effective value of its key.
public struct SettingStatus: Sendable, Hashable {
  /// The parameter's key in the catalog.
  public var key: String
  /// The value that the player chose; nil if no value is stored.
  public var stored: Value?
  /// The effective value of the key; nil if the game no longer has the parameter.
  public var effective: Resolution?
  /// The higher layer that provides the value instead; nil if the setting provides it or is not in force.
  public var shadowedBy: Layer?
  /// The reason why a stored setting is not in force, in a sentence; nil if it is in force or not stored.
  public var skipped: String?

  /// Creates the status of a setting from its parts, which ``PlayerView/standing(ofSetting:)`` computes.
  public init(key: String, stored: Value?, effective: Resolution?, shadowedBy: Layer?, skipped: String?) {
    self.key = key
    self.stored = stored
    self.effective = effective
    self.shadowedBy = shadowedBy
    self.skipped = skipped
  }
}

extension PlayerView {
  /// Returns the status of the player's setting of a key; its `stored` value is nil if the player has chosen no value.
  public func standing(ofSetting key: String) -> SettingStatus {
    let stored = state.settings[key]
    let effective = game.table.resolve(key, for: caller)
    let why = skipped.first { $0.key == key }?.why
    var shadow: Layer?
    if stored != nil, let layer = effective?.layer, layer == .playerOverride || layer == .gameOverride { shadow = layer }
    return SettingStatus(key: key, stored: stored, effective: effective, shadowedBy: shadow, skipped: why)
  }

  /// The status of every stored setting, by key.
  public var settings: [SettingStatus] { state.settings.keys.sorted().map(standing(ofSetting:)) }
}
