// Who changed what, and taking it back.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The calls about the audit log.
struct AuditRoutes {
  let services: DaemonServices

  var routes: [Route] {
    [
      Route(Endpoints.audit) { request throws(Problem) in try list(request) },
      Route(Endpoints.auditEntry) { request throws(Problem) in try show(request) },
      Route(Endpoints.revert) { request throws(Problem) in try revert(request) },
    ]
  }

  private func list(_ request: Request) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    var selection = AuditSelection(game: game.game, player: try RequestCaller.player(request.query("player")), key: request.query("key"))
    selection.limit = Int(try request.number("limit", 1...Int64(AuditSelection.linesMax)) ?? 50)
    selection.before = try request.number("before", 1...Int64.max)
    selection.author = request.query("author")
    let hidden = services.secrets.hidden(from: request.role, in: game)
    let asked = selection
    return .task { () async throws(Problem) in
      do throws(StoreError) {
        let lines = try await ListAudit(store: services.store)(asked)
        let next = lines.count == asked.limit ? lines.last?.id : nil
        return .json(AuditList(entries: lines.map { $0.wire(hiding: hidden) }, nextBefore: next).wire)
      } catch { throw Problem(error) }
    }
  }

  private func show(_ request: Request) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let id = try request.auditID()
    let hidden = services.secrets.hidden(from: request.role, in: game)
    return .task { () async throws(Problem) in
      let line: AuditRecord?
      do throws(StoreError) { line = try await ShowAudit(store: services.store)(id, in: game.game) } catch { throw Problem(error) }
      guard let line else { throw Problem(.unknownID, "The audit log has no line \(id) for \(game.game).") }
      return .json(line.wire(hiding: hidden).wire)
    }
  }

  private func revert(_ request: Request) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let id = try request.auditID()
    let isForced = try request.flag("force")
    let context = try request.change(reason: try request.reason(), now: services.clock.now)
    let hidden = services.secrets.hidden(from: request.role, in: game)
    let role = request.role
    let remembering: Remembering<OverrideOutcome, OverrideError>? = try request.remembering(
      in: game.game, player: nil, now: context.now
    ) { result in
      switch result {
      case .success(let outcome): .json(.object(ObjectValue([("revision", .integer(outcome.revision))])))
      case .failure(let error): Problem(error).answer
      }
    }
    return .task { () async throws(Problem) in
      let line: AuditRecord?
      do throws(StoreError) { line = try await ShowAudit(store: services.store)(id, in: game.game) } catch { throw Problem(error) }
      try role.require(line?.player == nil ? .admin : .tester, to: "take this back")
      let answered: Answered<OverrideOutcome>
      do throws(OverrideError) {
        answered = try await RevertAudit(store: services.store, checking: services.checking)(
          id, in: game.game, isForced: isForced, context, remembering: remembering)
      } catch { throw Problem(error) }
      switch answered {
      case .remembered(let answer): return Answer(answer)
      case .fresh(let outcome): return try await reverted(id, outcome, context, game: game.game, hiding: hidden)
      }
    }
  }

  private func reverted(
    _ id: Int64, _ outcome: OverrideOutcome, _ context: ChangeContext, game: String, hiding hidden: HiddenKeys
  ) async throws(Problem) -> Answer {
    var entry = AuditEntry(
      id: 0, at: context.now, author: context.author.wire, action: AuditAction.overrideReverted.rawValue, game: game,
      reason: context.reason,
      revision: outcome.revision, reverts: id)
    if !context.isDryRun, let own = outcome.audits.first {
      do throws(StoreError) {
        if let line = try await ShowAudit(store: services.store)(own, in: game) { entry = line.wire(hiding: hidden) }
      } catch { throw Problem(error) }
    }
    return outcome.answer(RevertAnswer(revision: outcome.revision, entry: entry, isDryRun: context.isDryRun).wire)
  }
}

extension Request {
  /// The line named in the path.
  fileprivate func auditID() throws(Problem) -> Int64 {
    if let id = Int64(path("id")), id > 0 { return id }
    throw Problem(.unknownID, "“\(path("id"))” is no line of the audit log; lines are numbered from 1.")
  }
}
