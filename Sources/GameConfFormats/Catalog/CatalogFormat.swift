// The declaration of the catalog format: its top-level fields.

import GameConfCore

/// The catalog format in version 1, as tables of fields. The parser, the JSON Schema and the reference page are derived from them.
enum CatalogFormat {
  static let version: Int64 = 1

  static let header = CatalogFields(
    "catalog", "a catalog",
    [
      CatalogField("gameconf", .integer(least: 1), required: true, "The version of the format: 1."),
      CatalogField("game", .text, required: true, "The game's id, which is also the file's name."),
      CatalogField("title", .text, required: true, "The game's name, for people."),
      CatalogField("bundle", .text, "The bundle id at the store. A product's store id is the bundle id, a full stop and the product's id."),
      CatalogField("locales", .list(.text, isFilled: true), required: true, "Language tags (BCP 47). The first one is the fallback."),
      CatalogField(
        "modes", .list(.text, isFilled: false), "The modes of the game. If the game has modes, each event with a score must name its mode.",
        refusals: [.unknownMode, .modeMissing]),
      CatalogField("events", .map(.word, .fields(event)), "The events a game may send.", refusals: [.unknownEvent]),
      CatalogField("log_events", .boolean, "Writes each event to the daemon's log too.", usual: "false"),
      CatalogField(
        "child_directed", .boolean, "Declares a game for children. It has no placements and shows no ad.", usual: "false",
        reasons: [AdRefusal.childDirected.rawValue]),
      CatalogField("simulation", .fields(simulation), "The parts of the game that are simulated, and for whom."),
      CatalogField(
        "fractional", .choice(FractionalVersion.allCases.map(\.rawValue)), "The version of flagd's “fractional” that rules and flags use.",
        usual: FractionalVersion.v3.rawValue),
      CatalogField("premium", .text, "The product that “iap premium on” buys."),
      CatalogField("extra_flags", .boolean, "Reserved. Template keys that are not in the catalog are not served.", usual: "false"),
      CatalogField("source", .either([.choice(["pushed"]), .fields(source)]), "The place that templates come from.", usual: "pushed"),
      CatalogField("activate", .choice(activations), "The way a new template comes into force.", usual: "automatic"),
      CatalogField("parameters", .map(.parameter, .fields(parameter)), "Every key the game may request.", refusals: [.unknownKey]),
      CatalogField(
        "constraints", .map(.thing, .fields(constraint)), "Conditions between parameters that hold after every change.",
        refusals: [.constraintViolated]),
      CatalogField("milestones", .map(.thing, .fields(milestone)), "Thresholds on what a player has done."),
      CatalogField("theme_schema", .schema, "The JSON Schema of every theme's attributes."),
      CatalogField("themes", .map(.thing, .fields(theme)), "The game's looks, and what unlocks each.", refusals: [.unknownTheme]),
      CatalogField("products", .map(.thing, .fields(product)), "The products for sale.", refusals: [.unknownProduct]),
      CatalogField("offerings", .map(.thing, .map(.thing, .text)), "Named selections of products: package to product."),
      CatalogField("paywalls", .fields(paywalls), "The presentation of the offerings, for clients that show them by themselves."),
      CatalogField("placements", .map(.thing, .fields(placement)), "The places where an ad may show.", refusals: [.unknownPlacement]),
      CatalogField("gates", .map(.thing, .fields(gate)), "Content that may be locked.", refusals: [.unknownGate]),
      CatalogField(
        "leaderboards", .map(.thing, .fields(leaderboard)), "The best scores of all players, side by side.",
        refusals: [.unknownLeaderboard]),
    ])

  static let activations = ["automatic", "manual"]

  private static let simulation = CatalogFields(
    "simulation", "“simulation”",
    [
      CatalogField(
        "purchases", .choice(PurchaseSimulation.allCases.map(\.rawValue)), "Who may make simulated purchases.",
        usual: PurchaseSimulation.off.rawValue, refusals: [.purchasesNotSimulated, .purchasesAdminsOnly]),
      CatalogField(
        "enabled", .either([.boolean, .parameterReference]),
        "If false, the store is closed: games may not buy. Renewals, refunds and what waits for a parent go on, and testers buy.",
        usual: "true", refusals: [.storeClosed]),
    ])

