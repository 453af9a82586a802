// The routes of the daemon's status and of catalog reloads.

internal import GameConfAPI
public import GameConfCore
internal import GameConfEngine
import GameConfStorage
package import GameConfServer
internal import Glibc
internal import Synchronization

/// Facts about the daemon for the status answer, such as its start time and settings. They do not change while the daemon runs.
public struct DaemonInfo: Sendable {
  /// The time at which the daemon began to serve.
  public var startedAt: Instant
  /// The daemon's settings as text, by name.
  public var settings: [(name: String, value: String)]
  package var limits: ServerLimits
  /// The warnings for an operator, such as an open games socket or a missing group.
  public var warnings: [String]
  /// The creator of the sockets: `bound` for the daemon itself, or `systemd`.
  public var socketOrigin: String
  /// True if every user of the host may use the games socket.
  public var gamesSocketIsOpen: Bool

  package init(
    startedAt: Instant, settings: [(name: String, value: String)], limits: ServerLimits, warnings: [String], socketOrigin: String,
    gamesSocketIsOpen: Bool
  ) {
    self.startedAt = startedAt
    self.settings = settings
    self.limits = limits
    self.warnings = warnings
    self.socketOrigin = socketOrigin
    self.gamesSocketIsOpen = gamesSocketIsOpen
  }
}

/// A reference to the HTTP server, which is nil until the server has started.
public final class RunningServer: Sendable {
  private let held = Mutex<HTTPServer<DaemonApp>?>(nil)

  /// Creates a reference without a server.
  public init() {}

  /// The HTTP server; nil before it has started.
  package var server: HTTPServer<DaemonApp>? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }
}

struct AdminRoutes {
  let services: DaemonServices
  /// The limits of other protocols, such as Firebase's, by name.
  let faceLimits: [(String, Value)]

  var routes: [CallRoute] {
    [
      CallRoute(Calls.status) { call in
        .task { () async throws(Problem) in
          var answer = await status(of: call.request.served.world)
          await UserNames.host.learn(call.role.uid)
          answer.caller = StatusCaller(uid: Int64(call.role.uid), name: UserNames.host.name(of: call.role.uid), roles: call.role.words)
          return .ok(answer)
        }
      },
      CallRoute(Calls.reload) { call throws(Problem) in
        let change = try call.change(about: nil, reason: call.body?.reason, now: services.clock.now)
        return .task { () async throws(Problem) in
          do throws(StoreError) {
            let outcomes = try await services.reload(
              now: change.now, because: .requested(change.author, reason: change.reason), isDryRun: change.isDryRun)
            if !change.isDryRun { await services.templateFiles.reread(now: change.now) }
            return .ok(ReloadAnswer(games: outcomes.map(\.wire), isDryRun: change.isDryRun))
          } catch { throw Problem(error) }
        }
      },
      CallRoute(Calls.forgetGame) { call throws(Problem) in
        let (game, change) = (call.path("game"), try call.change(about: nil, reason: nil, now: services.clock.now))
        return .task { () async throws(Problem) in
          do throws(ChangeRefusal) {
            let gone = try await services.reload.forget(game, change)
            if let words = gone.leftBehind {
              throw ChangeRefusal.store(
                .failed(
                  "\(game) is forgotten, but its accepted catalog could not be removed and is served again after the next start: \(words)"))
            }
            if !change.isDryRun { return .noContent(AnswerRevisions(game: gone.revision)) }
            return .ok(ForgottenGameAnswer(game: game, isKnown: gone.isKnown, overrides: Int64(gone.overrides), isDryRun: true))
          } catch { throw error.problem }
        }
      },
    ]
  }

