// Who changed what, and taking it back.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

/// The calls about the audit log.
struct AuditRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.audit) { asked throws(Problem) in try list(asked) },
      CallRoute(Calls.auditEntry) { asked throws(Problem) in try show(asked) },
      CallRoute(Calls.revert) { asked throws(Problem) in try revert(asked) },
    ]
  }

  private func list(_ asked: Asked<NoBody>) throws(Problem) -> TypedReply<AuditList> {
    let game = try asked.game.snapshot
    var selection = AuditSelection(game: game.game, player: asked.text(.player), key: asked.text(.key))
    selection.limit = Int(asked.number(.limit) ?? 0)
    selection.before = asked.number(.before)
    selection.author = asked.text(.author)
    let hidden = services.secrets.hidden(from: asked.role, in: game)
    return .task { [selection] () async throws(Problem) in
      do throws(StoreError) {
        let lines = try await ListAudit(store: services.store)(selection)
        let next = lines.count == selection.limit ? lines.last?.id : nil
        return .ok(AuditList(entries: lines.map { $0.wire(hiding: hidden) }, nextBefore: next), game.revisions)
      } catch { throw Problem(error) }
    }
  }

  private func show(_ asked: Asked<NoBody>) throws(Problem) -> TypedReply<AuditEntry> {
    let game = try asked.game.snapshot
    let id = try asked.auditID
    let hidden = services.secrets.hidden(from: asked.role, in: game)
    return .task { () async throws(Problem) in .ok(try await line(id, in: game.game).wire(hiding: hidden), game.revisions) }
  }

  private func line(_ id: Int64, in game: String) async throws(Problem) -> AuditRecord {
    do throws(StoreError) {
      if let line = try await ShowAudit(store: services.store)(id, in: game) { return line }
    } catch { throw Problem(error) }
    throw Problem(.unknownID, "The audit log has no line \(id) for \(game).")
  }

  private func revert(_ asked: Asked<ReasonRequest?>) throws(Problem) -> TypedReply<RevertAnswer> {
    let game = try asked.game.snapshot
    let id = try asked.auditID
    let now = services.clock.now
    return .task { () async throws(Problem) in
      let context = try asked.change(about: try await line(id, in: game.game).player, reason: asked.body?.reason, now: now)
      // Hidden from everybody: the answer is remembered, and may be repeated to another.
      let hidden = HiddenKeys.secrets(of: game)
      let reply: TypedReply<RevertAnswer> = try asked.changing(in: game.game, at: now) { (outcome: OverrideOutcome) in
        var entry =
          outcome.lines.first?.wire(hiding: hidden)
          ?? AuditEntry(
            id: 0, at: now, author: context.author.wire, action: AuditAction.overrideReverted.rawValue, game: game.game,
            reason: context.reason, revision: outcome.revision, reverts: id)
        if context.isDryRun { entry.id = 0 }
        return .ok(RevertAnswer(revision: outcome.revision, entry: entry, isDryRun: context.isDryRun), outcome.revisions)
      } perform: { remembering async throws(OverrideError) in
        try await RevertAudit(store: services.store, checking: services.checking)(
          id, in: game.game, isForced: asked.flag(.force), context, remembering: remembering)
      }
      return try await reply.value
    }
  }
}

extension Asked {
  /// The line named in the path.
  fileprivate var auditID: Int64 {
    get throws(Problem) {
      if let id = Int64(path("id")), id > 0 { return id }
      throw Problem(.unknownID, "“\(path("id"))” is no line of the audit log; lines are numbered from 1.")
    }
  }
}
