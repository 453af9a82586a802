// The calls about overrides, for the game and for one player.

extension Calls {
  private static let gamePath = "/v1/games/{game}/overrides"
  private static let playerPath = "/v1/games/{game}/players/{player}/overrides"

  package static let override = Call<NoBody, OverrideList>(
    "override", .get, gamePath + "/{key}", on: admin, offers: [.panel, .furtherTool],
    "The overrides of a key for the game: the permanent one and the windows.")
  package static let putOverride = Call<PutOverride, OverrideAnswer>(
    "putOverride", .put, gamePath + "/{key}", on: admin, needs: .admin, changes: .game, query: [.replace, .replacedWindow],
    statuses: [200, 201], offers: [.panel, .tool(20)],
    "Overrides a value for the game, permanently or for a window.")
  package static let deleteOverride = Call<NoBody, ClearAnswer>(
    "deleteOverride", .delete, gamePath + "/{key}", on: admin, needs: .admin, changes: .game, query: [.window, .reason],
    statuses: [204, 200], offers: [.panel],
    "Removes the overrides of a key for the game, or one window. Answers 204, or 200 with the effect for a dry run.")
  package static let releaseOverride = Call<ReasonRequest?, OverrideList>(
    "releaseOverride", .post, gamePath + "/{key}/release", on: admin, needs: .admin, changes: .game, offers: [.furtherTool],
    "Releases a game's overrides of a key from quarantine, if the catalog admits them again.")

  package static let playerOverride = Call<NoBody, OverrideList>(
    "playerOverride", .get, playerPath + "/{key}", on: admin, offers: [.panel, .furtherTool],
    "The overrides of a key for a player: the permanent one and the windows."
  )
  package static let putPlayerOverride = Call<PutOverride, OverrideAnswer>(
    "putPlayerOverride", .put, playerPath + "/{key}", on: admin, needs: .tester, changes: .game, query: [.replace, .replacedWindow],
    statuses: [200, 201], offers: [.panel, .tool(21)],
    "Overrides a value for a player, permanently or for a window.")
  package static let deletePlayerOverride = Call<NoBody, ClearAnswer>(
    "deletePlayerOverride", .delete, playerPath + "/{key}", on: admin, needs: .tester, changes: .game, query: [.window, .reason],
    statuses: [204, 200], offers: [.panel],
    "Removes the overrides of a key for a player, or one window. Answers 204, or 200 with the effect for a dry run.")
  package static let releasePlayerOverride = Call<ReasonRequest?, OverrideList>(
    "releasePlayerOverride", .post, playerPath + "/{key}/release", on: admin, needs: .tester, changes: .game, offers: [.furtherTool],
    "Releases a player's overrides of a key from quarantine, if the catalog admits them again.")

  package static let overrides = Call<NoBody, OverrideList>(
    "overrides", .get, gamePath, on: admin, query: [.allPlayers, QueryParameter("player", .player, "Only overrides of this player.")],
    offers: [.panel, .tool(10)],
    "The overrides of a game.")
  package static let clearOverrides = Call<ClearRequest, ClearAnswer>(
    "clearOverrides", .post, gamePath + "/clear", on: admin, needs: .testerForPlayer, changes: .game, offers: [.panel],
    "Removes the overrides of a scope.")
  package static let importOverrides = Call<ImportRequest, ImportAnswer>(
    "importOverrides", .post, gamePath + "/import", on: admin, needs: .testerForPlayer, changes: .game,
    "Imports a set of overrides as a whole or not at all. Testers may too, if every row names a player and the mode is merge.")
  package static let exportOverrides = Call<NoBody, ExportAnswer>(
    "exportOverrides", .get, gamePath + "/export", on: admin,
    query: [QueryParameter("player", .storedPlayer, "Only overrides of this player; also of a stored id that is no longer admitted.")],
    offers: [.furtherTool],
    "The overrides of a game, as a readable document that an import accepts.")
}
