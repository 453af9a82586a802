// Every call there is, in the order of the documentation.

/// Every call of the contract.
package enum Calls {
  static let both: Set<SocketKind> = [.games, .admin]
  static let everywhere: Set<SocketKind> = [.games, .admin, .metrics]
  static let admin: Set<SocketKind> = [.admin]

  package static let healthLive = Call<NoBody, HealthAnswer>(
    "healthLive", .get, "/health/live", on: everywhere, "Whether the daemon answers.")
  package static let healthReady = Call<NoBody, HealthAnswer>(
    "healthReady", .get, "/health/ready", on: everywhere, query: [.strict], "Whether the accepted games are served, and what is degraded.")
  package static let openAPI = Call<NoBody, OpenAPIAnswer>(
    "openAPI", .get, "/openapi.json", on: both, "This document.")
  package static let status = Call<NoBody, StatusAnswer>(
    "status", .get, "/v1/status", on: admin, "The daemon's state on one page, limits included.")
  package static let metrics = Call<NoBody, MetricsText>(
    "metrics", .get, "/metrics", on: [.admin, .metrics], "What the daemon measures, in Prometheus' text format.")
  package static let reload = Call<ReasonRequest?, ReloadAnswer>(
    "reload", .post, "/v1/reload", on: admin, needs: .admin, changes: .daemon,
    "Reads the catalogs again and answers when they are in force, or why not.")
  package static let storeCheck = Call<NoBody, StoreCheckAnswer>(
    "storeCheck", .post, "/v1/store/check", on: admin, needs: .admin, "Checks the whole database.")
  package static let storeBackup = Call<NoBody, DatabaseBytes>(
    "storeBackup", .get, "/v1/store/backup", on: admin, needs: .admin, "A consistent copy of the database.")
  package static let storeRestore = Call<DatabaseBytes, StoreRestoreAnswer>(
    "storeRestore", .post, "/v1/store/restore", on: admin, needs: .admin, changes: .daemon,
    query: [.reason, .rebuild, .copy, .file, .logBytes],
    "Puts a backup in the place of the database, after it was checked whole; the one before is put aside. What a daemon could not go on from is 422 with the table, the column and the row, and nothing changes then."
  )
  package static let storeCopies = Call<NoBody, StoreCopiesAnswer>(
    "storeCopies", .get, "/v1/store/copies", on: admin, needs: .admin,
    "The databases that lie beside the one in use: damaged ones, and what restores have replaced.")
  package static let storeCopyRemove = Call<NoBody, StoreCopiesAnswer>(
    "storeCopyRemove", .delete, "/v1/store/copies/{name}", on: admin, needs: .admin, changes: .daemon, statuses: [204, 200],
    "Removes a database that lies beside the one in use; 204, and 200 with what would go for a dry run.")

  package static let games = Call<NoBody, GamesAnswer>(
    "games", .get, "/v1/games", on: both, "The games that are served.")
  package static let forgetGame = Call<NoBody, ForgottenGameAnswer>(
    "forgetGame", .delete, "/v1/games/{game}", on: admin, needs: .admin, changes: .daemon, query: [.reason], statuses: [204, 200],
    example: CallExample(["game": "retired"]),
    "Lets a game go whose catalog's file was removed, 409 while it is there; its players, purchases and overrides are kept for when it comes again. 204, and 200 with what would go for a dry run."
  )
  package static let catalog = Call<NoBody, CatalogAnswer>(
    "catalog", .get, "/v1/games/{game}/catalog", on: both, "What a game's catalog declares: keys, themes, products, placements, gates.")
  package static let config = Call<NoBody, ConfigAnswer>(
    "config", .get, "/v1/games/{game}/config", on: both, query: [.player, .anyLocale, .play, .keys, .detail, .wait, .known],
    statuses: [200, 304], example: CallExample(query: ["player": "p1", "locale": "es"]), "Every value of a game at one revision.")
  package static let evaluateConfig = Call<EvaluateRequest?, ConfigAnswer>(
    "evaluateConfig", .post, "/v1/games/{game}/config", on: both, query: [.detail], "Every value of a game at one revision, for a context.")
  package static let value = Call<NoBody, ValueAnswer>(
    "value", .get, "/v1/games/{game}/config/{key}", on: both, query: [.player, .anyLocale, .play],
    example: CallExample(query: ["player": "p1"]), "One value and where it comes from.")
  package static let evaluateValue = Call<EvaluateRequest?, ValueAnswer>(
    "evaluateValue", .post, "/v1/games/{game}/config/{key}", on: both, "One value and where it comes from, for a context.")
  package static let explain = Call<NoBody, ExplainAnswer>(
    "explain", .get, "/v1/games/{game}/config/{key}/explain", on: admin, query: [.player, .anyLocale, .play],
    example: CallExample(query: ["player": "p1"]), "Every layer of a key in order: its value, applied or not, why, by whom, when.")
  package static let evaluateExplain = Call<EvaluateRequest?, ExplainAnswer>(
    "evaluateExplain", .post, "/v1/games/{game}/config/{key}/explain", on: admin, "Every layer of a key in order, for a context.")
  package static let simulate = Call<SimulateRequest, SimulateAnswer>(
    "simulate", .post, "/v1/games/{game}/config/{key}/simulate", on: admin, "How a key splits over many players.")

  package static let changes = Call<NoBody, ChangesAnswer>(
    "changes", .get, "/v1/games/{game}/changes", on: admin, query: [.allPlayers],
    "Everything of a game that is other than its catalog's file has it: overrides, clock, template, drop-ins; who did it, when, why and until when."
  )
  package static let playerChanges = Call<NoBody, ChangesAnswer>(
    "playerChanges", .get, "/v1/games/{game}/players/{player}/changes", on: admin,
    "Everything that people changed for a player and that still stands: overrides, clock, store, scores; who did it, when, why and until when."
  )
  package static let audit = Call<NoBody, AuditList>(
    "audit", .get, "/v1/games/{game}/audit", on: admin,
    query: auditQuery, "Who changed what, when, from what to what, why; newest first.")
  package static let auditAll = Call<NoBody, AuditList>(
    "auditAll", .get, "/v1/audit", on: admin, query: [QueryParameter("game", "Only changes of that game.")] + auditQuery,
    "Who changed what in any game, and of the daemon itself; newest first.")
  private static let auditQuery: [QueryParameter] = [
    .limit, .before, .key, .changedPlayer, .author, .session, .since, .until,
  ]
  package static let auditEntry = Call<NoBody, AuditEntry>(
    "auditEntry", .get, "/v1/games/{game}/audit/{id}", on: admin, "One line of the audit log.")
  package static let revert = Call<ReasonRequest?, RevertAnswer>(
    "revert", .post, "/v1/games/{game}/audit/{id}/revert", on: admin, needs: .testerForPlayer, changes: .game, query: [.force],
    "Takes a change back; 409 when it has changed since, unless forced.")
  package static let revertMany = Call<ReasonRequest?, RevertManyAnswer>(
    "revertMany", .post, "/v1/games/{game}/audit/revert", on: admin, needs: .tester, changes: .game,
    query: [.key, .changedPlayer, .author, .session, .since, .until], example: CallExample(query: ["author": "0"]),
    "Takes the changes of one user or one session back, the newest first, in one change; what cannot be taken back stays and is listed. Of the whole game only for admins."
  )
}