  private func status(of world: World) async -> StatusAnswer {
    let now = services.clock.now
    let server = services.running.server
    let counters = await server?.counters()
    let facts = services.facts
    let health = services.store.health
    var warnings = facts.warnings + (await services.reload.warnings)
    var limits = DaemonLimits.wire(of: facts.limits, services.players.rates.limits, faces: faceLimits)
    for (name, value) in WatchLimits.wire + ImageLimits.wire + LiveLimits.wire { limits[name] = value }
    var store = StatusStore(state: health.word, detail: health.isGood ? nil : health.sentence, since: health.since)
    store.lastGoodAgeSeconds = health.lastGoodSavedAt.map { Double(now.milliseconds - $0.milliseconds) / 1000 }
    store.putAside = health.asidePath
    let damagedCopies = ((try? await services.administration.copies()) ?? []).filter { $0.kind == .damaged }.map(\.name)
    if !damagedCopies.isEmpty { store.copies = damagedCopies }
    store.unreadable = health.unreadable.map(\.wire)
    store.fleet = health.fleet?.wire
    warnings += health.unreadable.map(\.sentence)
    warnings += health.disregarded + (health.fleet?.warnings ?? [])
    warnings += world.games.flatMap(\.warnings)
    let degraded = services.health.degradations(in: world)
    return StatusAnswer(
      version: services.health.version, pid: Int64(getpid()), startedAt: facts.startedAt,
      clock: StatusClock(now: now, isFrozen: services.clock.isFrozen), games: world.games.map { game($0, degraded) },
      unserved: services.health.unserved(in: world),
      sockets: (server?.sockets ?? []).map { socket, name in
        StatusSocket(
          kind: socket.name, path: name, origin: facts.socketOrigin, connections: Int64(counters?.open[socket] ?? 0),
          isOpen: socket == .games && facts.gamesSocketIsOpen)
      },
      store: store, watchers: await services.watches.figures().wire, limits: limits,
      settings: ObjectValue(facts.settings.map { ($0.name, .string($0.value)) }), warnings: warnings, degraded: degraded)
  }

  private func game(_ game: GameSnapshot, _ degraded: [GameConfAPI.Degradation]) -> StatusGame {
    let counts = game.overrides.counts
    let caller = Caller(locales: game.catalog.locales, now: game.now(host: services.clock.now))
    let switches = game.table.entries.filter { $0.parameter.flag == .killSwitch }.compactMap { entry -> StatusKillSwitch? in
      guard let answer = game.table.resolve(entry.parameter.key, for: caller), let isOn = answer.value.boolValue else { return nil }
      return StatusKillSwitch(key: entry.parameter.key, isOn: isOn, source: answer.layer.rawValue)
    }
    var answer = StatusGame(
      game: game.game, title: game.catalog.title, revision: game.revision, degraded: degraded.filter { $0.game == game.game },
      keys: Int64(game.table.entries.count), overrides: Int64(counts.game), playerOverrides: Int64(counts.players),
      quarantined: Int64(counts.quarantined), killSwitches: switches)
    answer.dropIns = game.catalog.dropIns.map(\.file)
    answer.clock = game.movedClock(host: services.clock.now)
    answer.template = template(of: game)
    answer.refusedEvents = services.meters.refusedEvents(of: game.game)
    return answer
  }

  private func template(of game: GameSnapshot) -> StatusTemplate? {
    let file = game.catalog.source.file
    let source = services.templateSources[game.game]
    guard game.template != nil || file != nil || source != nil || game.scheduledTemplate?.scheduled != nil else { return nil }
    var status = StatusTemplate()
    status.version = game.template?.number
    status.since = game.template?.since
    status.ageSeconds = game.template.map { Double(max(0, services.clock.now.milliseconds - $0.since.milliseconds)) / 1000 }
    status.file = file
    status.source = source?.source
    status.fetchedAt = source?.at
    status.scheduled = game.scheduledTemplate?.scheduled
    status.scheduledAt = game.scheduledTemplate?.at
    let remarks = game.template?.template.remarks ?? []
    status.wrong =
      game.degraded.filter { $0.kind == .templateRefused }.flatMap(\.details)
      + remarks.map { $0.pointer.isEmpty ? $0.message : "\($0.pointer): \($0.message)" }
    return status
  }
}

extension ReloadOutcome {
  var wire: ReloadedGame {
    let outcome: ReloadedGame.Outcome =
      switch kind {
      case .unchanged: .unchanged
      case .changed: .changed
      case .degraded: .degraded
      case .refused: .refused
      }
    return ReloadedGame(game: game, outcome: outcome, revision: revision, faults: faults)
  }
}

extension StoreHealth {
  /// All words for the database's condition.
  static let words = ["good", "no_space", "read_only", "failing", "lost", "newer"]

  /// The database's condition as a word, for the status answer and for metrics.
  var word: String {
    switch condition {
    case .good: "good"
    case .noSpace: "no_space"
    case .readOnly: "read_only"
    case .failing: "failing"
    case .lost: isNewer ? "newer" : "lost"
    }
  }
}

