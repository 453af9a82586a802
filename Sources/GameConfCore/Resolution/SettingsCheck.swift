// The settings of a player that are in force now, and the reasons why others are not.

/// The reason why a stored setting is not in force.
public struct SkippedSetting: Sendable, Hashable {
  /// The setting's key.
  public var key: String
  /// The bound that it breaks, in a sentence.
  public var why: String
}

extension ParameterTable {
  /// True if a boolean parameter is true for a caller, settings aside: what players choose does not decide what they may choose.
  public func isOn(_ key: String, for caller: Caller) -> Bool {
    var caller = caller
    caller.settings = [:]
    return resolve(key, for: caller)?.value == .bool(true)
  }

  /// The settings that hold for this caller as everything else resolves now.
  ///
  /// A setting that its parameter no longer admits is skipped; of settings that together break a constraint, all that the constraint names
  /// are, and those that its keys take their values from. Each returns by itself when it fits again.
  /// - Parameters:
  ///   - caller: whose `settings` are all that is stored.
  ///   - unlockedThemes: the themes this caller may choose; nil means none is known to be locked.
  public func effectiveSettings(
    of caller: Caller, unlockedThemes: Set<String>? = nil
  ) -> (settings: [String: Value], skipped: [SkippedSetting]) {
    var kept = caller
    var skipped: [SkippedSetting] = []
    for key in caller.settings.keys.sorted() {
      guard let entry = entry(key), entry.parameter.isPlayerSetting, let value = caller.settings[key] else {
        kept.settings[key] = nil
        skipped.append(SkippedSetting(key: key, why: "the catalog has no player setting of this name"))
        continue
      }
      if let flag = entry.parameter.settingFlag, !isOn(flag, for: caller) {
        kept.settings[key] = nil
        skipped.append(SkippedSetting(key: key, why: "players choose it only while “\(flag)” is true"))
        continue
      }
      let use = unlockedThemes.map { AdmissionUse.playerSetting(unlockedThemes: $0) } ?? .gameWide
      // Bounds that are parameters are looked at below, when the settings that no parameter admits are gone.
      let admission = ParameterAdmission.admission(of: value, for: entry.parameter, in: catalog, use: use, lookup: NoParameters())
      if let fault = admission.faults.first {
        kept.settings[key] = nil
        skipped.append(SkippedSetting(key: key, why: fault.message))
      }
    }
    let check = ConstraintCheck(catalog: catalog, now: caller.now)
    while !kept.settings.isEmpty {
      let lookup = CallerLookup(table: self, caller: kept)
      guard let fault = check.faults(in: lookup, naming: affected(by: kept.settings.keys)).first else { break }
      let named = kept.settings.keys.filter { !affected(by: [$0]).isDisjoint(with: fault.keys) }.sorted()
      if named.isEmpty { break }
      for key in named {
        kept.settings[key] = nil
        skipped.append(SkippedSetting(key: key, why: fault.message))
      }
    }
    return (kept.settings, skipped)
  }
}
