// The calls about a game's template: remote values and rules.

package import GameConfCore

/// A template as it was written, in JSON: ours, Firebase Remote Config's, or flagd's.
package struct TemplateDocument: BytesBody {
  package static let content = Endpoint.Content.bytes(mediaType: "application/json")
  /// A template of Firebase Remote Config.
  package static var example: Value? {
    ["parameters": ["arcade_difficulty_step": ["defaultValue": ["value": "6"], "valueType": "NUMBER"]]]
  }
  package init() {}
}

extension Calls {
  private static let templatePath = "/v1/games/{game}/template"

  package static let template = Call<NoBody, TemplateDocument>(
    "template", .get, templatePath, on: admin, "The template in force, byte for byte as it came; 404 when none is.")
  package static let putTemplate = Call<TemplateDocument, TemplateAnswer>(
    "putTemplate", .put, templatePath, on: admin, needs: .publisher, changes: .template,
    query: [.reason, .activate, .templatePlayer, .simulatedPlayers, .templateOrigin],
    "Checks a template whole against the catalog, stores it as the next version, and brings it into force; If-Match is the newest version, 0 before the first."
  )
  package static let templateVersions = Call<NoBody, TemplateVersionsAnswer>(
    "templateVersions", .get, templatePath + "/versions", on: admin, query: [.limit, .beforeVersion],
    "The versions of a game's template, the newest first, with origin, author and time.")
  package static let templateVersion = Call<NoBody, TemplateDocument>(
    "templateVersion", .get, templatePath + "/versions/{version}", on: admin, "One version, byte for byte as it came.")
  package static let activateTemplate = Call<TemplateActivationRequest?, TemplateAnswer>(
    "activateTemplate", .post, templatePath + "/activate", on: admin, needs: .publisher, changes: .template,
    "Brings a version into force, now or at an instant; the newest unless one is named.")
  package static let rollbackTemplate = Call<TemplateActivationRequest?, TemplateAnswer>(
    "rollbackTemplate", .post, templatePath + "/rollback", on: admin, needs: .publisher, changes: .template,
    "Makes an older version current, as a new version with the same document; the one before unless one is named.")
  package static let fetchTemplate = Call<ReasonRequest?, TemplateFetchAnswer>(
    "fetchTemplate", .post, templatePath + "/fetch", on: admin, needs: .publisher, changes: .daemon,
    "Asks gameconf-fetch to fetch the template now, as soon as the game's remote_min_fetch_interval has passed since the last fetch.")
  package static let putTemplateSource = Call<TemplateSourceRequest, TemplateSourceAnswer>(
    "putTemplateSource", .put, templatePath + "/source", on: admin, needs: .publisher, changes: .daemon,
    "What gameconf-fetch tells of the source of a game's template after each fetch: what it is, and why it cannot be taken.")
}

extension QueryParameter {
  package static let activate = Self(
    "activate", "now, the default; manual, to be activated by hand; or the instant at which it comes into force.")
  package static let templatePlayer = Self(
    "player", .player, "Whose values before and after are told in changes; without it, nobody's in particular.")
  package static let simulatedPlayers = Self(
    "players", .integer(1...10_000),
    "With dry_run: also for how many of so many simulated players each value changes, by their ids alone: player-1, player-2 and so on.")
  package static let templateOrigin = Self(
    "origin", .word(["fetched"]),
    "fetched says that it was read from a source: what was fetched last is not stored again, and the catalog says when it comes into force."
  )
  package static let beforeVersion = Self("before", .integer(1...Int64.max), "Only versions with a lower number.")
}
