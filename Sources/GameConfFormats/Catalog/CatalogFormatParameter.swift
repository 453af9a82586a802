// The table's part about parameters and their rules.

import GameConfCore

extension CatalogFormat {
  static let parameter = CatalogFields(
    "parameter", "a parameter",
    [
      CatalogField("alias", .text, "The name by which OFREP, flagd files and Firebase's clients know it, when it is not the key."),
      CatalogField("type", .choice(ParameterType.allCases.map(\.rawValue)), required: true, "What its values are."),
      CatalogField(
        "default", .data, required: true, unless: "flagd",
        "What it answers when nothing else decides; also {parameter: key} or {daily_hash: SALT}."),
      CatalogField("unit", .text, "The unit its numbers are in, for people."),
      CatalogField("range", .fields(range), "The numbers it admits."),
      CatalogField("enum", .list(.data, isFilled: true), "The values it admits."),
      CatalogField("one_of", .fields(oneOf), "Admits ids of the game's own themes or products."),
      CatalogField("pattern", .text, "A regular expression its text must match."),
      CatalogField("max_length", .integer(least: 0), "The longest text it admits, in Unicode characters."),
      CatalogField("schema", .schema, "What a list or object must look like."),
      CatalogField(
        "player_setting", .either([.boolean, .parameterReference]),
        "Whether players choose it themselves; {parameter: key} lets them while that boolean is true."),
      CatalogField("secret", .boolean, "Whether it is served only to the uids listed for the game."),
      CatalogField("flag", .choice(FlagKind.allCases.map(\.rawValue)), "What kind of feature flag it is."),
      CatalogField("section", .text, required: true, "The heading it is listed under."),
      CatalogField("description", .text, required: true, "What it controls, in a sentence."),
      CatalogField("rules", .list(.fields(rule), isFilled: false), "The first that matches gives the value."),
      CatalogField("flagd", .fields(flagd), "The flag in flagd's own spelling, instead of rules."),
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
      CatalogField("themes", .choice(["free", "earnable", "unlocked", "all"]), "Which of the game's themes."),
      CatalogField("products", .choice(["all"]), "Which of the game's products."),
    ])

  private static let rule = CatalogFields(
    "rule", "a rule",
    [
      CatalogField("match", .map(nil, .data), "Attributes of the caller that must all hold; a list means any of."),
      CatalogField("when", .expression, "JsonLogic that must hold."),
      CatalogField("percent", .either([.number, .fields(progress)]), "The share of players it holds for, 0 to 100."),
      CatalogField("seed", .text, "What the share is salted with, instead of the key."),
      CatalogField("value", .data, required: true, "What they get; also {parameter: key}."),
    ])

  private static let progress = CatalogFields(
    "progress", "a moving percentage",
    [
      CatalogField("from", .number, required: true, "The share at the start."),
      CatalogField("to", .number, required: true, "The share at the end."),
      CatalogField("start", .text, required: true, "When it begins to move, like 2026-12-01T00:00:00Z."),
      CatalogField("end", .text, required: true, "When it has arrived."),
    ])

  private static let flagd = CatalogFields(
    "flagd", "a flagd flag",
    [
      CatalogField("state", .choice(["ENABLED", "DISABLED"]), "A disabled flag has no value; the default answers then."),
      CatalogField("variants", .map(nil, .data), required: true, "The values by name."),
      CatalogField("defaultVariant", .textOrNull, "The variant when targeting names none."),
      CatalogField("targeting", .expression, "JsonLogic that gives the name of a variant."),
      CatalogField("metadata", .map(nil, .data), "Handed through to callers."),
    ])
}
