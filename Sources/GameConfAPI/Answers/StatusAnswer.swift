// The daemon's state on one page.

package import GameConfCore

/// Answer of `GET /v1/status`: the daemon's state, with its games, sockets, database, watchers, limits and settings.
public struct StatusAnswer: WireObject {
  package var version = ""
  package var pid: Int64 = 0
  package var startedAt = Instant.unread
  package var clock = StatusClock()
  package var games: [StatusGame] = []
  package var unserved: [UnservedGameAnswer] = []
  package var sockets: [StatusSocket] = []
  package var store: StatusStore?
  package var watchers: StatusWatchers?
  package var limits = ObjectValue()
  package var settings = ObjectValue()
  package var warnings: [String] = []
  package var caller: StatusCaller?
  package var degraded: [Degradation] = []

  package init() {}

  package init(
    version: String, pid: Int64, startedAt: Instant, clock: StatusClock, games: [StatusGame],
    unserved: [UnservedGameAnswer] = [], sockets: [StatusSocket], store: StatusStore? = nil, watchers: StatusWatchers? = nil,
    limits: ObjectValue = ObjectValue(), settings: ObjectValue = ObjectValue(),
    warnings: [String] = [], degraded: [Degradation] = []
  ) {
    self.version = version
    self.pid = pid
    self.startedAt = startedAt
    self.clock = clock
    self.games = games
    self.unserved = unserved
    self.sockets = sockets
    self.store = store
    self.watchers = watchers
    self.limits = limits
    self.settings = settings
    self.warnings = warnings
    self.degraded = degraded
  }

  package static var about: String { "The daemon's state on one page." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("version", &version, "The daemon's version.")
    fields.usual("pid", &pid, "The daemon's process.")
    fields.required("started_at", &startedAt, "The time at which it began to serve.")
    fields.required("clock", &clock, "The daemon's clock.")
    fields.required("games", &games, "The games.")
    fields.whenSet("unserved", &unserved, "The games that have a catalog and are not served.")
    fields.required("sockets", &sockets, "The daemon's sockets.")
    fields.optional("store", &store, "The database.")
    fields.optional("watchers", &watchers, "The watchers: clients that receive changes as they happen.")
    fields.required("limits", &limits, "Every limit by name.")
    fields.required("settings", &settings, "The daemon's own settings, by name.")
    fields.usual("warnings", &warnings, "Warnings for the operator: an open games socket, a hidden catalog that has more keys.")
    fields.optional("caller", &caller, "The caller.")
    fields.whenSet("degraded", &degraded, "All that is degraded now: the same list that health answers.")
  }
}

/// The user who requested the status, and the user's roles.
public struct StatusCaller: WireObject {
  package var uid: Int64 = 0
  package var name = ""
  package var roles: [String] = []

  package init() {}

  package init(uid: Int64, name: String, roles: [String]) {
    self.uid = uid
    self.name = name
    self.roles = roles
  }

  package static var about: String { "The caller." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("uid", &uid, "The user's uid.")
    fields.required("name", &name, "The user's name; the uid if the user has no name.")
    fields.required("roles", &roles, "The user's roles: admin, tester, publisher; empty if the user may only read.")
  }
}

/// The time on the daemon's clock, which tests may freeze.
public struct StatusClock: WireObject {
  package var now = Instant.unread
  package var isFrozen = false

  package init() {}

  package init(now: Instant, isFrozen: Bool) {
    self.now = now
    self.isFrozen = isFrozen
  }

  package static var about: String { "The clock." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("now", &now, "The time.")
    fields.required("frozen", &isFrozen, "True if it is frozen, for tests.")
  }
}

/// A game's simulated clock that differs from the host's time.
public struct MovedClock: WireObject {
  package var now = Instant.unread
  package var rate: Double = 1
  package var offsetMilliseconds: Int64 = 0

  package init() {}

  package init(now: Instant, rate: Double, offsetMilliseconds: Int64) {
    self.now = now
    self.rate = rate
    self.offsetMilliseconds = offsetMilliseconds
  }

