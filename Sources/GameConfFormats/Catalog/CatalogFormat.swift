// The table itself: the header and its parts, as CATALOG.md lists them.

import GameConfCore

/// Format version 1.
enum CatalogFormat {
  static let version: Int64 = 1

  static let header = CatalogFields(
    "catalog", "a catalog",
    [
      CatalogField("gameconf", .integer(least: 1), required: true, "The version of the format: 1."),
      CatalogField("game", .text, required: true, "The game's id, which is also the file's name."),
      CatalogField("title", .text, required: true, "The game's name, for people."),
      CatalogField("bundle", .text, "The store's bundle id; the store id of a product is this, a point and the product's id."),
      CatalogField("locales", .list(.text, isFilled: true), required: true, "Language tags (BCP 47); the first is the fallback."),
      CatalogField("modes", .list(.text, isFilled: false), "The modes an event with a score may name."),
      CatalogField("events", .map(.word, .fields(event)), "The events a game may send."),
      CatalogField("log_events", .boolean, "Whether each event is also a line of the daemon's log."),
      CatalogField("child_directed", .boolean, "Whether the game is for children; placements are refused then."),
      CatalogField("simulation", .fields(simulation), "What is simulated, and for whom."),
      CatalogField(
        "fractional", .choice(FractionalVersion.allCases.map(\.rawValue)), "What flagd's “fractional” means here; v3 unless said."),
      CatalogField("premium", .text, "The product that “iap premium on” buys."),
      CatalogField("extra_flags", .boolean, "Whether template keys that are not in the catalog are served over OFREP."),
      CatalogField("source", .either([.choice(["pushed"]), .fields(source)]), "Where templates come from; pushed unless said."),
      CatalogField("activate", .choice(activations), "Whether a new template comes into force by itself."),
      CatalogField("parameters", .map(.parameter, .fields(parameter)), "Every key the game may ask for."),
      CatalogField("constraints", .map(.thing, .fields(constraint)), "What must hold between parameters."),
      CatalogField("milestones", .map(.thing, .fields(milestone)), "Thresholds on what a player has done."),
      CatalogField("theme_schema", .schema, "What the attributes of every theme must look like."),
      CatalogField("themes", .map(.thing, .fields(theme)), "The game's looks and what unlocks each."),
      CatalogField("products", .map(.thing, .fields(product)), "What is for sale."),
      CatalogField("offerings", .map(.thing, .map(.thing, .text)), "Named selections of products: package to product."),
      CatalogField("placements", .map(.thing, .fields(placement)), "Places where an ad may show."),
      CatalogField("gates", .map(.thing, .fields(gate)), "Content that may be locked."),
      CatalogField("leaderboards", .map(.thing, .fields(leaderboard)), "The best scores of all players, side by side."),
    ])

  static let activations = ["automatic", "manual"]

  private static let simulation = CatalogFields(
    "simulation", "“simulation”",
    [CatalogField("purchases", .choice(PurchaseSimulation.allCases.map(\.rawValue)), "Who may make simulated purchases; off unless said.")])

  private static let source = CatalogFields(
    "source", "“source”",
    [
      CatalogField("file", .text, "The file templates are read from; without it they are pushed."),
      CatalogField("activate", .choice(activations), "Whether a new template comes into force by itself."),
    ])

  private static let constraint = CatalogFields(
    "constraint", "a constraint",
    [
      CatalogField("require", .expression, required: true, "Holds when it is truthy; it reads parameters only."),
      CatalogField("message", .text, "What to say when it does not hold."),
    ])

  private static let milestone = CatalogFields(
    "milestone", "a milestone",
    [
      CatalogField("count", .either([.choice(["lifetime_score", "games_played"]), .fields(count)]), required: true, "What is counted."),
      CatalogField("at", .either([.integer(least: 1), .parameterReference]), "How much is needed."),
      CatalogField("achievement", .boolean, "Whether it is an achievement."),
      CatalogField("progressive", .boolean, "Whether progress towards it is shown."),
      CatalogField(
        "enabled", .either([.boolean, .parameterReference]), "Whether it is shown and can be unlocked; true unless said."),
      CatalogField("name", .localizedText, "Its name by locale."),
    ])

  private static let count = CatalogFields(
    "count", "“count”", exactlyOne: true,
    [
      CatalogField("events", .text, "Counts the events of that name."),
      CatalogField("best_score", .text, "The best score in that mode."),
      CatalogField("unlocked", .text, "Reached when that milestone is."),
    ])

  private static let theme = CatalogFields(
    "theme", "a theme",
    [
      CatalogField("name", .localizedText, "Its name by locale."),
      CatalogField("unlock", .either([.choice(["free"]), .fields(unlock)]), "What unlocks it; free unless said."),
      CatalogField("attributes", .map(nil, .data), "What the game draws it with."),
    ])

  private static let unlock = CatalogFields(
    "unlock", "“unlock”", exactlyOne: true,
    [
      CatalogField("milestone", .text, "Unlocked for ever once that milestone is reached."),
      CatalogField("entitlement", .text, "Unlocked while the player holds that entitlement."),
      CatalogField("parameter", .text, "Unlocked while that boolean parameter is true."),
    ])

  private static let gate = CatalogFields(
    "gate", "a gate",
    [
      CatalogField("args", .map(.word, .choice(argumentTypes)), "The arguments a caller must give, and their types."),
      CatalogField("locked_when", .expression, required: true, "Locked while this is truthy."),
      CatalogField("unless", .list(.text, isFilled: false), "Entitlements that open it."),
    ])

  static let argumentTypes = [ParameterType.boolean, .integer, .double, .string].map(\.rawValue)
}
