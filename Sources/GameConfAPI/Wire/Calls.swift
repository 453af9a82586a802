// The list of all calls of the HTTP contract, in the order of the documentation.

internal import GameConfCore

package enum Calls {
  static let both: Set<SocketKind> = [.games, .admin]
  static let everywhere: Set<SocketKind> = [.games, .admin, .metrics]
  static let admin: Set<SocketKind> = [.admin]

  /// All calls of the contract, in the order of the documentation.
  package static let all: [any DeclaredCall] =
    [
      healthLive, healthReady, openAPI, status, metrics, reload, storeCheck, storeBackup, storeRestore, storeCopies, storeCopyRemove, games,
      forgetGame, catalog, config, evaluateConfig, value, evaluateValue, explain, evaluateExplain, simulate, changes, playerChanges, audit,
      auditAll, auditEntry, revert, revertMany,

      override, putOverride, deleteOverride, releaseOverride, playerOverride, putPlayerOverride, deletePlayerOverride,
      releasePlayerOverride,
      overrides, clearOverrides, importOverrides, exportOverrides,

      players, player, playerRows, patchPlayer, forgetPlayer, storedRows, forgetStored, resetPlayer, copyPlayer, putContext, putSetting,
      putSettings,
      deleteSetting, recordEvent, openVisit, themes, theme, playerThemes, playerTheme, playerMilestones, adStatus, reportAd, resetAds,
      forceAd,

      openPlay, plays, play, putPlayState, closePlay,

      eventStream, playerEvents, bests, removeBests, leaderboard, removeBoardRows,

      products, offerings, entitlements, transactions, transaction, purchase, restorePurchases, storeLog, checkGate, grant,
      deleteTransaction, clearTransactions, storeBehaviour, putStoreBehaviour, switchPremium, gameClock, putGameClock, resetGameClock,
      playerClock, putPlayerClock, billingRetry, changePrice,

      template, putTemplate, templateVersions, templateVersion, activateTemplate, rollbackTemplate, fetchTemplate, putTemplateSource,

      beginScenario, scenarios, scenario, endScenario, renewScenario,

      watch, evaluateWatch, watchAll, image, evaluateImage,

      liveStream, live,

      ofrepFlag, ofrepFlags, ofrepEvents, ofrepFlagAtRoot, ofrepFlagsAtRoot,

      firebaseTemplate, putFirebaseTemplate, firebaseNamespaceTemplate, putFirebaseNamespaceTemplate, rollbackFirebaseTemplate,
      firebaseVersions, firebaseDefaults, firebaseFetch, firebaseServerTemplate, firebaseInvalidations,
    ] + TransactionAct.allCases.compactMap(\.call)

  /// The calls that `gameconfctl` offers to AI assistants as tools, in the order in which it lists them.
  package static let tools = all.map(\.endpoint).flatMap { endpoint in
    endpoint.offers.compactMap { if case .tool(let place) = $0 { (place, endpoint) } else { nil } }
  }.sorted { $0.0 < $1.0 }.map(\.1)
  /// The calls that `gameconfctl` offers to AI assistants as tools only with `--all`.
  package static let furtherTools = offered(.furtherTool)
  /// The calls that the web page of `gameconfctl panel` may make.
  package static let panel = offered(.panel)

  private static func offered(_ offer: Endpoint.CallOffer) -> [Endpoint] { all.map(\.endpoint).filter { $0.offers.contains(offer) } }

  package static let healthLive = Call<NoBody, HealthAnswer>(
    "healthLive", .get, "/health/live", on: everywhere, "Answers while the daemon runs.")
  package static let healthReady = Call<NoBody, HealthAnswer>(
    "healthReady", .get, "/health/ready", on: everywhere, query: [.strict], offers: [.furtherTool],
    "The state of the games: ready or degraded, with the problems.")
  package static let openAPI = Call<NoBody, OpenAPIAnswer>(
    "openAPI", .get, "/openapi.json", on: both, "This document.")
  package static let status = Call<NoBody, StatusAnswer>(
    "status", .get, "/v1/status", on: admin, offers: [.panel, .tool(2)], "The daemon's state on one page, with its limits.")
  package static let metrics = Call<NoBody, MetricsText>(
    "metrics", .get, "/metrics", on: [.admin, .metrics], "The daemon's metrics, in Prometheus' text format.")
  package static let reload = Call<ReasonRequest?, ReloadAnswer>(
    "reload", .post, "/v1/reload", on: admin, needs: .admin, changes: .daemon,
    "Reads the catalogs again; the answer comes when they are in force, or says what is wrong.")
  package static let storeCheck = Call<NoBody, StoreCheckAnswer>(
    "storeCheck", .post, "/v1/store/check", on: admin, needs: .admin, refusals: [409], "Checks the whole database.")
  package static let storeBackup = Call<NoBody, DatabaseBytes>(
    "storeBackup", .get, "/v1/store/backup", on: admin, needs: .admin, refusals: [409], "A consistent copy of the database.")
  package static let storeRestore = Call<DatabaseBytes, StoreRestoreAnswer>(
    "storeRestore", .post, "/v1/store/restore", on: admin, needs: .admin, changes: .daemon,
    query: [.reason, .rebuild, .copy, .file, .logBytes],
    "Replaces the database with a backup after checking it; the previous database is moved aside. A backup that the daemon cannot use is refused with 422, which names the table, the column and the row."
  )
  package static let storeCopies = Call<NoBody, StoreCopiesAnswer>(
    "storeCopies", .get, "/v1/store/copies", on: admin, needs: .admin,
    "The databases beside the one in use: damaged ones, and those that a restore replaced.")
  package static let storeCopyRemove = Call<NoBody, StoreCopiesAnswer>(
    "storeCopyRemove", .delete, "/v1/store/copies/{name}", on: admin, needs: .admin, changes: .daemon, statuses: [204, 200],
    "Removes a database beside the one in use. Answers 204, or 200 with the effect for a dry run.")

  package static let games = Call<NoBody, GamesAnswer>(
    "games", .get, "/v1/games", on: both, offers: [.panel, .tool(1)], "The served games.")
  package static let forgetGame = Call<NoBody, ForgottenGameAnswer>(
    "forgetGame", .delete, "/v1/games/{game}", on: admin, needs: .admin, changes: .daemon, query: [.reason], statuses: [204, 200],
    example: CallExample(["game": "retired"]),
    "Forgets a game whose catalog file was removed; 409 while the file exists. Its players, purchases and overrides stay stored. Answers 204, or 200 with the effect for a dry run."
  )
  package static let catalog = Call<NoBody, CatalogAnswer>(
    "catalog", .get, "/v1/games/{game}/catalog", on: both, offers: [.panel, .tool(3)],
    "A game's catalog: keys, themes, products, placements, gates.")
  package static let config = Call<NoBody, ConfigAnswer>(
    "config", .get, "/v1/games/{game}/config", on: both, query: [.player, .anyLocale, .play, .keys, .detail, .wait, .known],
    statuses: [200, 304], example: CallExample(query: ["player": "p1", "locale": "es"]), offers: [.panel, .tool(4)],
    "Every value of a game at one revision.")
  package static let evaluateConfig = Call<EvaluateRequest?, ConfigAnswer>(
    "evaluateConfig", .post, "/v1/games/{game}/config", on: both, query: [.detail], offers: [.furtherTool],
    "Every value of a game at one revision, for a context.")
  package static let value = Call<NoBody, ValueAnswer>(
    "value", .get, "/v1/games/{game}/config/{key}", on: both, query: [.player, .anyLocale, .play],
    example: CallExample(query: ["player": "p1"]), offers: [.tool(5)], "One value and the layer that gave it.")
  package static let evaluateValue = Call<EvaluateRequest?, ValueAnswer>(
    "evaluateValue", .post, "/v1/games/{game}/config/{key}", on: both, offers: [.furtherTool],
    "One value and the layer that gave it, for a context.")
  package static let explain = Call<NoBody, ExplainAnswer>(
    "explain", .get, "/v1/games/{game}/config/{key}/explain", on: admin, query: [.player, .anyLocale, .play],
    example: CallExample(query: ["player": "p1"]), offers: [.panel, .tool(6)],
    "The layers of a key in order: value, applied or not, reason, author, time.")
  package static let evaluateExplain = Call<EvaluateRequest?, ExplainAnswer>(
    "evaluateExplain", .post, "/v1/games/{game}/config/{key}/explain", on: admin, offers: [.furtherTool],
    "The layers of a key in order, for a context.")
  package static let simulate = Call<SimulateRequest, SimulateAnswer>(
    "simulate", .post, "/v1/games/{game}/config/{key}/simulate", on: admin, offers: [.tool(7)],
    "The distribution of a key's values over many players.")

  package static let changes = Call<NoBody, ChangesAnswer>(
    "changes", .get, "/v1/games/{game}/changes", on: admin, query: [.allPlayers], offers: [.panel, .tool(8)],
    "The differences of a game from its catalog: overrides, clock, template, drop-ins; each with author, time, reason and end."
  )
  package static let playerChanges = Call<NoBody, ChangesAnswer>(
    "playerChanges", .get, "/v1/games/{game}/players/{player}/changes", on: admin, offers: [.panel, .tool(9)],
    "The changes made for a player and still in effect: overrides, clock, store, scores; each with author, time, reason and end."
  )
  package static let audit = Call<NoBody, AuditList>(
    "audit", .get, "/v1/games/{game}/audit", on: admin,
    query: auditQuery, offers: [.panel, .tool(11)], "The audit log of a game, newest first: author, time, value before and after, reason.")
  package static let auditAll = Call<NoBody, AuditList>(
    "auditAll", .get, "/v1/audit", on: admin, query: [QueryParameter("game", "Only changes of that game.")] + auditQuery,
    "The audit log of all games and of the daemon, newest first.")
  private static let auditQuery: [QueryParameter] = [
    .limit, .before, .key, .changedPlayer, .author, .session, .since, .until,
  ]
  package static let auditEntry = Call<NoBody, AuditEntry>(
    "auditEntry", .get, "/v1/games/{game}/audit/{id}", on: admin, offers: [.tool(12)], "One line of the audit log.")
  package static let revert = Call<ReasonRequest?, RevertAnswer>(
    "revert", .post, "/v1/games/{game}/audit/{id}/revert", on: admin, needs: .testerForPlayer, changes: .game, query: [.force],
    offers: [.panel, .tool(25)],
    "Reverts a change; 409 if the value has changed since, unless force=true.")
  package static let revertMany = Call<ReasonRequest?, RevertManyAnswer>(
    "revertMany", .post, "/v1/games/{game}/audit/revert", on: admin, needs: .tester, changes: .game,
    query: [.key, .changedPlayer, .author, .session, .since, .until], example: CallExample(query: ["author": "0"]), offers: [.panel],
    "Reverts the changes of one user or one session, newest first, in one change. Changes that cannot be reverted stay and are listed. Changes of the whole game need an admin."
  )
}
