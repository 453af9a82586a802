// The daemon's state on one page.

public import GameConfCore

/// Answer of `GET /v1/status`.
public struct StatusAnswer: WireShape {
  /// The daemon's version.
  public var version: String
  /// The daemon's process.
  public var pid: Int64
  /// When it began to serve.
  public var startedAt: Instant
  /// What its clock shows.
  public var clock: StatusClock
  /// The games.
  public var games: [StatusGame]
  /// The sockets it answers on.
  public var sockets: [StatusSocket]
  /// The database.
  public var store: StatusStore?
  /// Every limit by name.
  public var limits: ObjectValue
  /// The daemon's own settings, by name.
  public var settings: ObjectValue
  /// What an operator should know: an open games socket, a hidden catalog that has more keys.
  public var warnings: [String]

  /// A state.
  public init(
    version: String, pid: Int64, startedAt: Instant, clock: StatusClock, games: [StatusGame], sockets: [StatusSocket],
    store: StatusStore? = nil, limits: ObjectValue = ObjectValue(), settings: ObjectValue = ObjectValue(), warnings: [String] = []
  ) {
    self.version = version
    self.pid = pid
    self.startedAt = startedAt
    self.clock = clock
    self.games = games
    self.sockets = sockets
    self.store = store
    self.limits = limits
    self.settings = settings
    self.warnings = warnings
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("version", .string(version)), ("pid", .integer(pid))]).with("started_at", .some(startedAt))
    object = object.with("clock", .some(clock)).with("games", games).with("sockets", sockets).with("store", store)
    object["limits"] = .object(limits)
    object["settings"] = .object(settings)
    return .object(object.with("warnings", warnings))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    version = try members.string("version")
    pid = try members.optionalInteger("pid") ?? 0
    startedAt = try members.instant("started_at")
    clock = try members.shape("clock")
    games = try members.shapes("games")
    sockets = try members.shapes("sockets")
    store = try members.optionalShape("store")
    limits = try members.object("limits")
    settings = try members.object("settings")
    warnings = try members.strings("warnings")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "The daemon's state on one page.",
      required: [
        "version": SchemaText.string, "started_at": SchemaText.instant, "clock": SchemaText.ref(StatusClock.self),
        "games": SchemaText.list(StatusGame.self), "sockets": SchemaText.list(StatusSocket.self), "limits": SchemaText.anyObject,
        "settings": SchemaText.anyObject,
      ],
      optional: [
        "pid": SchemaText.integer, "store": SchemaText.ref(StatusStore.self), "warnings": SchemaText.list(SchemaText.string),
      ])
  }
}

/// What the daemon's clock shows.
public struct StatusClock: WireShape {
  /// The time it goes by.
  public var now: Instant
  /// Whether it stands still, for tests.
  public var isFrozen: Bool

  /// A clock.
  public init(now: Instant, isFrozen: Bool) {
    self.now = now
    self.isFrozen = isFrozen
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue().with("now", .some(now)).with("frozen", .some(.bool(isFrozen)))) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    now = try members.instant("now")
    isFrozen = try members.flag("frozen")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object("The clock.", required: ["now": SchemaText.instant, "frozen": SchemaText.boolean])
  }
}

/// A kill switch, which status always shows.
public struct StatusKillSwitch: WireShape {
  /// Its key.
  public var key: String
  /// Whether the feature is on for the game.
  public var isOn: Bool
  /// The layer that says so.
  public var source: String

  /// A kill switch.
  public init(key: String, isOn: Bool, source: String) {
    self.key = key
    self.isOn = isOn
    self.source = source
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue([("key", .string(key)), ("value", .bool(isOn)), ("source", .string(source))])) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    key = try members.string("key")
    isOn = try members.flag("value")
    source = try members.optionalString("source") ?? "default"
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A kill switch.", required: ["key": SchemaText.string, "value": SchemaText.boolean, "source": SchemaText.string])
  }
}

/// A game's state.
public struct StatusGame: WireShape {
  /// The game.
  public var game: String
  /// Its name.
  public var title: String
  /// Its revision.
  public var revision: Int64
  /// What of it is not as it should be.
  public var degraded: [Degradation]
  /// How many parameters it has.
  public var keys: Int64
  /// How many overrides are set for the game, windows counted each.
  public var overrides: Int64
  /// How many overrides are set for players.
  public var playerOverrides: Int64
  /// How many overrides are in quarantine.
  public var quarantined: Int64
  /// Its kill switches.
  public var killSwitches: [StatusKillSwitch]