  package static var about: String { "A game's simulated clock that does not show the host's time." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("now", &now, "The simulated time.")
    fields.required("rate", &rate, "Simulated seconds for each second of the host.")
    fields.required(
      "offset_milliseconds", &offsetMilliseconds, "Milliseconds by which it is ahead of the host's clock now; negative if behind.")
  }
}

/// A kill switch of a game. The status always shows it.
public struct StatusKillSwitch: WireObject {
  package var key = ""
  package var isOn = false
  package var source = ""

  package init() {}

  package init(key: String, isOn: Bool, source: String) {
    self.key = key
    self.isOn = isOn
    self.source = source
  }

  package static var about: String { "A kill switch." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("key", &key, "Its key.")
    fields.required("value", &isOn, "True if the feature is on for the game.")
    fields.required("source", &source, "The layer that gives the value.")
  }
}

/// The state of a served game: its revision, the number of its keys and of its overrides, and its faults.
public struct StatusGame: WireObject {
  package var game = ""
  package var title = ""
  package var revision: Int64 = 0
  package var degraded: [Degradation] = []
  package var keys: Int64 = 0
  package var overrides: Int64 = 0
  package var playerOverrides: Int64 = 0
  package var quarantined: Int64 = 0
  package var killSwitches: [StatusKillSwitch] = []
  package var dropIns: [String] = []
  package var clock: MovedClock?
  package var template: StatusTemplate?
  package var refusedEvents: [String: Int64] = [:]

  package init() {}

  package init(
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

  package static var about: String { "A game's state." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("title", &title, "Its name.")
    fields.required("revision", &revision, "Its revision.")
    fields.usual("degraded", &degraded, "The game's problems.")
    fields.required("keys", &keys, "The number of parameters.")
    fields.usual("overrides", &overrides, "The number of overrides for the game; each window counts.")
    fields.usual("player_overrides", &playerOverrides, "The number of overrides for players.")
    fields.usual("quarantined", &quarantined, "The number of overrides in quarantine.")
    fields.usual("kill_switches", &killSwitches, "Its kill switches.")
    fields.whenSet("drop_ins", &dropIns, "The drop-ins that change its catalog.")
    fields.optional("clock", &clock, "The simulated clock; absent while it shows the host's time.")
    fields.optional("template", &template, "The template; absent if no version is active or scheduled.")
    fields.whenSet(
      "refused_events", &refusedEvents, "The number of events refused since the start, by EVENT.CHECK or the problem's code.")
  }
}

/// The state of one listening socket: its path, its creator (systemd or the daemon), and its connections.
public struct StatusSocket: WireObject {
  package var kind = ""
  package var path = ""
  package var origin = ""
  package var connections: Int64 = 0
  package var isOpen = false

  package init() {}

  package init(kind: String, path: String, origin: String, connections: Int64, isOpen: Bool = false) {
    self.kind = kind
    self.path = path
    self.origin = origin
    self.connections = connections
    self.isOpen = isOpen
  }

  package static var about: String { "A socket." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("kind", &kind, "The socket: games, admin or metrics.", .words(SocketKind.self))
    fields.required("path", &path, "Its path, or address and port.")
    fields.usual("origin", &origin, "The binder: “systemd”, or “bound” if the daemon bound it.")
    fields.usual("connections", &connections, "The number of connected clients.")
    fields.usual("open", &isOpen, "True if every user of the host may connect.")
  }
}

/// The number of connected watchers of each kind. A watcher is notified of changes as they happen.
public struct StatusWatchers: WireObject {
  package var count: Int64 = 0
  package var streams: Int64 = 0
  package var imageStreams: Int64 = 0
  package var calls: Int64 = 0
  package var admins: Int64 = 0
  package var byUID = ObjectValue()
  package var bytesWaiting: Int64 = 0
  package var fanOutLastMilliseconds: Double?
  package var fanOutMedianMilliseconds: Double?
  package var fanOutP99Milliseconds: Double?
  package var timeDependent: Int64 = 0
  package var lookSeconds: Int64 = 1
  package var lookedAtLess: [String] = []

