// The declaration of the catalog format: events and leaderboards.

import GameConfCore

extension CatalogFormat {
  static let analytics = "analytics"

  static let event = CatalogFields(
    "event", "an event",
    [
      CatalogField(
        "reasons", .list(.text, isFilled: false), "The values that its “reason” may have. Without them it has no reason.",
        refusals: [.unknownReason]),
      CatalogField(
        "score", .boolean, "True if it carries a score, a whole number from 0.", usual: "false",
        refusals: [.scoreNotCarried, .scoreNotWhole, .scoreNegative, .scoreOverflow]),
      CatalogField(
        "modes", .list(.text, isFilled: true), "The modes in which it happens.", usual: "every mode of the game",
        refusals: [.modeNotOfEvent]),
      CatalogField("kind", .choice([analytics]), "An analytics event is stored as a line. It counts nothing and unlocks nothing."),
      CatalogField(
        "details", .map(.parameter, .fields(detail)), "Typed values that it carries beside mode, score and reason.",
        refusals: [.unknownDetail, .detailMissing, .eventTooLarge]),
      CatalogField(
        "best_by", .text, "Stores the player's best score for each value of a detail, or of several, joined by full stops.",
        refusals: [.tooLong, .limitReached]),
      CatalogField(
        "history", .countOrParameter,
        "The number of a player's newest events of this name that are stored, at most \(EventDefinition.historyMax).",
        usual: "\(EventDefinition.historyUsual)"),
      CatalogField(
        "checks", .map(.thing, .fields(check)), "Conditions under which the event is recorded, \(EventCheck.countMax) at most."),
    ])

  private static let check = CatalogFields(
    "check", "a check",
    [
      CatalogField("when", .expression, "The check concerns only events for which this is truthy.", usual: "every event"),
      CatalogField(
        "require", .expression, required: true,
        "The event is refused unless this is truthy. “var” reads “score”, “mode”, “reason”, “play” and “details.NAME”.",
        refusals: [.constraintViolated]),
      CatalogField("message", .text, required: true, "The reason for the refusal, as a sentence."),
    ])

  private static let detail = CatalogFields(
    "detail", "a detail",
    [
      CatalogField(
        "type", .choice(ParameterType.allCases.map(\.rawValue)), "The type of its values.", usual: ParameterType.string.rawValue,
        refusals: [.typeMismatch]),
      CatalogField("optional", .boolean, "If true, the event may come without it.", usual: "false", refusals: [.detailMissing]),
      CatalogField("unit", .text, "The unit of its numbers, for people."),
      CatalogField("range", .fields(range), "The numbers it admits.", refusals: [.outOfRange]),
      CatalogField("enum", .list(.data, isFilled: true), "The values it admits.", refusals: [.notAllowed]),
      CatalogField(
        "one_of", .fields(oneOf), "Admits the ids of the game's own themes or products.", refusals: [.unknownTheme, .unknownProduct]),
      CatalogField(
        "pattern", .text, "A regular expression that a string must match.", refusals: [.patternMismatch]),
      CatalogField(
        "max_length", .integer(least: 0), "The longest string it admits, in Unicode characters.",
        refusals: [.tooLong]),
      CatalogField(
        "schema", .schema, "The JSON Schema of a list or an object.", refusals: [.schemaViolation]),
      CatalogField("description", .text, "Its meaning, as a sentence."),
    ])

  static let leaderboard = CatalogFields(
    "leaderboard", "a leaderboard",
    [
      CatalogField("event", .text, required: true, "The event whose scores count."),
      CatalogField("mode", .text, "The only mode whose scores count.", usual: "every mode"),
      CatalogField(
        "per", .either([.parameterReference, .list(.parameterReference, isFilled: true)]),
        "A parameter, or a list of parameters. The board has a list of its own for each choice of their values.", refusals: [.limitReached]),
      CatalogField(
        "rows", .countOrParameter, "The number of rows that are shown, 1 to \(Leaderboard.rowsMax).", usual: "\(Leaderboard.rowsUsual)"),
      CatalogField(
        "enabled", .either([.boolean, .parameterReference]), "If false, scores count and the board is not shown.", usual: "true",
        refusals: [.leaderboardOff]),
    ])
}
