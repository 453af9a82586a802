// Every call there is, in the order of the documentation.

/// Every call of the contract.
public enum Endpoints {
  /// Every call that is served. The server's routes and the OpenAPI document are held against this list.
  public static let all: [Endpoint] =
    [
      healthLive, healthReady, openAPI, games, catalog, config, evaluateConfig, value, evaluateValue, explain, evaluateExplain, simulate,
    ] + watchCalls + ofrepCalls + overrideCalls + playerCalls + storeSimulatorCalls + [
      audit, auditEntry, revert, status, metrics, reload, storeCheck, storeBackup, storeRestore, storeCopies, storeCopyRemove,
    ]

  static let both: Set<SocketKind> = [.games, .admin]
  static let everywhere: Set<SocketKind> = [.games, .admin, .metrics]
  static let admin: Set<SocketKind> = [.admin]

  /// Whether the process answers.
  public static let healthLive = Endpoint(
    "healthLive", .get, "/health/live", on: everywhere, answer: .json(HealthAnswer.self), summary: "Whether the daemon answers.")
  /// Whether the accepted games are served.
  public static let healthReady = Endpoint(
    "healthReady", .get, "/health/ready", on: everywhere, query: [Query.strict], answer: .json(HealthAnswer.self),
    summary: "Whether the accepted games are served, and what is degraded.")
  /// The OpenAPI document.
  public static let openAPI = Endpoint(
    "openAPI", .get, "/openapi.json", on: both, answer: .json(OpenAPIAnswer.self), summary: "This document.")
  /// The daemon's state.
  public static let status = Endpoint(
    "status", .get, "/v1/status", on: admin, answer: .json(StatusAnswer.self), summary: "The daemon's state on one page, limits included.")
  /// What the daemon measures.
  public static let metrics = Endpoint(
    "metrics", .get, "/metrics", on: [.admin, .metrics], answer: .bytes(mediaType: "text/plain; version=0.0.4"),
    summary: "What the daemon measures, in Prometheus' text format.")
  /// Reads the catalogs again.
  public static let reload = Endpoint(
    "reload", .post, "/v1/reload", on: admin, query: [Query.dryRun], request: .json(ReasonRequest.self, required: false),
    answer: .json(ReloadAnswer.self), summary: "Reads the catalogs again and answers when they are in force, or why not.")
  /// Looks at the whole database.
  public static let storeCheck = Endpoint(
    "storeCheck", .post, "/v1/store/check", on: admin, answer: .json(StoreCheckAnswer.self), summary: "Checks the whole database.")
  /// The database's bytes.
  public static let storeBackup = Endpoint(
    "storeBackup", .get, "/v1/store/backup", on: admin, answer: .bytes(mediaType: "application/vnd.sqlite3"),
    summary: "A consistent copy of the database.")
  /// Puts a backup in the database's place.
  public static let storeRestore = Endpoint(
    "storeRestore", .post, "/v1/store/restore", on: admin,
    query: [
      Query.dryRun, Query.reason,
      .init("rebuild", "true makes a database of last-good.json in place of a lost one; there is no body then."),
      .init("log_bytes", "How many bytes at the end of the body are the database's write-ahead log."),
    ],
    request: .bytes(mediaType: "application/vnd.sqlite3"), answer: .json(StoreRestoreAnswer.self),
    summary: "Puts a backup in the place of the database, after it was checked; the one before is put aside.")
  /// The databases beside the one in use.
  public static let storeCopies = Endpoint(
    "storeCopies", .get, "/v1/store/copies", on: admin, answer: .json(StoreCopiesAnswer.self),
    summary: "The databases that lie beside the one in use: damaged ones, and what restores have replaced.")
  /// Removes one of them.
  public static let storeCopyRemove = Endpoint(
    "storeCopyRemove", .delete, "/v1/store/copies/{name}", on: admin, query: [Query.dryRun], answer: .json(StoreCopiesAnswer.self),
    statuses: [204, 200],
    summary: "Removes a database that lies beside the one in use; 204, and 200 with what would go for a dry run.")