  private static let source = CatalogFields(
    "source", "“source”",
    [
      CatalogField("file", .text, "The file that templates are read from. Without it they are pushed.", refusals: [.templateFromFile]),
      CatalogField(
        "activate", .choice(activations), "The same as “activate” in the header. Only one of the two may be there.", usual: "automatic"),
    ])

  private static let constraint = CatalogFields(
    "constraint", "a constraint",
    [
      CatalogField(
        "require", .expression, required: true, "The constraint holds if this is truthy. It reads parameters only.",
        refusals: [.constraintViolated]),
      CatalogField("message", .text, "The reason for a refusal, as a sentence.", usual: "a sentence with the constraint's id"),
    ])

  private static let milestone = CatalogFields(
    "milestone", "a milestone",
    [
      CatalogField(
        "count", .either([.choice(["lifetime_score", "games_played"]), .fields(count)]), required: true,
        "The figure that is compared with “at”: the sum of all scores, the number of events with a score, or one of the others."),
      CatalogField(
        "at", .either([.integer(least: 1), .parameterReference]), "The threshold. A milestone that counts “unlocked” has no threshold."),
      CatalogField("achievement", .boolean, "Shows it to the player as an achievement.", usual: "false"),
      CatalogField("progressive", .boolean, "Shows the progress towards it.", usual: "false"),
      CatalogField(
        "enabled", .either([.boolean, .parameterReference]),
        "If false, it is not shown and cannot be unlocked. A player who unlocked it before keeps it.", usual: "true"),
      CatalogField("name", .localizedText, "Its name by locale."),
    ])

  private static let count = CatalogFields(
    "count", "“count”", exactlyOne: true,
    [
      CatalogField("events", .text, "Counts the events of that name."),
      CatalogField("best_score", .text, "The best score in that mode."),
      CatalogField("unlocked", .text, "Reached together with that milestone."),
      CatalogField(
        "bests", .either([.text, .fields(bests)]), "Counts the player's bests of that event: one for each value of its “best_by”."),
    ])

  private static let bests = CatalogFields(
    "bests", "“bests”",
    [
      CatalogField("event", .text, required: true, "The event, which has “best_by”."),
      CatalogField("prefix", .text, "Counts only bests whose details begin so.", usual: "all"),
      CatalogField("score", .integer(least: 0), "Counts only bests of that score or more.", usual: "all"),
    ])

  private static let theme = CatalogFields(
    "theme", "a theme",
    [
      CatalogField("name", .localizedText, "Its name by locale.", usual: "its id"),
      CatalogField(
        "unlock", .either([.choice(["free"]), .fields(unlock)]), "The condition that unlocks it.", usual: "free",
        refusals: [.themeLocked]),
      CatalogField("attributes", .map(nil, .data), "The values that the game draws it with."),
    ])

  private static let unlock = CatalogFields(
    "unlock", "“unlock”", exactlyOne: true,
    [
      CatalogField("milestone", .text, "Unlocks the theme permanently when the player reaches that milestone."),
      CatalogField("entitlement", .text, "Unlocks the theme while the player holds that entitlement."),
      CatalogField("parameter", .text, "Unlocks the theme while that boolean parameter is true."),
    ])

  private static let gate = CatalogFields(
    "gate", "a gate",
    [
      CatalogField(
        "args", .map(.word, .choice(argumentTypes)), "The arguments a caller must give, and their types.",
        refusals: [.missingArgument, .unknownArgument, .argumentType]),
      CatalogField(
        "locked_when", .expression, required: true, "The gate is locked while this is truthy. “var” reads an argument, then the context.",
        reasons: [GateDecision.Reason.locked, .undecided].map(\.rawValue)),
      CatalogField("unless", .list(.text, isFilled: false), "Entitlements that open it. The answer is then “ENTITLED”."),
    ])

  static let argumentTypes = [ParameterType.boolean, .integer, .double, .string].map(\.rawValue)
}
