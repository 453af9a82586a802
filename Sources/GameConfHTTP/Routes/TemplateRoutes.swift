// The routes that push, show, activate and roll back a game's template.

package import GameConfAPI
internal import GameConfCore
package import GameConfEngine
import GameConfStorage

struct TemplateRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.template) { call throws(Problem) in try show(call) },
      CallRoute(Calls.putTemplate, bodyBytesMax: TemplateLimits.documentBytesMax) { call throws(Problem) in
        try put(call)
      },
      CallRoute(Calls.templateVersions) { call throws(Problem) in try versions(call) },
      CallRoute(Calls.templateVersion) { call throws(Problem) in try version(call) },
      CallRoute(Calls.activateTemplate) { call throws(Problem) in try activate(call) },
      CallRoute(Calls.rollbackTemplate) { call throws(Problem) in try rollback(call) },
      CallRoute(Calls.fetchTemplate) { call throws(Problem) in try fetch(call) },
      CallRoute(Calls.putTemplateSource) { call throws(Problem) in try report(call) },
    ]
  }

  private func show(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<TemplateDocument> {
    let game = try call.game.snapshot
    guard let template = game.template else { throw Problem(.unknownID, "There is no template in force in \(game.game).") }
    try services.admit(call.role, to: template.template, of: game)
    return .now(.written(template.document, game.revisions))
  }

  private func version(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<TemplateDocument> {
    let game = try call.game.snapshot
    guard let number = Int64(call.path("version")) else { throw Self.unknown(call.path("version")) }
    return .task { () async throws(Problem) in
      let stored: StoredTemplate?
      do throws(StoreError) { stored = try await services.store.read { try $0.template(number, of: game.game) } } catch {
        throw Problem(error)
      }
      guard let stored else { throw Self.unknown(String(number)) }
      try services.admit(call.role, to: services.documents.fitting(stored.document, for: game.catalog), of: game)
      return .written(stored.document, game.revisions)
    }
  }

  private static func unknown(_ version: String) -> Problem {
    Problem(.unknownID, "Version \(version) of the template does not exist or has been deleted. …/template/versions lists the versions.")
  }

  private func versions(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<TemplateVersionsAnswer> {
    let game = try call.game.snapshot
    let (before, limit) = (call.number(.beforeVersion), Int(call.number(.limit) ?? 50))
    return .task { () async throws(Problem) in
      do throws(StoreError) {
        let (activation, versions) = try await services.store.read {
          (try $0.activation(of: game.game), try $0.templates(of: game.game, before: before, limit: limit))
        }
        var answer = TemplateVersionsAnswer()
        answer.game = game.game
        answer.active = activation?.active
        answer.activeSince = activation.flatMap { $0.active == nil ? nil : $0.since }
        answer.scheduled = activation?.scheduled
        answer.scheduledAt = activation?.at
        answer.versions = versions.map(\.wire)
        answer.unknownKeys = game.template?.template.unknownKeys ?? []
        answer.source = services.templateSources[game.game].map { $0.wire(of: game.game, isDryRun: false) }
        answer.remarks = (game.template?.template.remarks ?? []).map { TemplateRemark(pointer: $0.pointer, message: $0.message) }
        return .ok(answer, game.revisions)
      } catch { throw Problem(error) }
    }
  }

  private func put(_ call: CallContext<TemplateDocument>) throws(Problem) -> TypedReply<TemplateAnswer> {
    let game = try call.game.snapshot
    let context = try call.change(about: nil, reason: nil, now: services.clock.now)
    let origin: StoredTemplate.TemplateOrigin = call.text(.templateOrigin) == nil ? .pushed : .fetched
    let timing: TemplateTiming
    switch call.text(.activate) {
    case nil: timing = origin == .fetched && game.catalog.source.activatesByHand ? .manual : .now
    case "now"?: timing = .now
    case "manual"?: timing = .manual
    case let text?:
      guard let instant = try? Instant(parsing: text) else {
        throw .query(.malformedQueryParameter, "activate", "activate is “\(text)”; it takes now, manual, or an instant.")
      }
      timing = .at(instant)
    }
    let player = call.text(.templatePlayer)
    if let players = call.number(.simulatedPlayers) { return try share(of: players, call, game, timing, player, context) }
    return try call.changing(in: game.game, at: context.now) { (outcome: TemplateOutcome) in
      .ok(answer(outcome, call.role, player, context), AnswerRevisions(game: outcome.revision))
    } perform: { remembering async throws(TemplateError) in
      try await services.templates.push(
        Request.unmarked(call.request.body), for: game.game, origin: origin, timing, context, remembering: remembering)
    }
  }

  /// Answers a dry run with the number of simulated players for whom a value would change. The answer is not stored for repeated requests.
  private func share(
    of players: Int64, _ call: CallContext<TemplateDocument>, _ game: GameSnapshot, _ timing: TemplateTiming, _ player: String?,
    _ context: ChangeContext
  ) throws(Problem) -> TypedReply<TemplateAnswer> {
    guard context.isDryRun else {
      throw .query(.malformedQueryParameter, "players", "players needs dry_run=true: it simulates the effect of a push.")
    }
    let role = call.role
    return .task { () async throws(Problem) in
      let answered: ChangeAnswer<TemplateOutcome>
      do throws(TemplateError) {
        answered = try await services.templates.push(
          Request.unmarked(call.request.body), for: game.game, timing, context)
      } catch { throw error.problem }
      guard case .fresh(let outcome) = answered else { throw Problem(.internalFault, "A dry run was answered as a repeated call.") }
      var result = answer(outcome, role, player, context)
      if let before = outcome.before, let after = outcome.after {
        var share = try TemplateImpactCount(of: players, from: before, to: after, keys: outcome.changedKeys, host: context.now)
        while !share.isDone, !Task.isCancelled {
          let now = share
          share = try await services.longWork.slice(for: role.uid) { () throws(Problem) in try now.goingOn() }
        }
        let hidden = HiddenKeys.secrets(of: after)
        for at in result.changes.indices where !hidden.contains(result.changes[at].key) {
          result.changes[at].players = share.changed[result.changes[at].key] ?? 0
        }
      }
      return .ok(result, AnswerRevisions(game: outcome.revision))
    }
  }

  private func activate(_ call: CallContext<TemplateActivationRequest?>) throws(Problem) -> TypedReply<TemplateAnswer> {
    let game = try call.game.snapshot.game
    let context = try call.change(about: nil, reason: call.body?.reason, now: services.clock.now)
    return try call.changing(in: game, at: context.now) { (outcome: TemplateOutcome) in
      .ok(answer(outcome, call.role, nil, context), AnswerRevisions(game: outcome.revision))
    } perform: { remembering async throws(TemplateError) in
      try await services.templates.activate(
        call.body?.version, of: game, call.body?.at.map(TemplateTiming.at) ?? .now, context, remembering: remembering)
    }
  }

  private func rollback(_ call: CallContext<TemplateActivationRequest?>) throws(Problem) -> TypedReply<TemplateAnswer> {
    let game = try call.game.snapshot.game
    if call.body?.at != nil { throw Problem(.malformedRequest, "A rollback is always now; leave out at.", pointer: "/at") }
    let context = try call.change(about: nil, reason: call.body?.reason, now: services.clock.now)
    return try call.changing(in: game, at: context.now) { (outcome: TemplateOutcome) in
      .ok(answer(outcome, call.role, nil, context), AnswerRevisions(game: outcome.revision))
    } perform: { remembering async throws(TemplateError) in
      try await services.templates.rollback(to: call.body?.version, of: game, context, remembering: remembering)
    }
  }

  private func answer(_ outcome: TemplateOutcome, _ role: PeerRole, _ player: String?, _ context: ChangeContext) -> TemplateAnswer {
    var answer = TemplateAnswer()
    answer.game = outcome.version.game
    answer.revision = outcome.revision
    answer.version = outcome.version.wire
    answer.active = outcome.activation.active
    answer.scheduled = outcome.activation.scheduled
    answer.scheduledAt = outcome.activation.at
    answer.changes = changes(outcome, role, player, context)
    let hidden = outcome.after.map { HiddenKeys.secrets(of: $0) }
    answer.removed = outcome.removedKeys.filter { hidden?.contains($0) != true }
    answer.unknownKeys = outcome.unknownKeys
    answer.remarks = outcome.remarks.map { TemplateRemark(pointer: $0.pointer, message: $0.message) }
    answer.quarantined = Int64(outcome.quarantined)
    answer.isUnchanged = outcome.isUnchanged
    answer.isDryRun = context.isDryRun
    return answer
  }

  /// Returns the keys whose values the template may change, each with its values before and after. Overrides in force are applied to these
  /// values, and the player's settings are not.
  private func changes(_ outcome: TemplateOutcome, _ role: PeerRole, _ player: String?, _ context: ChangeContext) -> [TemplateChange] {
    guard let before = outcome.before, let after = outcome.after else { return [] }
    let hidden = HiddenKeys.secrets(of: after)
    func caller(_ game: GameSnapshot) -> Caller {
      Caller(
        player: player, locales: game.catalog.locales, now: game.now(host: context.now),
        overrides: player.map { game.overrides.player($0).values } ?? [:])
    }
    let (earlier, later) = (caller(before), caller(after))
    return outcome.changedKeys.map { key in
      if hidden.contains(key) { return TemplateChange(key: key, before: nil, after: nil, source: nil) }
      let resolved = after.table.resolve(key, for: later)
      return TemplateChange(
        key: key, before: before.table.resolve(key, for: earlier)?.value, after: resolved?.value, source: resolved?.layer.rawValue)
    }
  }
}

extension StoredTemplate {
  /// The version of the template for an answer, without its document.
  fileprivate var wire: TemplateVersion {
    TemplateVersion(
      version: number, origin: origin.rawValue, rollbackOf: rollbackOf, author: author.wire, at: at, reason: reason)
  }
}

extension TemplateError: WireError {
  package var problem: Problem {
    switch self {
    case .unknownGame(let game): Problem(.unknownGame, "There is no game “\(game)”.")
    case .tooLong(let bytesMax): Problem(.bodyTooLarge, "A template may have \(bytesMax) bytes.")
    case .faults(let faults):
      Problem(
        .schemaViolation, faults.count == 1 ? faults[0].message : "The template has \(faults.count) faults, so it is refused as a whole.",
        pointer: faults.first?.pointer, errors: faults.map { Problem.Item(.schemaViolation, $0.message, pointer: $0.pointer) })
    case .constraint(let faults): ChangeRefusal.constraint(faults, at: nil).problem
    case .unknownVersion(let version):
      Problem(.unknownID, "Version \(version) of the template does not exist or has been deleted. …/template/versions lists the versions.")
    case .alreadyActive(let version): Problem(.versionInForce, "Version \(version) is in force already.")
    case .readFromFile(let path):
      Problem(
        .templateFromFile,
        "The catalog reads this game's templates from \(path), and a game has one source: take the file out of the catalog, or the game out of gameconf-fetch's settings."
      )
    case .noSource:
      Problem(
        .noTemplateSource,
        "No source of templates is known for this game: name one in gameconf-fetch's settings, and see that gameconf-fetch runs.")
    case .nothingBefore: Problem(.versionInForce, "There is no version before the one in force to roll back to.")
    case .changedMeanwhile(let version):
      Problem(
        .revisionChanged, "It has changed since: the newest version is \(version). Read it again, then decide.",
        extensions: ObjectValue([("version", .integer(version))]))
    case .reason(let bytesMax): ChangeRefusal.reason(bytesMax: bytesMax).problem
    case .repeatedWithOtherContent: ChangeRefusal.repeatedWithOtherContent.problem
    case .store(let error): Problem(error)
    }
  }
}