  /// The games.
  public static let games = Endpoint(
    "games", .get, "/v1/games", on: both, answer: .json(GamesAnswer.self), summary: "The games that are served.")
  /// What a game's catalog declares.
  public static let catalog = Endpoint(
    "catalog", .get, "/v1/games/{game}/catalog", on: both, answer: .json(CatalogAnswer.self),
    summary: "What a game's catalog declares: keys, themes, products, placements, gates.")
  /// Every value of a game.
  public static let config = Endpoint(
    "config", .get, "/v1/games/{game}/config", on: both,
    query: [
      Query.player, Query.locale, Query.play, Query.keys, Query.detail,
      .init("wait", "With after: waits so many seconds, 1 to 60, until something has changed; 304 when nothing has."),
      .init("after", "The Gameconf-Id of the answer that is known."),
    ], answer: .json(ConfigAnswer.self), statuses: [200, 304], summary: "Every value of a game at one revision.")
  /// Every value of a game, for a context.
  public static let evaluateConfig = Endpoint(
    "evaluateConfig", .post, "/v1/games/{game}/config", on: both, query: [Query.detail], request: .json(EvaluateRequest.self),
    answer: .json(ConfigAnswer.self), summary: "Every value of a game at one revision, for a context.")
  /// One value.
  public static let value = Endpoint(
    "value", .get, "/v1/games/{game}/config/{key}", on: both, query: [Query.player, Query.locale, Query.play],
    answer: .json(ValueAnswer.self), summary: "One value and where it comes from.")
  /// One value, for a context.
  public static let evaluateValue = Endpoint(
    "evaluateValue", .post, "/v1/games/{game}/config/{key}", on: both, request: .json(EvaluateRequest.self),
    answer: .json(ValueAnswer.self), summary: "One value and where it comes from, for a context.")
  /// Why a key has its value.
  public static let explain = Endpoint(
    "explain", .get, "/v1/games/{game}/config/{key}/explain", on: admin, query: [Query.player, Query.locale, Query.play],
    answer: .json(ExplainAnswer.self), summary: "Every layer of a key in order: its value, applied or not, why, by whom, when.")
  /// Why a key has its value, for a context.
  public static let evaluateExplain = Endpoint(
    "evaluateExplain", .post, "/v1/games/{game}/config/{key}/explain", on: admin, request: .json(EvaluateRequest.self),
    answer: .json(ExplainAnswer.self), summary: "Every layer of a key in order, for a context.")
  /// How a key splits over many players.
  public static let simulate = Endpoint(
    "simulate", .post, "/v1/games/{game}/config/{key}/simulate", on: admin, request: .json(SimulateRequest.self),
    answer: .json(SimulateAnswer.self), summary: "How a key splits over many players.")

  /// The audit log of a game.
  public static let audit = Endpoint(
    "audit", .get, "/v1/games/{game}/audit", on: admin,
    query: [
      Query.limit, Query.before, .init("key", "Only changes of that key."), .init("player", "Only changes for that player."),
      .init("author", "Only changes by that user: a name or a uid."),
    ],
    answer: .json(AuditList.self), summary: "Who changed what, when, from what to what, why; newest first.")
  /// One line of the audit log.
  public static let auditEntry = Endpoint(
    "auditEntry", .get, "/v1/games/{game}/audit/{id}", on: admin, answer: .json(AuditEntry.self), summary: "One line of the audit log.")
  /// Takes a change back.
  public static let revert = Endpoint(
    "revert", .post, "/v1/games/{game}/audit/{id}/revert", on: admin, query: [Query.dryRun, Query.force],
    request: .json(ReasonRequest.self, required: false), answer: .json(RevertAnswer.self),
    summary: "Takes a change back; 409 when it has changed since, unless forced.")
}

/// The query parameters that several calls share.
enum Query {
  static let player = Endpoint.QueryParameter("player", "The player's id, 1 to 256 bytes of UTF-8 without control characters.")
  static let locale = Endpoint.QueryParameter("locale", "The BCP 47 tag that texts are wanted in.")
  static let play = Endpoint.QueryParameter("play", "The play whose pinned values are wanted.")
  static let keys = Endpoint.QueryParameter("keys", "Only these keys, separated by commas, each named once.")
  static let detail = Endpoint.QueryParameter("detail", "full adds type, source, reason, variant and the declaration of each key.")
  static let strict = Endpoint.QueryParameter("strict", "true answers 503 when anything is degraded.")
  static let dryRun = Endpoint.QueryParameter("dry_run", "true checks everything and changes nothing.")
  static let force = Endpoint.QueryParameter("force", "true does it although it has changed since.")
  static let reason = Endpoint.QueryParameter("reason", "Why, for the audit log.")
  static let window = Endpoint.QueryParameter("window", "Only the window of that id.")
  static let limit = Endpoint.QueryParameter("limit", "At most so many, 1 to 1000; 50 unless said.")
  static let before = Endpoint.QueryParameter("before", "Only entries older than that id.")
}