  /// A game.
  public init(
    game: String, title: String, revision: Int64, degraded: [Degradation] = [], keys: Int64, overrides: Int64 = 0,
    playerOverrides: Int64 = 0, quarantined: Int64 = 0, killSwitches: [StatusKillSwitch] = []
  ) {
    self.game = game
    self.title = title
    self.revision = revision
    self.degraded = degraded
    self.keys = keys
    self.overrides = overrides
    self.playerOverrides = playerOverrides
    self.quarantined = quarantined
    self.killSwitches = killSwitches
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game)), ("title", .string(title)), ("revision", .integer(revision))]).with("degraded", degraded)
        .with("keys", .some(keys)).with("overrides", .some(overrides)).with("player_overrides", .some(playerOverrides))
        .with("quarantined", .some(quarantined)).with("kill_switches", killSwitches))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    title = try members.string("title")
    revision = try members.integer("revision")
    degraded = try members.shapes("degraded")
    keys = try members.optionalInteger("keys") ?? 0
    overrides = try members.optionalInteger("overrides") ?? 0
    playerOverrides = try members.optionalInteger("player_overrides") ?? 0
    quarantined = try members.optionalInteger("quarantined") ?? 0
    killSwitches = try members.shapes("kill_switches")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A game's state.",
      required: ["game": SchemaText.string, "title": SchemaText.string, "revision": SchemaText.integer, "keys": SchemaText.integer],
      optional: [
        "degraded": SchemaText.list(Degradation.self), "overrides": SchemaText.integer, "player_overrides": SchemaText.integer,
        "quarantined": SchemaText.integer, "kill_switches": SchemaText.list(StatusKillSwitch.self),
      ])
  }
}

/// A socket's state.
public struct StatusSocket: WireShape {
  /// `games`, `admin` or `metrics`.
  public var kind: String
  /// Its path, or address and port.
  public var path: String
  /// Whether systemd or the daemon bound it: `systemd`, `bound`.
  public var origin: String
  /// How many clients are connected.
  public var connections: Int64
  /// Whether every user of the host may connect.
  public var isOpen: Bool

  /// A socket.
  public init(kind: String, path: String, origin: String, connections: Int64, isOpen: Bool = false) {
    self.kind = kind
    self.path = path
    self.origin = origin
    self.connections = connections
    self.isOpen = isOpen
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([
        ("kind", .string(kind)), ("path", .string(path)), ("origin", .string(origin)), ("connections", .integer(connections)),
        ("open", .bool(isOpen)),
      ]))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    kind = try members.string("kind")
    path = try members.string("path")
    origin = try members.optionalString("origin") ?? ""
    connections = try members.optionalInteger("connections") ?? 0
    isOpen = try members.flag("open")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A socket.", required: ["kind": SchemaText.words(SocketKind.self), "path": SchemaText.string],
      optional: ["origin": SchemaText.string, "connections": SchemaText.integer, "open": SchemaText.boolean])
  }
}

/// The database's state.
public struct StatusStore: WireShape {
  /// `ok`, `read_only`, `no_space`, `damaged`, `none`.
  public var state: String
  /// What it means and what to do, when it is not `ok`.
  public var detail: String?
  /// Since when.
  public var since: Instant?
  /// The database's file.
  public var path: String?
  /// How old `last-good.json` is, in seconds.
  public var lastGoodAgeSeconds: Double?
  /// Where a damaged database was put.
  public var putAside: String?

  /// A store.
  public init(
    state: String, detail: String? = nil, since: Instant? = nil, path: String? = nil, lastGoodAgeSeconds: Double? = nil,
    putAside: String? = nil
  ) {
    self.state = state
    self.detail = detail
    self.since = since
    self.path = path
    self.lastGoodAgeSeconds = lastGoodAgeSeconds
    self.putAside = putAside
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("state", .string(state))]).with("detail", detail).with("since", since).with("path", path)
        .with("last_good_age_seconds", lastGoodAgeSeconds.map(Value.double)).with("put_aside", putAside))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    state = try members.string("state")
    detail = try members.optionalString("detail")
    since = try members.optionalInstant("since")
    path = try members.optionalString("path")
    lastGoodAgeSeconds = members.optional("last_good_age_seconds") == nil ? nil : try members.double("last_good_age_seconds")
    putAside = try members.optionalString("put_aside")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "The database.", required: ["state": SchemaText.string],
      optional: [
        "detail": SchemaText.string, "since": SchemaText.instant, "path": SchemaText.string,
        "last_good_age_seconds": SchemaText.number, "put_aside": SchemaText.string,
      ])
  }
}
