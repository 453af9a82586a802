// The routes that push, show, activate and roll back a game's template.

package import GameConfAPI
internal import GameConfCore
package import GameConfEngine
import GameConfStorage

struct TemplateRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.template) { asked throws(Problem) in try show(asked) },
      CallRoute(Calls.putTemplate, bodyBytesMax: TemplateLimits.documentBytesMax) { asked throws(Problem) in
        try put(asked)
      },
      CallRoute(Calls.templateVersions) { asked throws(Problem) in try versions(asked) },
      CallRoute(Calls.templateVersion) { asked throws(Problem) in try version(asked) },
      CallRoute(Calls.activateTemplate) { asked throws(Problem) in try activate(asked) },
      CallRoute(Calls.rollbackTemplate) { asked throws(Problem) in try rollback(asked) },
      CallRoute(Calls.fetchTemplate) { asked throws(Problem) in try fetch(asked) },
      CallRoute(Calls.putTemplateSource) { asked throws(Problem) in try report(asked) },
    ]
  }

  private func show(_ asked: CallContext<NoBody>) throws(Problem) -> TypedReply<TemplateDocument> {
    let game = try asked.game.snapshot
    guard let template = game.template else { throw Problem(.unknownID, "There is no template in force in \(game.game).") }
    try services.admit(asked.role, to: template.template, of: game)
    return .now(.written(template.document, game.revisions))
  }

  private func version(_ asked: CallContext<NoBody>) throws(Problem) -> TypedReply<TemplateDocument> {
    let game = try asked.game.snapshot
    guard let number = Int64(asked.path("version")) else { throw Self.unknown(asked.path("version")) }
    return .task { () async throws(Problem) in
      let stored: StoredTemplate?
      do throws(StoreError) { stored = try await services.store.read { try $0.template(number, of: game.game) } } catch {
        throw Problem(error)
      }
      guard let stored else { throw Self.unknown(String(number)) }
      try services.admit(asked.role, to: services.documents.fitting(stored.document, for: game.catalog), of: game)
      return .written(stored.document, game.revisions)
    }
  }

  private static func unknown(_ version: String) -> Problem {
    Problem(.unknownID, "Version \(version) of the template does not exist or has been deleted. …/template/versions lists the versions.")
  }

  private func versions(_ asked: CallContext<NoBody>) throws(Problem) -> TypedReply<TemplateVersionsAnswer> {
    let game = try asked.game.snapshot
    let (before, limit) = (asked.number(.beforeVersion), Int(asked.number(.limit) ?? 50))
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

  private func put(_ asked: CallContext<TemplateDocument>) throws(Problem) -> TypedReply<TemplateAnswer> {
    let game = try asked.game.snapshot
    let context = try asked.change(about: nil, reason: nil, now: services.clock.now)
    let origin: StoredTemplate.Origin = asked.text(.templateOrigin) == nil ? .pushed : .fetched
    let timing: TemplateTiming
    switch asked.text(.activate) {
    case nil: timing = origin == .fetched && game.catalog.source.activatesByHand ? .manual : .now
    case "now"?: timing = .now
    case "manual"?: timing = .manual
    case let text?:
      guard let instant = try? Instant(parsing: text) else {
        throw .query(.malformedQueryParameter, "activate", "activate is “\(text)”; it takes now, manual, or an instant.")
      }
      timing = .at(instant)
    }
    let player = asked.text(.templatePlayer)
    if let players = asked.number(.simulatedPlayers) { return try share(of: players, asked, game, timing, player, context) }
    return try asked.changing(in: game.game, at: context.now) { (outcome: TemplateOutcome) in
      .ok(answer(outcome, asked.role, player, context), Revisions(game: outcome.revision))
    } perform: { remembering async throws(TemplateError) in
      try await services.templates.push(
        Request.unmarked(asked.request.body), for: game.game, origin: origin, timing, context, remembering: remembering)
    }
  }

  /// Answers a dry run with the number of simulated players for whom a value would change. The answer is not stored for repeats.
  private func share(
    of players: Int64, _ asked: CallContext<TemplateDocument>, _ game: GameSnapshot, _ timing: TemplateTiming, _ player: String?,
    _ context: Change
  ) throws(Problem) -> TypedReply<TemplateAnswer> {
    guard context.isDryRun else {
      throw .query(.malformedQueryParameter, "players", "players needs dry_run=true: it simulates the effect of a push.")
    }
    let role = asked.role
    return .task { () async throws(Problem) in
      let answered: ChangeAnswer<TemplateOutcome>
      do throws(TemplateError) {
        answered = try await services.templates.push(
          Request.unmarked(asked.request.body), for: game.game, timing, context)
      } catch { throw error.problem }
      guard case .fresh(let outcome) = answered else { throw Problem(.internalFault, "A dry run was answered as a repeated call.") }
      var told = answer(outcome, role, player, context)
      if let before = outcome.before, let after = outcome.after {
        var share = try TemplateShare(of: players, from: before, to: after, keys: outcome.changedKeys, host: context.now)
        while !share.isDone, !Task.isCancelled {
          let now = share
          share = try await services.longWork.slice(for: role.uid) { () throws(Problem) in try now.goingOn() }
        }
        let hidden = HiddenKeys.secrets(of: after)
        for at in told.changes.indices where !hidden.contains(told.changes[at].key) {
          told.changes[at].players = share.changed[told.changes[at].key] ?? 0
        }
      }
      return .ok(told, Revisions(game: outcome.revision))
    }
  }

  private func activate(_ asked: CallContext<TemplateActivationRequest?>) throws(Problem) -> TypedReply<TemplateAnswer> {
    let game = try asked.game.snapshot.game
    let context = try asked.change(about: nil, reason: asked.body?.reason, now: services.clock.now)
    return try asked.changing(in: game, at: context.now) { (outcome: TemplateOutcome) in
      .ok(answer(outcome, asked.role, nil, context), Revisions(game: outcome.revision))
    } perform: { remembering async throws(TemplateError) in
      try await services.templates.activate(
        asked.body?.version, of: game, asked.body?.at.map(TemplateTiming.at) ?? .now, context, remembering: remembering)
    }
  }

  private func rollback(_ asked: CallContext<TemplateActivationRequest?>) throws(Problem) -> TypedReply<TemplateAnswer> {
    let game = try asked.game.snapshot.game
    if asked.body?.at != nil { throw Problem(.malformedRequest, "A rollback is always now; leave out at.", pointer: "/at") }
    let context = try asked.change(about: nil, reason: asked.body?.reason, now: services.clock.now)
    return try asked.changing(in: game, at: context.now) { (outcome: TemplateOutcome) in
      .ok(answer(outcome, asked.role, nil, context), Revisions(game: outcome.revision))
    } perform: { remembering async throws(TemplateError) in
      try await services.templates.rollback(to: asked.body?.version, of: game, context, remembering: remembering)
    }
  }

  private func answer(_ outcome: TemplateOutcome, _ role: PeerRole, _ player: String?, _ context: Change) -> TemplateAnswer {
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

  /// Returns the values that may have changed, for a player with the overrides in force and without settings.
  private func changes(_ outcome: TemplateOutcome, _ role: PeerRole, _ player: String?, _ context: Change) -> [TemplateChange] {
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
  /// The version without its document.
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
