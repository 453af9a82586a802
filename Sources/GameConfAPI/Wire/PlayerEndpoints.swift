// The calls about players: what they did, chose and reached, and the ads they may see.

extension Endpoints {
  static let playerCalls = [
    players, player, patchPlayer, forgetPlayer, putContext, putSetting, deleteSetting, recordEvent, openVisit, themes, theme, playerThemes,
    playerTheme, playerMilestones, adStatus, reportAd, resetAds, forceAd,
  ]

  private static let gamePath = "/v1/games/{game}"
  private static let path = "/v1/games/{game}/players/{player}"
  private static let adPath = path + "/ads/{placement}"

  /// The players of a game.
  public static let players = Endpoint(
    "players", .get, gamePath + "/players", on: admin,
    query: [
      .init("limit", "At most so many, 1 to 500; 50 unless said."), .init("after", "Only players whose ids come after this one."),
    ],
    answer: .json(PlayersList.self), summary: "The players of a game, by id.")
  /// A player on one page.
  public static let player = Endpoint(
    "player", .get, path, on: both,
    query: [Query.locale, .init("history", "How many of the newest lines of the player's history, 0 to 200; 20 unless said.")],
    answer: .json(PlayerAnswer.self), summary: "A player on one page: scores, counters, visits, settings, themes, milestones, ads, history."
  )
  /// Sets scores.
  public static let patchPlayer = Endpoint(
    "patchPlayer", .patch, path, on: admin, query: [Query.dryRun], request: .json(PatchPlayer.self), answer: .json(ScoresAnswer.self),
    summary: "Sets a player's scores; what they reach unlocks, what was earned stays.")
  /// Removes everything about a player.
  public static let forgetPlayer = Endpoint(
    "forgetPlayer", .delete, path, on: admin, query: [Query.dryRun, Query.reason], answer: .json(ForgetAnswer.self),
    statuses: [204, 200],
    summary:
      "Removes everything about a player, the name in other players' purchases too; 204, and 200 with what would go for a dry run.")
  /// Registers a context.
  public static let putContext = Endpoint(
    "putContext", .put, path + "/context", on: both, query: [Query.dryRun], request: .json(PutContext.self),
    answer: .json(ContextAnswer.self), summary: "Registers the context that serves where a call gives none.")
  /// Stores what a player chose.
  public static let putSetting = Endpoint(
    "putSetting", .put, path + "/settings/{key}", on: both, query: [Query.dryRun], request: .json(PutSetting.self),
    answer: .json(SettingAnswer.self), summary: "Stores what a player chose, and tells what is in force.")
  /// Removes what a player chose.
  public static let deleteSetting = Endpoint(
    "deleteSetting", .delete, path + "/settings/{key}", on: both, query: [Query.dryRun, Query.reason], answer: .json(SettingAnswer.self),
    statuses: [204, 200], summary: "Removes what a player chose; 204, and 200 with what would be in force for a dry run.")
  /// Records an event.
  public static let recordEvent = Endpoint(
    "recordEvent", .post, path + "/events", on: both, query: [Query.dryRun, Query.reason], request: .json(EventsRequest.self),
    answer: .json(EventsAnswer.self),
    summary: "Records an event, or a list of a queue's events in order: scores, counters, what it unlocks, and whether an ad shows.")
  /// Opens a visit.
  public static let openVisit = Endpoint(
    "openVisit", .post, path + "/visits", on: both, query: [Query.dryRun], request: .json(ReasonRequest.self, required: false),
    answer: .json(VisitAnswer.self), summary: "Opens a visit: a launch of the game.")
  /// The game's themes.
  public static let themes = Endpoint(
    "themes", .get, gamePath + "/themes", on: both, query: [Query.locale], answer: .json(ThemeList.self),
    summary: "A game's themes, as for a player of whom nothing is known.")
  /// One of the game's themes.
  public static let theme = Endpoint(
    "theme", .get, gamePath + "/themes/{theme}", on: both, query: [Query.locale], answer: .json(ThemeAnswer.self),
    summary: "One theme of a game, as for a player of whom nothing is known.")
  /// A player's themes.
  public static let playerThemes = Endpoint(
    "playerThemes", .get, path + "/themes", on: both, query: [Query.locale], answer: .json(ThemeList.self),
    summary: "A player's themes: which are unlocked, and how far the others are.")
  /// One of a player's themes.
  public static let playerTheme = Endpoint(
    "playerTheme", .get, path + "/themes/{theme}", on: both, query: [Query.locale], answer: .json(ThemeAnswer.self),
    summary: "One theme of a player.")
  /// A player's milestones.
  public static let playerMilestones = Endpoint(
    "playerMilestones", .get, path + "/milestones", on: both, query: [Query.locale], answer: .json(MilestoneList.self),
    summary: "A player's milestones, achievements among them.")
  /// How a placement stands.
  public static let adStatus = Endpoint(
    "adStatus", .get, adPath, on: both, answer: .json(AdStatusAnswer.self),
    summary: "How a placement stands for a player: counters, and when the next ad may come. Asking changes nothing.")
  /// Reports what became of an ad.
  public static let reportAd = Endpoint(
    "reportAd", .post, adPath + "/reports", on: both, query: [Query.dryRun], request: .json(AdReportRequest.self),
    answer: .json(AdReportAnswer.self), summary: "Reports what became of an ad that was to show.")
  /// Counts from 0 again.
  public static let resetAds = Endpoint(
    "resetAds", .post, adPath + "/reset", on: admin, query: [Query.dryRun], request: .json(ReasonRequest.self, required: false),
    answer: .json(AdChangeAnswer.self), summary: "Counts a placement's events from 0 again.")
  /// Makes the next event show.
  public static let forceAd = Endpoint(
    "forceAd", .post, adPath + "/force", on: admin, query: [Query.dryRun], request: .json(ReasonRequest.self, required: false),
    answer: .json(AdChangeAnswer.self), summary: "Makes the next event show an ad, once, whatever the rules say.")
}
