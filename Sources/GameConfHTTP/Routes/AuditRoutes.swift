// The routes of the audit log, which list its rows and revert changes.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct AuditRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.audit) { call throws(Problem) in try list(call, in: call.game.snapshot) },
      CallRoute(Calls.auditAll) { call throws(Problem) in try list(call, in: nil) },
      CallRoute(Calls.auditEntry) { call throws(Problem) in try show(call) },
      CallRoute(Calls.revert) { call throws(Problem) in try revert(call) },
      CallRoute(Calls.revertMany) { call throws(Problem) in try revertMany(call) },
    ]
  }

  /// - Parameter game: The game whose rows are listed; nil for the rows of all games and of the daemon.
  private func list(_ call: CallContext<NoBody>, in game: GameSnapshot?) throws(Problem) -> TypedReply<AuditList> {
    let selection = call.auditSelection(in: game?.game)
    let world = call.request.served.world
    return .task { () async throws(Problem) in
      do throws(StoreError) {
        let lines = try await services.store.audits(selection)
        let next = lines.count == selection.limit ? lines.last?.id : nil
        var hidden: [String: HiddenKeys] = [:]
        let entries = lines.map { line in
          // The secret keys of a game that is not served are unknown, so all its values are hidden.
          let name = line.game ?? ""
          let keys = hidden[name] ?? world[name].map { services.secrets.hidden(from: call.role, in: $0) } ?? .all
          hidden[name] = keys
          return line.wire(hiding: keys)
        }
        return .ok(AuditList(entries: entries, nextBefore: next), game?.revisions ?? .none)
      } catch { throw Problem(error) }
    }
  }

  private func show(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<AuditEntry> {
    let game = try call.game.snapshot
    let id = try call.auditID
    let hidden = services.secrets.hidden(from: call.role, in: game)
    return .task { () async throws(Problem) in .ok(try await line(id, in: game.game).wire(hiding: hidden), game.revisions) }
  }

  private func line(_ id: Int64, in game: String) async throws(Problem) -> AuditRecord {
    do throws(StoreError) {
      if let line = try await services.store.audit(id, in: game) { return line }
    } catch { throw Problem(error) }
    throw Problem(.unknownID, "The audit log has no line \(id) for \(game).")
  }

  private func revert(_ call: CallContext<ReasonRequest?>) throws(Problem) -> TypedReply<RevertAnswer> {
    let game = try call.game.snapshot
    let id = try call.auditID
    let now = services.clock.now
    return .task { () async throws(Problem) in
      let entry = try await line(id, in: game.game)
      let context = try call.change(about: entry.player, reason: call.body?.reason, now: now)
      // Hides all secrets, because the answer is stored and may be repeated to a client that may not read them.
      let hidden = HiddenKeys.secrets(of: game)
      let render: @Sendable (OverrideOutcome) -> TypedAnswer<RevertAnswer> = { outcome in
        var entry =
          outcome.lines.first?.wire(hiding: hidden)
          ?? AuditEntry(
            id: 0, at: now, author: context.author.wire, action: AuditAction.overrideReverted.rawValue, game: game.game,
            reason: context.reason, revision: outcome.revision, reverts: id)
        if context.isDryRun { entry.id = 0 }
        return .ok(RevertAnswer(revision: outcome.revision, entry: entry, isDryRun: context.isDryRun), outcome.revisions)
      }
      if entry.action.isOfCatalog {
        let reply: TypedReply<RevertAnswer> = try call.changing(in: game.game, at: now, render: render) {
          remembering async throws(ChangeRefusal) in
          try await services.reload.revert(id, in: game.game, force: call.flag(.force), context, remembering: remembering)
        }
        return try await reply.value
      }
      let reply: TypedReply<RevertAnswer> = try call.changing(in: game.game, at: now, render: render) {
        remembering async throws(ChangeRefusal) in
        try await services.overrides.revert(
          id, in: game.game, force: call.flag(.force), context, remembering: remembering)
      }
      return try await reply.value
    }
  }
}

extension AuditRoutes {
  private func revertMany(_ call: CallContext<ReasonRequest?>) throws(Problem) -> TypedReply<RevertManyAnswer> {
    let game = try call.game.snapshot
    let selection = call.auditSelection(in: game.game)
    guard selection.author != nil || selection.session != nil else {
      throw .query(.malformedQueryParameter, "author", "Name the author or the session whose changes are to be reverted.")
    }
    let context = try call.change(about: "", reason: call.body?.reason, now: services.clock.now)
    // Hides all secrets, because the answer is stored and may be repeated to a client that may not read them.
    let hidden = HiddenKeys.secrets(of: game)
    return try call.changing(in: game.game, at: context.now) { (outcome: RevertOutcome) in
      let left = outcome.left.map { left in
        let problem = left.refusal.map { Problem($0) } ?? Problem(.notPermitted, "It changed the whole game; only an admin can revert it.")
        return SkippedChange(entry: left.line.wire(hiding: hidden), code: problem.codeText, detail: problem.detail)
      }
      var entries = outcome.change.lines.map { $0.wire(hiding: hidden) }
      if context.isDryRun { for at in entries.indices { entries[at].id = 0 } }
      let answer = RevertManyAnswer(
        game: game.game, revision: outcome.change.revision, left: left, entries: entries, isDryRun: context.isDryRun)
      return .ok(answer, outcome.change.revisions)
    } perform: { remembering async throws(ChangeRefusal) in
      try await services.overrides.revertAll(
        selection, in: game.game, isForPlayers: call.role.rank < .admin, context, remembering: remembering)
    }
  }
}

extension CallContext {
  /// Returns the selection of rows of the audit log that the query describes.
  /// - Parameter game: The game in the path; nil if the path names no game.
  fileprivate func auditSelection(in game: String?) -> AuditSelection {
    var selection = AuditSelection(game: game ?? request.query("game"), player: text(.player), key: text(.key))
    selection.limit = Int(number(.limit) ?? 0)
    selection.before = number(.before)
    selection.author = text(.author)
    selection.session = text(.session)
    selection.from = instant(.since)
    selection.until = instant(.until)
    return selection
  }

  /// The id in the path, which names a row of the audit log.
  fileprivate var auditID: Int64 {
    get throws(Problem) {
      if let id = Int64(path("id")), id > 0 { return id }
      throw Problem(.unknownID, "“\(path("id"))” is not the number of a line of the audit log; numbers begin at 1.")
    }
  }
}
