// The status of a player's setting: the stored value, the value that answers, and the layers above it.
public import GameConfCore

/// A player's setting beside what answers for its key.
public struct SettingStatus: Sendable, Hashable {
  /// The key.
  public var key: String
  /// The player's choice; nil when nothing is stored.
  public var stored: Value?
  /// The resolution that answers for the key; nil when the game no longer has such a parameter.
  public var effective: Resolution?
  /// The layer above that answers in the setting's place; nil when the setting answers or is not in force.
  public var shadowedBy: Layer?
  /// The reason why a stored setting is not in force, in a sentence; nil when it is, or nothing is stored.
  public var skipped: String?

  /// The status of a setting.
  public init(key: String, stored: Value?, effective: Resolution?, shadowedBy: Layer?, skipped: String?) {
    self.key = key
    self.stored = stored
    self.effective = effective
    self.shadowedBy = shadowedBy
    self.skipped = skipped
  }
}

extension PlayerView {
  /// The status of a setting.
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
