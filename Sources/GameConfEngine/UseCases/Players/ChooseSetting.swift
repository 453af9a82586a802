// Stores or removes a player's settings.
public import GameConfCore
import GameConfStorage

/// A key with the value that a player chose, or nil to remove the choice.
public typealias SettingValue = (key: String, value: Value?)

extension PlayerAct<[SettingStatus]> {
  /// Stores or removes a player's values of parameters that players may choose. The outcome is the settings after the change.
  ///
  /// The values are checked together and stored atomically. It throws `.unknownKey`, `.notASetting`, `.inadmissible`, `.themeLocked`,
  /// `.constraint`, and `.refused` for too many settings. A choice of a parameter that the catalog no longer has can still be removed.
  public static func choose(_ values: [SettingValue]) -> Self {
    Self { edit in
      let admitted = try SettingChoiceCheck(view: edit.view).admit(values)
      var state = edit.view.state
      var write = PlayerWrite()
      for (key, value) in admitted {
        if let entry = try state.choose(value, for: key, now: edit.view.now) { write.lines.append(PlayerLine(entry: entry)) }
      }
      if write.lines.isEmpty { return try edit.nothing(values.map { edit.view.standing(ofSetting: $0.key) }) }
      write.state = state
      var stored = edit.view.stored
      stored.state = state
      let after = PlayerView(stored, edit.id, of: edit.view.game, host: edit.change.now)
      let lines = admitted.map { key, value in
        var line = edit.line(.playerSetting)
        (line.key, line.before, line.after) = (key, edit.view.state.settings[key], value)
        return line
      }
      return try edit.commit(write, lines: lines, values.map { after.standing(ofSetting: $0.key) })
    }
  }
}

/// The check of the values that a player chooses.
private struct SettingChoiceCheck {
  let view: PlayerView

  /// Checks the chosen values together, and returns them in stored form; nil to remove a value.
  func admit(_ values: [SettingValue]) throws(ChangeRefusal) -> [SettingValue] {
    var caller = view.caller
    var known: [(choice: SettingValue, parameter: Parameter)] = []
    for choice in values {
      let parameter = try self.parameter(choice)
      // A range whose bounds are other parameters is checked against the other values that the same call chooses.
      caller.settings[choice.key] = parameter.flatMap { choice.value?.coerced(to: $0.type) }
      if let parameter { known.append((choice, parameter)) }
    }
    var admitted = values
    for (choice, parameter) in known {
      guard let value = choice.value else { continue }
      var beside = caller
      beside.settings[choice.key] = nil
      let own = try admit(value, for: parameter, beside: beside)
      caller.settings[choice.key] = own
      for at in admitted.indices where admitted[at].key == choice.key { admitted[at].value = own }
    }
    try checkConstraints(of: values.map(\.key), with: caller)
    return admitted
  }

  /// Returns the parameter that the player chooses; nil if the call removes the choice of a key that the catalog no longer has.
  private func parameter(_ choice: SettingValue) throws(ChangeRefusal) -> Parameter? {
    let (key, removes) = (choice.key, choice.value == nil && view.state.settings[choice.key] != nil)
    guard let parameter = view.game.table.entry(key)?.parameter else {
      if removes { return nil }
      throw .unknownKey(key, nearest: NearestNames.nearest(to: key, among: view.game.catalog.parameters.map(\.key)))
    }
    guard parameter.isPlayerSetting || removes else { throw .notASetting(key) }
    if choice.value != nil, let flag = parameter.settingFlag, !view.game.table.isOn(flag, for: view.caller) {
      throw .notASetting(key, whileOff: flag)
    }
    return parameter
  }

  private func admit(_ value: Value, for parameter: Parameter, beside caller: Caller) throws(ChangeRefusal) -> Value {
    let admission = ParameterAdmission.admission(
      of: value, for: parameter, in: view.game.catalog, use: .playerSetting(unlockedThemes: view.unlockedThemes),
      lookup: CallerLookup(table: view.game.table, caller: caller))
    switch admission {
    case .admitted(let admitted): return admitted
    case .refused(let faults):
      if let theme = value.stringValue, faults.count == 1, faults.first?.kind == .themeLocked {
        throw .themeLocked(theme: theme, setting: parameter.key)
      }
      throw .inadmissible(key: parameter.key, .joined(faults))
    }
  }

  /// Refuses choices that violate a constraint which holds without them.
  private func checkConstraints(of keys: [String], with caller: Caller) throws(ChangeRefusal) {
    let table = view.game.table
    let check = ConstraintCheck(catalog: view.game.catalog, now: view.now)
    let touched = table.affected(by: keys)
    let faults = check.faults(in: CallerLookup(table: table, caller: caller), naming: touched)
    if faults.isEmpty { return }
    let earlier = check.faults(in: CallerLookup(table: table, caller: view.caller), naming: touched)
    let fresh = faults.filter { fault in !earlier.contains { $0.id == fault.id } }
    if !fresh.isEmpty { throw .constraint(fresh.byCause) }
  }
}
