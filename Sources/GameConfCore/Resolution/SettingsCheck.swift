// Determines which of a player's stored settings are effective, and why others are not.

/// A stored setting that is ignored while it is not valid.
public struct SkippedSetting: Sendable, Hashable {
  /// The key of the parameter that the player set.
  public var key: String
  /// The reason, as a clause.
  public var why: String
}

extension ParameterTable {
  /// True if a boolean parameter is true for a caller. The player's settings are ignored, so that they cannot decide which settings are
  /// allowed.
  public func isOn(_ key: String, for caller: Caller) -> Bool {
    var caller = caller
    caller.settings = [:]
    return resolve(key, for: caller)?.value == .bool(true)
  }

  /// Returns the settings that are effective for a caller.
  ///
  /// A setting that its parameter no longer allows is skipped. If settings violate a constraint together, every setting that the constraint
  /// depends on is skipped. A skipped setting stays stored and becomes effective when it is valid again.
  /// - Parameters:
  ///   - caller: The caller, whose `settings` are all that are stored.
  ///   - unlockedThemes: The themes that the caller may choose; nil if no theme is known to be locked.
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
      // Bounds that are parameters are checked below, after invalid settings have been removed, because those could be the bounds.
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
