// The table's part about events and leaderboards.

import GameConfCore

extension CatalogFormat {
  static let analytics = "analytics"

  static let event = CatalogFields(
    "event", "an event",
    [
      CatalogField("reasons", .list(.text, isFilled: false), "The reasons it may carry."),
      CatalogField("score", .boolean, "Whether it carries a score."),
      CatalogField("modes", .list(.text, isFilled: true), "The modes it may name; every mode of the game unless said."),
      CatalogField("kind", .choice([analytics]), "An analytics event counts nothing and unlocks nothing."),
      CatalogField("details", .map(.parameter, .fields(detail)), "What else it says."),
      CatalogField("best_by", .text, "Keeps the best score for each value of a detail, or of several, joined by points."),
      CatalogField(
        "history", .countOrParameter,
        "How many of a player's newest events of this name are kept, at most \(EventDefinition.historyMax); "
          + "\(EventDefinition.historyUsual) unless said."),
      CatalogField("checks", .map(.thing, .fields(check)), "What must hold for the event to be recorded."),
    ])

  private static let check = CatalogFields(
    "check", "a check",
    [
      CatalogField("when", .expression, "Checked only where this is truthy; every event unless said."),
      CatalogField(
        "require", .expression, required: true,
        "The event is refused unless this is truthy; “var” reads score, mode, reason, play and details.NAME."),
      CatalogField("message", .text, required: true, "The reason for the refusal, as a sentence."),
    ])

  private static let detail = CatalogFields(
    "detail", "a detail",
    [
      CatalogField("type", .choice(ParameterType.allCases.map(\.rawValue)), "What its values are; string unless said."),
      CatalogField("optional", .boolean, "Whether the event may come without it."),
      CatalogField("unit", .text, "The unit its numbers are in, for people."),
      CatalogField("range", .fields(range), "The numbers it admits."),
      CatalogField("enum", .list(.data, isFilled: true), "The values it admits."),
      CatalogField("one_of", .fields(oneOf), "Admits ids of the game's own themes or products."),
      CatalogField("pattern", .text, "A regular expression its text must match."),
      CatalogField("max_length", .integer(least: 0), "The longest text it admits, in Unicode characters."),
      CatalogField("schema", .schema, "What a list or object must look like."),
      CatalogField("description", .text, "What it says, in a sentence."),
    ])

  static let leaderboard = CatalogFields(
    "leaderboard", "a leaderboard",
    [
      CatalogField("event", .text, required: true, "The event whose scores count."),
      CatalogField("mode", .text, "The only mode whose scores count."),
      CatalogField("per", .parameterReference, "The parameter for each value of which there is a list of its own."),
      CatalogField("rows", .countOrParameter, "How many rows are shown; \(Leaderboard.rowsUsual) unless said."),
      CatalogField("enabled", .either([.boolean, .parameterReference]), "Whether it is shown; true unless said."),
    ])
}