  package init() {}

  package static var about: String { "The watchers: clients that receive changes as they happen." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("count", &count, "The number of watchers.")
    fields.usual("streams", &streams, "The number of watchers that read server-sent events.")
    fields.usual("image_streams", &imageStreams, "The number of watchers that read frames of images.")
    fields.usual("calls", &calls, "The number of calls that wait for one change.")
    fields.usual("admins", &admins, "The number of watchers of the whole daemon.")
    fields.usual("by_uid", &byUID, "The number of watchers by uid.")
    fields.usual("bytes_waiting", &bytesWaiting, "Bytes that the watchers have not read yet.")
    fields.optional(
      "fan_out_last_milliseconds", &fanOutLastMilliseconds,
      "Milliseconds from the newest change until every watcher concerned was notified.")
    fields.optional("fan_out_median_milliseconds", &fanOutMedianMilliseconds, "The median of the newest 256 such times.")
    fields.optional("fan_out_p99_milliseconds", &fanOutP99Milliseconds, "The 99th percentile of those times.")
    fields.usual("time_dependent", &timeDependent, "The number of watchers with time-dependent keys, which are evaluated again and again.")
    fields.usual("look_seconds", &lookSeconds, "Seconds between two evaluations of such a key; 1 unless there are too many.")
    fields.usual("looked_at_less_often", &lookedAtLess, "Keys that are evaluated less often than each second, as game/key; at most 100.")
  }
}

/// The state of the database, with the damaged copies in its folder and the rows that cannot be read.
public struct StatusStore: WireObject {
  package var state = ""
  package var detail: String?
  package var since: Instant?
  package var lastGoodAgeSeconds: Double?
  package var putAside: String?
  package var copies: [String]?
  package var unreadable: [StatusUnreadableRow] = []
  package var fleet: StatusFleet?

  package init() {}

  package init(
    state: String, detail: String? = nil, since: Instant? = nil, lastGoodAgeSeconds: Double? = nil, putAside: String? = nil,
    copies: [String]? = nil
  ) {
    self.state = state
    self.detail = detail
    self.since = since
    self.lastGoodAgeSeconds = lastGoodAgeSeconds
    self.putAside = putAside
    self.copies = copies
  }

  package static var about: String { "The database." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("state", &state, "The state: good, no_space, read_only, failing or lost.")
    fields.optional("detail", &detail, "The meaning and what to do; absent if the state is good.")
    fields.optional("since", &since, "The time at which it began.")
    fields.optional("last_good_age_seconds", &lastGoodAgeSeconds, "The age of last-good.json in seconds.")
    fields.optional("put_aside", &putAside, "The path to which a damaged database was moved.")
    fields.optional("copies", &copies, "The damaged databases that are still on disk, by name.")
    fields.usual("unreadable", &unreadable, "Unreadable rows that were found; only calls that need them are refused.")
    fields.optional("fleet", &fleet, "The PostgreSQL database and the hosts that share it; absent for SQLite.")
  }
}

/// A database row that cannot be decoded, with its kind, its game and player, and the fault.
public struct StatusUnreadableRow: WireObject {
  package var kind = ""
  package var game: String?
  package var player: String?
  package var name: String?
  package var detail = ""

  package init() {}

  package init(kind: String, game: String? = nil, player: String? = nil, name: String? = nil, detail: String) {
    self.kind = kind
    self.game = game
    self.player = player
    self.name = name
    self.detail = detail
  }

  package static var about: String { "A row of the database that this version cannot read." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("kind", &kind, "The kind: player, marks, ledger, line, play, override, audit, answer, template or clock.")
    fields.optional("game", &game, "The game.")
    fields.optional("player", &player, "The player.", .playersText)
    fields.optional("name", &name, "The name within its kind: a line's number, an override's key.")
    fields.required("detail", &detail, "The fault.", .playersText)
  }
}
