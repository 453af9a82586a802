// The calls about a game's template: remote values and rules.

internal import GameConfCore

extension Calls {
  private static let templatePath = "/v1/games/{game}/template"

  package static let template = Call<NoBody, TemplateDocument>(
    "template", .get, templatePath, on: admin, "The template in force, byte for byte; 404 without a template.")
  package static let putTemplate = Call<TemplateDocument, TemplateAnswer>(
    "putTemplate", .put, templatePath, on: admin, needs: .publisher, changes: .template,
    query: [.reason, .activate, .templatePlayer, .simulatedPlayers, .templateOrigin],
    "Checks a template against the catalog, stores it as the next version, and activates it. If-Match is the newest version, 0 before the first."
  )
  package static let templateVersions = Call<NoBody, TemplateVersionsAnswer>(
    "templateVersions", .get, templatePath + "/versions", on: admin, query: [.limit, .beforeVersion], offers: [.panel, .furtherTool],
    "The versions of a game's template, the newest first, with origin, author and time.")
  package static let templateVersion = Call<NoBody, TemplateDocument>(
    "templateVersion", .get, templatePath + "/versions/{version}", on: admin, offers: [.panel], "One version, byte for byte.")
  package static let activateTemplate = Call<TemplateActivationRequest?, TemplateAnswer>(
    "activateTemplate", .post, templatePath + "/activate", on: admin, needs: .publisher, changes: .template, offers: [.panel],
    "Activates a version, now or at an instant; default the newest.")
  package static let rollbackTemplate = Call<TemplateActivationRequest?, TemplateAnswer>(
    "rollbackTemplate", .post, templatePath + "/rollback", on: admin, needs: .publisher, changes: .template, offers: [.panel],
    "Makes an older version current, as a new version with the same document; default the previous one.")
  package static let fetchTemplate = Call<ReasonRequest?, TemplateFetchAnswer>(
    "fetchTemplate", .post, templatePath + "/fetch", on: admin, needs: .publisher, changes: .daemon,
    "Requests a fetch of the template by gameconf-fetch, once the game's remote_min_fetch_interval has passed since the last.")
  package static let putTemplateSource = Call<TemplateSourceRequest, TemplateSourceAnswer>(
    "putTemplateSource", .put, templatePath + "/source", on: admin, needs: .publisher, changes: .daemon,
    "Reports the source of a game's template and its faults; gameconf-fetch sends this after each fetch.")
}

extension QueryParameter {
  package static let activate = Self(
    "activate", "The time of activation: now (the default), manual, or an instant.")
  package static let templatePlayer = Self(
    "player", .player, "The player for whom changes lists values before and after; without it, a caller without a player.")
  package static let simulatedPlayers = Self(
    "players", .integer(1...10_000),
    "With dry_run: the number of simulated players, player-1, player-2 and so on; changes then says for how many each value changes.")
  package static let templateOrigin = Self(
    "origin", .word(["fetched"]),
    "“fetched” for a document read from a source: it is not stored twice, and the catalog decides when it comes into force."
  )
  package static let beforeVersion = Self("before", .integer(1...Int64.max), "Only versions with a lower number.")
}
