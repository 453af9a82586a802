// The declaration of the catalog format: parameters and their rules.

import GameConfCore

extension CatalogFormat {
  static let parameter = CatalogFields(
    "parameter", "a parameter",
    [
      CatalogField("alias", .text, "The name by which OFREP, flagd files and Firebase's clients know it.", usual: "the key"),
      CatalogField(
        "type", .choice(ParameterType.allCases.map(\.rawValue)), required: true, "The type of its values.",
        refusals: [.typeMismatch]),
      CatalogField(
        "default", .data, required: true, unless: "flagd",
        "The value when no other layer has one. “{parameter: KEY}” takes another parameter's, “{daily_hash: SALT}” a new text each day."),
      CatalogField("unit", .text, "The unit of its numbers, for people."),
      CatalogField("range", .fields(range), "The numbers it admits.", refusals: [.outOfRange]),
      CatalogField("enum", .list(.data, isFilled: true), "The values it admits.", refusals: [.notAllowed]),
      CatalogField(
        "one_of", .fields(oneOf), "Admits the ids of the game's own themes or products.", refusals: [.notAllowed, .themeLocked]),
      CatalogField(
        "pattern", .text, "A regular expression that a string must match.", refusals: [.patternMismatch]),
      CatalogField(
        "max_length", .integer(least: 0), "The longest string it admits, in Unicode characters.",
        refusals: [.tooLong]),
      CatalogField(
        "schema", .schema, "The JSON Schema of a list or an object.", refusals: [.schemaViolation]),
      CatalogField(
        "player_setting", .either([.boolean, .parameterReference]),
        "If true, players choose the value themselves; with “{parameter: KEY}” they may while that boolean is true.", usual: "false",
        refusals: [.notASetting]),
      CatalogField(
        "secret", .boolean, "If true, only the users in “secret_readers” read it, on the admin socket.", usual: "false",
        refusals: [.secretKey]),
      CatalogField(
        "flag", .choice(FlagKind.allCases.map(\.rawValue)),
        "Makes a boolean a feature flag of that kind. A kill switch takes neither percentages nor player settings."),
      CatalogField("section", .text, required: true, "The heading under which it is listed."),
      CatalogField("description", .text, required: true, "What it controls, as a sentence."),
      CatalogField("rules", .list(.fields(rule), isFilled: false), "Conditions with values. The first rule that matches gives the value."),
      CatalogField("flagd", .fields(flagd), "The flag in flagd's own spelling, instead of “rules”."),
    ])

  static let range = CatalogFields(
    "range", "a range",
    [
      CatalogField("min", .numberOrParameter, "The least number admitted."),
      CatalogField("max", .numberOrParameter, "The greatest number admitted."),
      CatalogField("above", .numberOrParameter, "Numbers are greater than this."),
      CatalogField("below", .numberOrParameter, "Numbers are less than this."),
      CatalogField("step", .number, "Numbers are a multiple of this, counted from 0."),
    ])

  static let oneOf = CatalogFields(
    "one_of", "“one_of”", exactlyOne: true,
    [
      CatalogField(
        "themes", .choice(["free", "earnable", "unlocked", "all"]),
        "The game's themes: those that are free, those that a milestone unlocks too, those that are unlocked for the player, or all."),
      CatalogField("products", .choice(["all"]), "The game's products."),
    ])

  private static let rule = CatalogFields(
    "rule", "a rule",
    [
      CatalogField("match", .map(nil, .data), "Attributes of the caller that must all hold. A list means any of its values."),
      CatalogField("when", .expression, "JsonLogic that must hold."),
      CatalogField("percent", .either([.number, .fields(progress)]), "The share of players it holds for, 0 to 100.", usual: "100"),
      CatalogField("seed", .text, "The salt of the share. Rules with the same seed pick the same players.", usual: "the key"),
      CatalogField("value", .data, required: true, "The value these callers get; also “{parameter: KEY}”."),
    ])

  private static let progress = CatalogFields(
    "progress", "a moving percentage",
    [
      CatalogField("from", .number, required: true, "The share at the start."),
      CatalogField("to", .number, required: true, "The share at the end."),
      CatalogField("start", .text, required: true, "When the share begins to move, such as 2026-12-01T00:00:00Z."),
      CatalogField("end", .text, required: true, "When the share has arrived."),
    ])

  private static let flagd = CatalogFields(
    "flagd", "a flagd flag",
    [
      CatalogField(
        "state", .choice(["ENABLED", "DISABLED"]), "A disabled flag has no value; the parameter's default applies then.", usual: "ENABLED"),
      CatalogField("variants", .map(nil, .data), required: true, "The values by name."),
      CatalogField("defaultVariant", .textOrNull, "The variant if targeting names no variant.", usual: "null"),
      CatalogField("targeting", .expression, "JsonLogic that returns the name of a variant."),
      CatalogField("metadata", .map(nil, .data), "Passed through to callers."),
    ])
}
