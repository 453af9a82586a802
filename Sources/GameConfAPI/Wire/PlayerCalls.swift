// The calls about players: their events, settings, progress and ads.

extension Calls {
  private static let gamePath = "/v1/games/{game}"
  private static let path = "/v1/games/{game}/players/{player}"
  private static let storedPath = gamePath + "/stored-player"
  private static let adPath = path + "/ads/{placement}"

  package static let players = Call<NoBody, PlayersList>(
    "players", .get, gamePath + "/players", on: admin, query: [.playersLimit, .after], offers: [.panel, .tool(13)],
    "The players of a game, by id.")
  package static let player = Call<NoBody, PlayerAnswer>(
    "player", .get, path, on: both, query: [.locale, .history], offers: [.panel, .tool(14)],
    "A player on one page: scores, counters, visits, settings, themes, milestones, ads, history.")
  package static let playerRows = Call<NoBody, PlayerRowsAnswer>(
    "playerRows", .get, path + "/rows", on: admin, needs: .admin,
    "The stored rows of a player, including unreadable ones.")
  package static let patchPlayer = Call<PatchPlayer, ScoresAnswer>(
    "patchPlayer", .patch, path, on: admin, needs: .tester, changes: .player, offers: [.panel, .tool(22)],
    "Sets a player's scores. Milestones that they reach unlock, and earned ones stay.")
  package static let forgetPlayer = Call<NoBody, ForgetAnswer>(
    "forgetPlayer", .delete, path, on: admin, needs: .admin, changes: .player, query: [.reason], statuses: [204, 200], offers: [.panel],
    "Removes everything about a player, also the name in other players' purchases. Answers 204, or 200 with the effect for a dry run.")
  package static let storedRows = Call<NoBody, PlayerRowsAnswer>(
    "storedRows", .get, storedPath, on: admin, needs: .admin, query: [.storedPlayer], example: CallExample(query: ["player": ".."]),
    "The stored rows of a player whose id a path cannot name.")
  package static let forgetStored = Call<NoBody, ForgetAnswer>(
    "forgetStored", .delete, storedPath, on: admin, needs: .admin, changes: .daemon, query: [.storedPlayer, .reason],
    statuses: [204, 200], example: CallExample(query: ["player": ".."]),
    "Removes everything about a player whose id a path cannot name. Answers 204, or 200 with the effect for a dry run.")
  package static let resetPlayer = Call<ReasonRequest?, PlayerResetAnswer>(
    "resetPlayer", .post, path + "/reset", on: admin, needs: .tester, changes: .player,
    "Makes a player new again: removes scores, history, settings, purchases, clock and overrides. The audit log and the positions of queues stay."
  )
  package static let copyPlayer = Call<CopyPlayerRequest, CopyPlayerAnswer>(
    "copyPlayer", .post, path + "/copy", on: admin, needs: .tester, changes: .player,
    "Replaces a player's scores, history, settings, context, ads, purchases and clock by another player's, or by rows read before. Bests, plays and overrides are not copied."
  )
  package static let putContext = Call<PutContext, ContextAnswer>(
    "putContext", .put, path + "/context", on: both, needs: .tester, changes: .player, offers: [.panel, .furtherTool],
    "Registers the player's context; a call's own attributes override it.")
  package static let putSetting = Call<PutSetting, SettingAnswer>(
    "putSetting", .put, path + "/settings/{key}", on: both, needs: .tester, changes: .player,
    example: CallExample(["key": "sound_enabled"]), offers: [.panel, .tool(23)],
    "Stores a player's own setting, and answers the value in force.")
  package static let putSettings = Call<PutSettings, SettingsAnswer>(
    "putSettings", .put, path + "/settings", on: both, needs: .tester, changes: .player, offers: [.furtherTool],
    "Stores several of a player's own settings in one transaction: all of them, or nothing if one is refused. Each constraint is named once."
  )
  package static let deleteSetting = Call<NoBody, SettingAnswer>(
    "deleteSetting", .delete, path + "/settings/{key}", on: both, needs: .tester, changes: .player, query: [.reason], statuses: [204, 200],
    example: CallExample(["key": "sound_enabled"]), offers: [.panel],
    "Removes a player's own setting. Answers 204, or 200 with the value in force for a dry run.")
  package static let recordEvent = Call<EventsRequest, EventsAnswer>(
    "recordEvent", .post, path + "/events", on: both, needs: .tester, changes: .player, query: [.reason], offers: [.panel, .furtherTool],
    "Records an event, or a list of a queue's events in order: scores, counters, unlocks, and the decision about an ad.")
  package static let openVisit = Call<ReasonRequest?, VisitAnswer>(
    "openVisit", .post, path + "/visits", on: both, needs: .tester, changes: .player, offers: [.panel, .furtherTool],
    "Begins a visit: a launch of the game.")
  package static let themes = Call<NoBody, ThemeList>(
    "themes", .get, gamePath + "/themes", on: both, query: [.locale], offers: [.panel, .furtherTool],
    "A game's themes, as for an unknown player.")
  package static let theme = Call<NoBody, ThemeAnswer>(
    "theme", .get, gamePath + "/themes/{theme}", on: both, query: [.locale], offers: [.furtherTool],
    "One theme of a game, as for an unknown player.")
  package static let playerThemes = Call<NoBody, ThemeList>(
    "playerThemes", .get, path + "/themes", on: both, query: [.locale], offers: [.panel, .furtherTool],
    "A player's themes, unlocked or with their progress."
  )
  package static let playerTheme = Call<NoBody, ThemeAnswer>(
    "playerTheme", .get, path + "/themes/{theme}", on: both, query: [.locale], offers: [.furtherTool], "One theme of a player.")
  package static let playerMilestones = Call<NoBody, MilestoneList>(
    "playerMilestones", .get, path + "/milestones", on: both, query: [.locale], offers: [.panel, .furtherTool],
    "A player's milestones, achievements among them.")
  package static let adStatus = Call<NoBody, AdStatusAnswer>(
    "adStatus", .get, adPath, on: both, offers: [.panel, .furtherTool],
    "The state of a placement for a player: counters, and the earliest next ad. Reading changes nothing.")
  package static let reportAd = Call<AdReportRequest, AdReportAnswer>(
    "reportAd", .post, adPath + "/reports", on: both, needs: .tester, changes: .player, offers: [.panel, .furtherTool],
    "Reports the outcome of an ad that was to be shown."
  )
  package static let resetAds = Call<ReasonRequest?, AdChangeAnswer>(
    "resetAds", .post, adPath + "/reset", on: admin, needs: .tester, changes: .player, offers: [.panel],
    "Counts a placement's events from 0 again.")
  package static let forceAd = Call<ReasonRequest?, AdChangeAnswer>(
    "forceAd", .post, adPath + "/force", on: admin, needs: .tester, changes: .player, offers: [.panel, .furtherTool],
    "Makes the next event show an ad, once, whatever the rules say.")
}
