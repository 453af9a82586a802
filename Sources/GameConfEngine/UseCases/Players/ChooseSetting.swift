// Stores or removes what a player chose.
public import GameConfCore
import GameConfStorage

extension PlayerAct<SettingStatus> {
  /// Stores a player's own value of a parameter that players may choose, or removes it; the outcome is the setting as it stands then.
  ///
  /// It throws `.unknownKey`, `.notASetting`, `.inadmissible`, `.themeLocked`, `.constraint`, and `.refused` when the settings are too many.
  /// - Parameter value: The choice; nil removes it. One of a parameter that the catalog no longer has can still be removed.
  public static func choose(_ value: Value?, for key: String) -> Self {
    Self { edit in
      let choice = SettingChoice(view: edit.view, key: key)
      let admitted = try choice.admit(value)
      var state = edit.view.state
      let entry = try state.choose(admitted, for: key, now: edit.view.now)
      guard let entry else { return try edit.nothing(edit.view.standing(ofSetting: key)) }
      var stored = edit.view.stored
      stored.state = state
      let after = PlayerView(stored, edit.id, of: edit.view.game, host: edit.change.now)
      var line = edit.line(.playerSetting)
      line.key = key
      line.before = edit.view.state.settings[key]
      line.after = admitted
      return try edit.commit(PlayerWrite(state: state, entry: entry), lines: [line], after.standing(ofSetting: key))
    }
  }
}

/// The check that a player may choose a value.
struct SettingChoice {
  let view: PlayerView
  let key: String

  /// The value as it is to be stored; nil for nothing.
  func admit(_ value: Value?) throws(ChangeRefusal) -> Value? {
    let isStored = view.state.settings[key] != nil
    guard let parameter = view.game.table.entry(key)?.parameter else {
      if isStored, value == nil { return nil }
      throw .unknownKey(key, nearest: NearestNames.nearest(to: key, among: view.game.catalog.parameters.map(\.key)))
    }
    guard parameter.isPlayerSetting || (isStored && value == nil) else { throw .notASetting(key) }
    if value != nil, let flag = parameter.settingFlag, !view.game.table.isOn(flag, for: view.caller) {
      throw .notASetting(key, whileOff: flag)
    }
    var caller = view.caller
    caller.settings[key] = nil
    var admitted: Value?
    if let value { admitted = try admit(value, for: parameter, beside: caller) }
    caller.settings[key] = admitted
    try checkConstraints(with: caller)
    return admitted
  }

  private func admit(_ value: Value, for parameter: Parameter, beside caller: Caller) throws(ChangeRefusal) -> Value {
    let admission = ParameterAdmission.admission(
      of: value, for: parameter, in: view.game.catalog, use: .playerSetting(unlockedThemes: view.unlockedThemes),
      lookup: CallerLookup(table: view.game.table, caller: caller))
    switch admission {
    case .admitted(let admitted): return admitted
    case .refused(let faults):
      if let theme = value.stringValue, faults.count == 1, faults.first?.kind == .themeLocked {
        throw .themeLocked(theme: theme, setting: key)
      }
      throw .inadmissible(key: key, .joined(faults))
    }
  }

  /// Refuses what breaks a constraint that holds without it.
  private func checkConstraints(with caller: Caller) throws(ChangeRefusal) {
    let table = view.game.table
    let check = ConstraintCheck(catalog: view.game.catalog, now: view.now)
    let touched = table.affected(by: [key])
    let faults = check.faults(in: CallerLookup(table: table, caller: caller), naming: touched)
    if faults.isEmpty { return }
    let earlier = check.faults(in: CallerLookup(table: table, caller: view.caller), naming: touched)
    let fresh = faults.filter { fault in !earlier.contains { $0.id == fault.id } }
    if !fresh.isEmpty { throw .constraint(fresh) }
  }
}
