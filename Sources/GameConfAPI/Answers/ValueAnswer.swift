// The answer with one key's value and its source.

package import GameConfCore

/// Answer of `GET …/config/{key}`, and one entry of the answer to `GET …/config?detail=full`.
public struct ValueAnswer: WireObject {
  /// The catalog's declaration of a key. An answer that lists values with details repeats it beside each value.
  package struct KeyDeclaration: WirePart {
    package var unit: String?
    package var section = ""
    package var description = ""
    package var flag: String?
    package var isPlayerSetting = false

    package init() {}

    package init(unit: String? = nil, section: String, description: String, flag: String? = nil, isPlayerSetting: Bool = false) {
      self.unit = unit
      self.section = section
      self.description = description
      self.flag = flag
      self.isPlayerSetting = isPlayerSetting
    }

    package mutating func walk(_ fields: inout some FieldWalker) {
      fields.optional("unit", &unit, "The unit of its numbers; in lists only, like the following members.")
      fields.required("section", &section, "The section under which it is listed.")
      fields.usual("description", &description, "The description, in a sentence.")
      fields.optional("flag", &flag, "The kind of feature flag.", .words(FlagKind.self))
      fields.whenSet("player_setting", &isPlayerSetting, "True if players may choose it.")
    }
  }

  package var key = ""
  package var type = ""
  package var value = Value.null
  package var source = ""
  package var reason = ""
  package var variant: String?
  package var revision: Int64 = 0
  package var metadata = ObjectValue()
  package var nextChangeAt: Instant?
  package var isTimeDependent = false
  package var degraded: [String] = []
  package var isMasked = false
  package var declaration: KeyDeclaration?

  package init() {}

  package init(
    key: String, type: String, value: Value, source: String, reason: String, variant: String? = nil, revision: Int64,
    metadata: ObjectValue = ObjectValue(), nextChangeAt: Instant? = nil, isTimeDependent: Bool = false, degraded: [String] = [],
    isMasked: Bool = false, declaration: KeyDeclaration? = nil
  ) {
    self.key = key
    self.type = type
    self.value = value
    self.source = source
    self.reason = reason
    self.variant = variant
    self.revision = revision
    self.metadata = metadata
    self.nextChangeAt = nextChangeAt
    self.isTimeDependent = isTimeDependent
    self.degraded = degraded
    self.isMasked = isMasked
    self.declaration = declaration
  }

  /// True if an admin's override gave the value.
  public var isOverridden: Bool { source.hasPrefix("override.") }

  package static var about: String { "A key's value and the layer that gave it." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("key", &key, "The key.")
    fields.required("type", &type, "The declared type.", .words(ParameterType.self))
    fields.required("value", &value, "The value; null if it is masked.", .parameterValue)
    fields.required("source", &source, "The layer that gave the value.", .words(Layer.self))
    fields.required("reason", &reason, "The reason, in OpenFeature's words.", .words(EvaluationReason.self))
    fields.optional("variant", &variant, "The variant's name; absent without a variant.")
    fields.required("revision", &revision, "The revision that last changed this value.")
    fields.required("metadata", &metadata, "Metadata of the flag, unchanged.")
    fields.optional("next_change_at", &nextChangeAt, "The time at which the value may change by itself.")
    fields.whenSet("time_dependent", &isTimeDependent, "True if it may change by itself at an unknown time.")
    fields.whenSet("degraded", &degraded, "The layers that could not be read.")
    fields.whenSet("masked", &isMasked, "True if the value is secret and masked.")
    fields.part(&declaration, with: "section")
  }

  /// The value in JSON, written without intermediate values by code that is specialized for this type.
  public var json: [UInt8] { text }
}