/// All limits of the daemon by name, for the status answer.
enum DaemonLimits {
  static func wire(of server: ServerLimits, _ rates: WriteRateLimits, faces: [(String, Value)]) -> ObjectValue {
    let daemon: [(String, Value)] = [
      ("connections_max", .integer(Int64(server.connectionsMax))),
      ("connections_per_uid_max", .integer(Int64(server.connectionsPerUserMax))),
      ("connections_reserved", .integer(Int64(server.connectionsReserved))),
      (
        "connections_of_uids",
        .object(
          ObjectValue(server.connectionsOfUsers.sorted { $0.key < $1.key }.map { (String($0.key), .integer(Int64($0.value))) }))
      ),
      ("body_bytes_max", .integer(Int64(server.bodyBytesMax))),
      ("body_bytes_held_max", .integer(Int64(server.bodyBytesHeldMax))),
      ("body_bytes_held_per_uid_max", .integer(Int64(server.bodyBytesHeldPerUserMax))),
      ("body_bytes_on_loop_max", .integer(Int64(server.bodyBytesOnLoopMax))),
      ("answer_bytes_max", .integer(Int64(server.answerBytesMax))),
      ("answer_bytes_per_uid_max", .integer(Int64(server.answerBytesPerUserMax))),
      ("turn_microseconds_max", .integer(Int64(server.sliceMicroseconds))),
      ("turn_requests_max", .integer(Int64(server.sliceRequestsMax))),
      ("pass_microseconds_max", .integer(Int64(server.passMicroseconds))),
      ("handler_on_loop_microseconds_max", .integer(Int64(server.handlerMicroseconds))),
      ("handler_slow_calls_elsewhere_min", .integer(Int64(server.handlerCallsElsewhereMin))),
      ("handler_slow_calls_elsewhere_max", .integer(Int64(server.handlerCallsElsewhereMax))),
      ("handler_slow_soon_milliseconds", .integer(Int64(server.handlerSoonMilliseconds))),
      ("header_bytes_max", .integer(Int64(server.headerBytesMax))),
      ("request_line_bytes_max", .integer(Int64(server.requestLineBytesMax))),
      ("header_timeout_seconds", .integer(Int64(server.headerTimeoutSeconds))),
      ("body_timeout_seconds", .integer(Int64(server.bodyTimeoutSeconds))),
      ("idle_timeout_seconds", .integer(Int64(server.idleTimeoutSeconds))),
      ("write_timeout_seconds", .integer(Int64(server.writeTimeoutSeconds))),
      ("kept_answers_max", .integer(Int64(server.cachedAnswersMax))),
      ("kept_answer_bytes_max", .integer(Int64(server.cachedAnswerBytesMax))),
      ("kept_bytes_max", .integer(Int64(server.cachedBytesMax))),
      ("answer_body_bytes_max", .integer(Int64(Answer.bodyBytesMax))),
      ("full_keys_on_loop_max", .integer(Int64(FullConfig.keysOnLoopMax))),
      ("long_answers_at_once_max", .integer(Int64(SlicedWork.answersAtOnceMax))),
      ("keys_of_a_request_max", .integer(Int64(EvaluateRequest.keysMax))),
      ("json_depth_max", .integer(Int64(JSONLimits().depthMax))),
      ("value_bytes_max", .integer(Int64(ParameterAdmission.valueBytesMax))),
      ("clock_reset_players_max", .integer(Int64(PlayerService.clockResetPlayersMax))),
      ("catalogs_kept_max", .integer(Int64(StoreLimits.catalogsMax))),
      ("catalog_bytes_kept_max", .integer(Int64(StoreLimits.catalogBytesMax))),
      ("restore_bytes_max", .integer(Int64(StoreRoutes.restoreBytesMax))),
      ("store_copies_kept_max", .integer(Int64(StoreLimits.copiesMax))),
      ("parameters_max", .integer(Int64(CatalogCheck.parametersMax))),
      ("player_overrides_max", .integer(Int64(OverrideLimits.playerOverridesMax))),
      ("removed_override_revisions_max", .integer(Int64(StoreLimits.revisionsOfRemovedMax))),
      ("player_id_bytes_max", .integer(Int64(OverrideLimits.playerBytesMax))),
      ("reason_bytes_max", .integer(Int64(OverrideLimits.reasonBytesMax))),
      ("import_body_bytes_max", .integer(Int64(OverrideRoutes.importBytesMax))),
      ("player_import_bytes_max", .integer(Int64(PlayerRowsReader.bytesMax))),
      ("player_writes_per_second_max", .integer(Int64(rates.writesPerSecond))),
      ("new_players_per_minute_max", .integer(Int64(rates.unknownPlayersPerMinute))),
      ("player_mebibytes_per_day_max", .integer(Int64(rates.growthMebibytesPerDay))),
      ("remembered_answer_bytes_max", .integer(StoreLimits.repeatsBytesMax)),
      ("remembered_answer_bytes_per_uid_max", .integer(StoreLimits.repeatsBytesPerUserMax)),
      ("remembered_answer_body_bytes_max", .integer(Int64(StoreLimits.repeatBytesMax))),
      ("remembered_answer_seconds", .integer(StoreLimits.repeatsRetentionMilliseconds / 1000)),
      ("unreadable_rows_told_max", .integer(Int64(StoreLimits.unreadableRowsMax))),
      ("player_history_entries_max", .integer(Int64(PlayerLimits.historyEntriesMax))),
      ("player_events_linked_max", .integer(Int64(PlayerLimits.eventChainsMax))),
      ("player_event_counters_max", .integer(Int64(PlayerLimits.countersMax))),
      ("player_best_scores_max", .integer(Int64(PlayerLimits.bestScoresMax))),
      ("player_milestones_max", .integer(Int64(PlayerLimits.milestonesMax))),
      ("player_settings_max", .integer(Int64(PlayerLimits.settingsMax))),
      ("player_settings_bytes_max", .integer(Int64(PlayerLimits.settingsBytesMax))),
      ("player_placements_max", .integer(Int64(PlayerLimits.placementsMax))),
      ("player_ad_decisions_max", .integer(Int64(PlayerLimits.decisionsMax))),
      ("ad_report_seconds_max", .integer(PlayerLimits.reportSecondsMax)),
      ("placement_shows_max", .integer(Int64(PlayerLimits.showsMax))),
      ("request_ids_known_per_player_max", .integer(Int64(PlayerLimits.rememberedMax))),
      ("request_id_bytes_max", .integer(Int64(PlayerLimits.requestIDBytesMax))),
      ("queues_known_per_player_max", .integer(Int64(PlayerLimits.sequenceClientsMax))),
      ("queue_numbers_known_max", .integer(PlayerLimits.sequenceWindow)),
      ("listed_events_max", .integer(Int64(PlayerLimits.listedEventsMax))),
      ("context_bytes_max", .integer(Int64(PlayerLimits.contextBytesMax))),
      ("event_bytes_max", .integer(Int64(PlayerLimits.eventBytesMax))),
      ("event_late_seconds_max", .integer(PlayerLimits.lateSecondsMax)),
      ("event_ahead_seconds_max", .integer(PlayerLimits.aheadSecondsMax)),
      ("event_details_max", .integer(Int64(CatalogCheck.detailsMax))),
      ("bests_per_player_max", .integer(Int64(PlayerLimits.bestsMax))),
      ("best_detail_bytes_max", .integer(Int64(PlayerLimits.bestDetailBytesMax))),
      ("leaderboards_max", .integer(Int64(CatalogCheck.leaderboardsMax))),
      ("leaderboard_rows_max", .integer(Leaderboard.rowsMax)),
      ("leaderboard_lists_max", .integer(Int64(BoardLimits.listsMax))),
      ("leaderboard_exact_rank_max", .integer(Int64(BoardLimits.exactRankMax))),
      ("event_stream_kept_days", .integer(StoreLimits.linesRetentionMilliseconds / 86_400_000)),
      ("event_stream_lines_max", .integer(StoreLimits.linesMax)),
      ("event_stream_readers_max", .integer(Int64(StreamLimits.readersMax))),
      ("scenarios_max", .integer(Int64(ScenarioLimits.liveMax))),
      ("scenarios_per_uid_max", .integer(Int64(ScenarioLimits.livePerUserMax))),
      ("scenario_steps_max", .integer(Int64(ScenarioLimits.stepsMax))),
      ("scenario_players_max", .integer(Int64(ScenarioLimits.playersMax))),
      ("scenario_title_bytes_max", .integer(Int64(ScenarioLimits.titleBytesMax))),
      ("scenario_player_name_bytes_max", .integer(Int64(ScenarioLimits.playerNameBytesMax))),
      ("scenario_lease_seconds_max", .integer(ScenarioLimits.leaseSecondsMax)),
      ("scenario_seconds_max", .integer(ScenarioLimits.secondsMax)),
      ("open_plays_per_player_max", .integer(Int64(PlayLimits.openMax))),
      ("play_bytes_max", .integer(Int64(PlayLimits.pinnedBytesMax))),
      ("play_id_bytes_max", .integer(Int64(PlayLimits.idBytesMax))),
      ("play_state_bytes_max", .integer(Int64(PlayLimits.stateBytesMax))),
      ("closed_plays_kept", .integer(Int64(PlayLimits.closedMax))),
      ("closed_plays_kept_days", .integer(PlayLimits.retentionMilliseconds / 86_400_000)),
      ("play_bytes_per_player_max", .integer(PlayLimits.playerBytesMax)),
      ("play_bytes_per_uid_max", .integer(PlayLimits.userBytesMax)),
      ("watched_play_bytes_per_uid_max", .integer(Int64(WatchedPlayMemory.userBytesMax))),
      ("transactions_per_player_max", .integer(Int64(Ledger.transactionsMax))),
      ("renewals_per_purchase_max", .integer(Int64(Ledger.renewalsMax))),
      ("renewals_due_at_once_max", .integer(Int64(Ledger.dueMax))),
      ("transfer_partners_max", .integer(Int64(Ledger.partnersMax))),
      ("store_log_entries_max", .integer(Int64(Ledger.logEntriesMax))),
      ("gate_checks_max", .integer(Int64(CheckGates.questionsMax))),
      ("windows_per_key_max", .integer(Int64(KeyOverrides.windowsMax))),
      ("game_windows_max", .integer(Int64(OverrideLimits.gameWindowsMax))),
      ("reads_waiting_max", .integer(Int64(StoreLimits.readsWaitingMax))),
      ("import_rows_max", .integer(Int64(OverrideLimits.importRowsMax))),
      ("writes_waiting_max", .integer(Int64(StoreLimits.writesWaitingMax))),
      ("rule_depth_max", .integer(Int64(LogicLimits.depthMax))),
      ("rule_nodes_max", .integer(Int64(LogicLimits.nodesMax))),
      ("rule_steps_max", .integer(Int64(LogicLimits.evaluationStepsMax))),
      ("rule_text_bytes_max", .integer(Int64(LogicLimits.producedTextBytesMax))),
      ("rule_list_elements_max", .integer(Int64(LogicLimits.producedListCountMax))),
      ("request_rule_steps_max", .integer(Int64(LogicLimits.requestStepsMax))),
      ("loop_rule_steps_max", .integer(Int64(LogicLimits.loopStepsMax))),
      ("rules_of_a_parameter_max", .integer(Int64(LogicLimits.rulesMax))),
      ("fractional_buckets_max", .integer(Int64(LogicLimits.bucketsMax))),
      ("reference_depth_max", .integer(Int64(CatalogCheck.referenceDepthMax))),
      ("simulations_max", .integer(Int64(SimulationQuota.atOnceMax))),
      ("simulations_per_uid_max", .integer(Int64(SimulationQuota.perUserMax))),
      ("long_work_waiting_max", .integer(Int64(SlicedWork.waitingMax))),
      ("long_work_waiting_per_uid_max", .integer(Int64(SlicedWork.waitingPerUserMax))),
      ("template_diff_evaluations_max", .integer(TemplateImpactCount.evaluationsMax)),
      ("simulated_players_max", .integer(ExplainRoutes.playersMax)),
      ("template_bytes_max", .integer(Int64(TemplateLimits.documentBytesMax))),
      ("template_versions_max", .integer(Int64(TemplateLimits.versionsMax))),
      ("template_versions_bytes_max", .integer(Int64(TemplateLimits.bytesMax))),
    ]
    return ObjectValue(daemon + faces + [("simulation_seconds_max", .integer(ExplainRoutes.secondsMax))])
  }
}
