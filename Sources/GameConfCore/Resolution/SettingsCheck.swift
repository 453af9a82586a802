// Determines which of a player's stored settings are in force, and why others are not.

/// A player's stored setting that is ignored, because the catalog or another rule does not admit it now.
public struct SkippedSetting: Sendable, Hashable {
  /// The key of the parameter that the player has set.
  public var key: String
  /// The reason why the setting is ignored, as a clause without a period.
  public var why: String
}

extension ParameterTable {
  /// True if the value of a boolean parameter is true for a caller. The player's settings are ignored, because such a parameter decides
  /// which settings are admitted.
  public func isOn(_ key: String, for caller: Caller) -> Bool {
    var caller = caller
    caller.settings = [:]
    return resolve(key, for: caller)?.value == .bool(true)
  }

  /// Returns the player's settings that are in force for a caller.
  ///
  /// A setting that its parameter no longer admits is skipped. If settings violate a constraint together, every setting that the constraint
  /// depends on is skipped. A skipped setting stays stored, and is in force again when it is valid.
  /// - Parameters:
  ///   - caller: The caller, whose `settings` must be all that are stored.
  ///   - unlockedThemes: The ids of the themes that the player may choose; nil admits all themes.
  public func effectiveSettings(
    of caller: Caller, unlockedThemes: Set<String>? = nil
  ) -> (settings: [String: Value], skipped: [SkippedSetting]) {
    var effective = caller
    var skipped: [SkippedSetting] = []
    for key in caller.settings.keys.sorted() {
      guard let entry = entry(key), entry.parameter.isPlayerSetting, let value = caller.settings[key] else {
        effective.settings[key] = nil
        skipped.append(SkippedSetting(key: key, why: "the catalog has no player setting of this name"))
        continue
      }
      if let flag = entry.parameter.settingFlag, !isOn(flag, for: caller) {
        effective.settings[key] = nil
        skipped.append(SkippedSetting(key: key, why: "players choose it only while “\(flag)” is true"))
        continue
      }
      let use = unlockedThemes.map { AdmissionUse.playerSetting(unlockedThemes: $0) } ?? .gameWide
      // Bounds that are parameters are checked after this loop, when invalid settings have been removed. Before, an invalid setting could
      // be such a bound.
      let admission = ParameterAdmission.admission(of: value, for: entry.parameter, in: catalog, use: use, lookup: NoParameters())
      if let fault = admission.faults.first {
        effective.settings[key] = nil
        skipped.append(SkippedSetting(key: key, why: fault.message))
      }
    }
    let check = ConstraintCheck(catalog: catalog, now: caller.now)
    while !effective.settings.isEmpty {
      let lookup = CallerLookup(table: self, caller: effective)
      guard let fault = check.faults(in: lookup, naming: affected(by: effective.settings.keys)).first else { break }
      let named = effective.settings.keys.filter { !affected(by: [$0]).isDisjoint(with: fault.keys) }.sorted()
      if named.isEmpty { break }
      for key in named {
        effective.settings[key] = nil
        skipped.append(SkippedSetting(key: key, why: fault.message))
      }
    }
    return (effective.settings, skipped)
  }
}
