// The calls about overrides, for the game and for one player.

extension Endpoints {
  static let overrideCalls = [
    override, putOverride, deleteOverride, releaseOverride, playerOverride, putPlayerOverride, deletePlayerOverride,
    releasePlayerOverride, overrides, clearOverrides, importOverrides, exportOverrides,
  ]

  private static let gamePath = "/v1/games/{game}/overrides"
  private static let playerPath = "/v1/games/{game}/players/{player}/overrides"

  /// What is forced at a key for the game.
  public static let override = Endpoint(
    "override", .get, gamePath + "/{key}", on: admin, answer: .json(OverrideList.self),
    summary: "What is forced at a key for the game: the standing override and the windows.")
  /// Forces a value for the game.
  public static let putOverride = Endpoint(
    "putOverride", .put, gamePath + "/{key}", on: admin, query: [Query.dryRun], request: .json(PutOverride.self),
    answer: .json(OverrideAnswer.self), statuses: [200, 201], summary: "Forces a value for the game, standing or for a window.")
  /// Removes what is forced for the game.
  public static let deleteOverride = Endpoint(
    "deleteOverride", .delete, gamePath + "/{key}", on: admin, query: [Query.window, Query.dryRun, Query.reason],
    answer: .json(ClearAnswer.self), statuses: [204, 200],
    summary: "Removes all that is forced at a key for the game, or one window; 204, and 200 with what would go for a dry run.")
  /// Takes a game's override out of quarantine.
  public static let releaseOverride = Endpoint(
    "releaseOverride", .post, gamePath + "/{key}/release", on: admin, query: [Query.dryRun],
    request: .json(ReasonRequest.self, required: false), answer: .json(OverrideList.self),
    summary: "Takes a game's overrides of a key out of quarantine, where they are admitted again.")

  /// What is forced at a key for a player.
  public static let playerOverride = Endpoint(
    "playerOverride", .get, playerPath + "/{key}", on: admin, answer: .json(OverrideList.self),
    summary: "What is forced at a key for a player: the standing override and the windows.")
  /// Forces a value for a player.
  public static let putPlayerOverride = Endpoint(
    "putPlayerOverride", .put, playerPath + "/{key}", on: admin, query: [Query.dryRun], request: .json(PutOverride.self),
    answer: .json(OverrideAnswer.self), statuses: [200, 201], summary: "Forces a value for a player, standing or for a window.")
  /// Removes what is forced for a player.
  public static let deletePlayerOverride = Endpoint(
    "deletePlayerOverride", .delete, playerPath + "/{key}", on: admin, query: [Query.window, Query.dryRun, Query.reason],
    answer: .json(ClearAnswer.self), statuses: [204, 200],
    summary: "Removes all that is forced at a key for a player, or one window; 204, and 200 with what would go for a dry run.")
  /// Takes a player's override out of quarantine.
  public static let releasePlayerOverride = Endpoint(
    "releasePlayerOverride", .post, playerPath + "/{key}/release", on: admin, query: [Query.dryRun],
    request: .json(ReasonRequest.self, required: false), answer: .json(OverrideList.self),
    summary: "Takes a player's overrides of a key out of quarantine, where they are admitted again.")

  /// The overrides of a game.
  public static let overrides = Endpoint(
    "overrides", .get, gamePath, on: admin,
    query: [.init("players", "all lists every player's too."), .init("player", "Only those of that player.")],
    answer: .json(OverrideList.self), summary: "The overrides of a game.")
  /// Removes many overrides.
  public static let clearOverrides = Endpoint(
    "clearOverrides", .post, gamePath + "/clear", on: admin, query: [Query.dryRun], request: .json(ClearRequest.self),
    answer: .json(ClearAnswer.self), summary: "Removes the overrides of a scope.")
  /// Brings in a set of overrides.
  public static let importOverrides = Endpoint(
    "importOverrides", .post, gamePath + "/import", on: admin, query: [Query.dryRun], request: .json(ImportRequest.self),
    answer: .json(ImportAnswer.self), summary: "Brings in a set of overrides, all or nothing.")
  /// Every override as a document.
  public static let exportOverrides = Endpoint(
    "exportOverrides", .get, gamePath + "/export", on: admin, answer: .json(ExportAnswer.self),
    summary: "Every override of a game as a document that a person can read and an import takes back.")
}
