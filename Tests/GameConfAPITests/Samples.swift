// One full and one bare instance of every request and answer.

import GameConfAPI
import GameConfCore

func members(_ object: Value) -> ObjectValue { object.object }

enum Samples {
  static let author = WireAuthor(uid: 1000, name: "ada", pid: 4242)
  static let window = WireWindow(id: "w1", from: Instant(seconds: 100), until: Instant(seconds: 200))
  static let value = ValueAnswer(
    key: "k", type: "double", value: 3.5, source: "override.game", reason: "STATIC", variant: "v", revision: 7, metadata: members(["a": 1]),
    nextChangeAt: Instant(seconds: 9), isTimeDependent: true, degraded: ["setting"], isMasked: true,
    declaration: .init(unit: "s", section: "Tuning", description: "What it is.", flag: "ops", isPlayerSetting: true))
  static let override = WireOverride(
    key: "k", player: "p", value: [1, 2.0], window: window, author: author, at: Instant(seconds: 5), reason: "why", revision: 7,
    quarantined: "out of range")
  static let entry = AuditEntry(
    id: 9, at: Instant(seconds: 5), author: author, action: "override.set", game: "g", key: "k", player: "p", window: "w1", before: 1,
    after: 2, detail: members(["placement": "game_over"]), reason: "why", revision: 8, revertedBy: 10, reverts: 3)
  static let degradation = Degradation(game: "g", what: "catalog", since: Instant(seconds: 3), detail: "g.yaml:1:1: empty")

  static let all: [any WireShape] =
    PlayerSamples.all + [
      Problem(
        .overlap, "Another window is there.", pointer: "/from", errors: [.init(.overlap, "d", pointer: "/x")], retryAfterSeconds: 3,
        extensions: members(["window": "w2"])),
      Problem(.unknownKey, "No such key."),
      HealthAnswer(status: .degraded, degraded: [degradation]), HealthAnswer(status: .live),
      GamesAnswer(games: [GameSummary(game: "g", title: "G", revision: 7, degraded: [degradation])]), GamesAnswer(games: []),
      value, ValueAnswer(key: "k", type: "string", value: "x", source: "default", reason: "STATIC", revision: 1),
      ConfigAnswer(game: "g", revision: 7, values: .bare(members(["a": 1, "b": 18.0])), degraded: ["setting"]),
      EvaluateRequest(player: "p", context: members(["locale": "fr"]), play: "x", keys: ["a", "b"]), EvaluateRequest(),
      ReasonRequest(reason: "why"), ReasonRequest(),
      PutOverride(value: 3.5, reason: "why", from: Instant(seconds: 1), until: Instant(seconds: 2)), PutOverride(value: nil),
      override, OverrideAnswer(game: "g", revision: 7, playerRevision: 3, isDryRun: true, override: override),
      OverrideList(game: "g", revision: 7, overrides: [override]), ClearAnswer(game: "g", revision: 7, cleared: 3, isDryRun: true),
      ClearRequest(scope: .player, player: "p", reason: "why"), ClearRequest(scope: .all),
      ImportRequest(
        mode: .replace,
        overrides: [ImportRow(key: "k", player: "p", value: 1, from: Instant(seconds: 1), until: Instant(seconds: 2), reason: "why")],
        reason: "all"),
      ImportAnswer(game: "g", revision: 7, imported: 3, removed: 1, isDryRun: true),
      entry, AuditEntry(id: 1, at: Instant(seconds: 1), author: WireAuthor(uid: nil, name: "gameconfd"), action: "catalog.accept"),
      AuditList(entries: [entry], nextBefore: 9), RevertAnswer(revision: 8, entry: entry, isDryRun: true),
      ExplainAnswer(
        game: "g", answer: value, player: "p", context: members(["platform": "ios"]),
        layers: [
          ExplainedLayer(
            layer: "override.game", value: 3.5, isApplied: true, why: "it is set", author: author, at: Instant(seconds: 5), reason: "why",
            window: window, rules: [1]),
          ExplainedLayer(layer: "default", isApplied: false, why: "a layer above has a value"),
        ]),
      SimulateRequest(players: 10, prefix: "x", context: members(["a": 1])),
      SimulateAnswer(
        game: "g", key: "k", players: 10,
        shares: [SimulatedShare(value: true, source: "default", reason: "SPLIT", variant: "v", players: 4)]),
      StatusAnswer(
        version: "1.0.0", pid: 1, startedAt: Instant(seconds: 1), clock: StatusClock(now: Instant(seconds: 2), isFrozen: true),
        games: [
          StatusGame(
            game: "g", title: "G", revision: 7, degraded: [degradation], keys: 3, overrides: 1, playerOverrides: 2, quarantined: 1,
            killSwitches: [StatusKillSwitch(key: "k", isOn: false, source: "override.game")])
        ],
        sockets: [StatusSocket(kind: "games", path: "/run/g", origin: "systemd", connections: 3, isOpen: true)],
        store: StatusStore(
          state: "damaged", detail: "d", since: Instant(seconds: 1), lastGoodAgeSeconds: 0.5, putAside: "/var/x",
          copies: ["gameconfd.db.damaged-x"]),
        limits: members(["body_bytes": 1]), settings: members(["loops": 1]), warnings: ["open"]),
      ReloadAnswer(games: [ReloadedGame(game: "g", outcome: .degraded, revision: 7, faults: ["g.yaml:1:1: empty"])], isDryRun: true),
      StoreCopiesAnswer(copies: [
        WireStoreCopy(name: "gameconfd.db.damaged-x", kind: "damaged", at: Instant(seconds: 1), bytes: 4096, path: "/var/x")
      ]), WireStoreCopy(name: "n", kind: "replaced", at: nil, bytes: 0, path: "/var/n"),
      StoreCheckAnswer(isWhole: false, faults: ["x"]),
      StatusFleet(
        database: "d", schema: "s", hosts: [StatusHost(name: "one", seenAt: Instant(seconds: 1), version: "1.0", aheadMilliseconds: -3)]),
      StatusHost(name: "one", seenAt: Instant(seconds: 1), version: "1.0", aheadMilliseconds: -3),
      StoreRestoreAnswer(games: [GameSummary(game: "g", title: "G", revision: 7)], putAside: "/var/x", isDryRun: true),
      ExportAnswer(
        game: "g", revision: 7, exportedAt: Instant(seconds: 5),
        overrides: [
          WireOverride(
            key: "k", value: 1, window: WireWindow(id: nil, from: Instant(seconds: 1), until: Instant(seconds: 2)),
            author: WireAuthor(uid: nil, name: "ada"), at: Instant(seconds: 5), revision: 0)
        ]),
    ]
}

extension Value {
  /// The members of the value as an object; empty if it is not an object.
  var object: ObjectValue { objectValue ?? ObjectValue() }
}
