// The answers about a value that a player has chosen for a key, beside the value in force.

package import GameConfCore

/// A player's setting: answer of `PUT …/players/{player}/settings/{key}`, and an entry of ``PlayerAnswer``.
public struct SettingAnswer: WireObject {
  package var key = ""
  package var value: Value?
  package var effective: Value?
  package var source: String?
  package var shadowedBy: String?
  package var skipped: String?
  package var playerRevision: Int64?
  package var isDryRun = false

  package init() {}

  package init(
    key: String, value: Value?, effective: Value?, source: String? = nil, shadowedBy: String? = nil, skipped: String? = nil,
    playerRevision: Int64? = nil, isDryRun: Bool = false
  ) {
    self.key = key
    self.value = value
    self.effective = effective
    self.source = source
    self.shadowedBy = shadowedBy
    self.skipped = skipped
    self.playerRevision = playerRevision
    self.isDryRun = isDryRun
  }

  /// True if the player's setting gives the value in force; false if another layer does.
  public var isInForce: Bool { source == Layer.setting.rawValue }

  package static var about: String { "A player's own setting for a key, and the value in force." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("key", &key, "The key.")
    fields.nullable("value", &value, "The stored setting; null if nothing is stored.", .parameterValue)
    fields.nullable("effective", &effective, "The value in force.", .parameterValue)
    fields.optional("source", &source, "The layer that gives the value in force.")
    fields.nullable("shadowed_by", &shadowedBy, "The higher layer whose value is in force instead of the setting.")
    fields.optional(
      "skipped", &skipped, "The reason that the stored setting is not in force, if no higher layer has a value.", .parameterValue)
    fields.optional("player_revision", &playerRevision, "The player's revision after the change; absent on the player's page.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}

/// Answer of `PUT …/players/{player}/settings`: the settings of the request, each with the value in force.
public struct SettingsAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var settings: [SettingAnswer] = []
  package var isDryRun = false

  package init() {}

  package init(playerRevision: Int64, settings: [SettingAnswer], isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.settings = settings
    self.isDryRun = isDryRun
  }

  package static var about: String { "A player's own settings for the keys of the request, and the values in force." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.required("settings", &settings, "The settings, in the order of the request.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}
