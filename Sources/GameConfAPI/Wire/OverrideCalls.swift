// The calls about overrides, for the game and for one player.

extension Calls {
  private static let gamePath = "/v1/games/{game}/overrides"
  private static let playerPath = "/v1/games/{game}/players/{player}/overrides"

  package static let override = Call<NoBody, OverrideList>(
    "override", .get, gamePath + "/{key}", on: admin, "What is forced at a key for the game: the standing override and the windows.")
  package static let putOverride = Call<PutOverride, OverrideAnswer>(
    "putOverride", .put, gamePath + "/{key}", on: admin, needs: .admin, changes: .game, query: [.replace, .replacedWindow],
    statuses: [200, 201],
    "Forces a value for the game, standing or for a window.")
  package static let deleteOverride = Call<NoBody, ClearAnswer>(
    "deleteOverride", .delete, gamePath + "/{key}", on: admin, needs: .admin, changes: .game, query: [.window, .reason],
    statuses: [204, 200], "Removes all that is forced at a key for the game, or one window; 204, and 200 with what would go for a dry run.")
  package static let releaseOverride = Call<ReasonRequest?, OverrideList>(
    "releaseOverride", .post, gamePath + "/{key}/release", on: admin, needs: .admin, changes: .game,
    "Takes a game's overrides of a key out of quarantine, where they are admitted again.")

  package static let playerOverride = Call<NoBody, OverrideList>(
    "playerOverride", .get, playerPath + "/{key}", on: admin, "What is forced at a key for a player: the standing override and the windows."
  )
  package static let putPlayerOverride = Call<PutOverride, OverrideAnswer>(
    "putPlayerOverride", .put, playerPath + "/{key}", on: admin, needs: .tester, changes: .game, query: [.replace, .replacedWindow],
    statuses: [200, 201],
    "Forces a value for a player, standing or for a window.")
  package static let deletePlayerOverride = Call<NoBody, ClearAnswer>(
    "deletePlayerOverride", .delete, playerPath + "/{key}", on: admin, needs: .tester, changes: .game, query: [.window, .reason],
    statuses: [204, 200], "Removes all that is forced at a key for a player, or one window; 204, and 200 with what would go for a dry run.")
  package static let releasePlayerOverride = Call<ReasonRequest?, OverrideList>(
    "releasePlayerOverride", .post, playerPath + "/{key}/release", on: admin, needs: .tester, changes: .game,
    "Takes a player's overrides of a key out of quarantine, where they are admitted again.")

  package static let overrides = Call<NoBody, OverrideList>(
    "overrides", .get, gamePath, on: admin, query: [.allPlayers, QueryParameter("player", .player, "Only those of that player.")],
    "The overrides of a game.")
  package static let clearOverrides = Call<ClearRequest, ClearAnswer>(
    "clearOverrides", .post, gamePath + "/clear", on: admin, needs: .testerForPlayer, changes: .game, "Removes the overrides of a scope.")
  package static let importOverrides = Call<ImportRequest, ImportAnswer>(
    "importOverrides", .post, gamePath + "/import", on: admin, needs: .testerForPlayer, changes: .game,
    "Brings in a set of overrides, all or nothing; where every row names a player and the mode is merge, for testers too.")
  package static let exportOverrides = Call<NoBody, ExportAnswer>(
    "exportOverrides", .get, gamePath + "/export", on: admin,
    query: [QueryParameter("player", .player, "Only those of that player.")],
    "Every override of a game as a document that a person can read and an import takes back.")
}
