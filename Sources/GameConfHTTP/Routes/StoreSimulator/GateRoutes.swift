// Whether gates are locked for a player.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The call about gates.
struct GateRoutes {
  /// As many checks are decided on the event loop; more would hold it up.
  private static let checksAtOnceMax = 32

  let services: DaemonServices

  var routes: [Route] { [Route(Endpoints.checkGate) { request throws(Problem) in try check(request) }] }

  private func check(_ request: Request) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let id = try request.playerID()
    let gate = request.path("gate")
    let asked = try request.shapeIfPresent(GateRequest.self) ?? GateRequest(GateCheck())
    for (at, check) in asked.checks.enumerated() { try check.checkContext(of: id.player, at: asked.isList ? "/\(at)" : "") }
    let isLong = asked.checks.count > Self.checksAtOnceMax
    return try services.playerReads.reply(about: id, for: request.role.uid, isLong: isLong) { stored, host, budget throws(Problem) in
      let decisions: [GateDecision]
      do throws(GateRefusal) {
        decisions = try CheckGates(id, stored, of: game, host: host, budget: budget)(
          gate, asked.checks.map { GateQuestion(arguments: $0.args, context: $0.context) })
      } catch { throw Problem(error, isList: asked.isList) }
      let verdicts = decisions.map { decision in
        GateVerdict(gate: gate, isLocked: decision.isLocked, reason: decision.reason.rawValue, unlocksWith: decision.unlocksWith)
      }
      return .json(
        GateAnswer(verdicts: verdicts, isList: asked.isList).wire, revision: UInt64(clamping: game.revision),
        playerRevision: UInt64(clamping: stored.revision))
    }
  }
}

extension GateCheck {
  fileprivate func checkContext(of player: String, at place: String) throws(Problem) {
    if let locale = context["locale"] {
      do throws(Problem) { try RequestCaller.check(locale: locale) } catch {
        var problem = error
        problem.pointer = place + "/context/locale"
        throw problem
      }
    }
    guard let key = context["targetingKey"], !key.isSame(as: player) else { return }
    throw Problem(
      .playersDiffer, "The gate is asked for “\(player)”, and context.targetingKey names another; leave it out, or give the same.",
      pointer: place + "/context/targetingKey")
  }
}

extension Problem {
  fileprivate init(_ refusal: GateRefusal, isList: Bool) {
    switch refusal {
    case .unknownGate(let gate, let nearest):
      self.init(.unknownGate, "The game has no gate “\(gate)”.\(NearestNames.hint(naming: nearest, quotes: .curved))")
    case .tooMany(let max): self.init(.limitReached, "A call may have \(max) sets of arguments; split it.")
    case .arguments(let at, let faults):
      let items = faults.faults.map { fault in
        Item(
          ProblemCode(rawValue: fault.code.rawValue), fault.message,
          pointer: (isList ? "/\(at)" : "") + "/args/" + JSONPointer.escaped(fault.argument))
      }
      let code = faults.faults.first.flatMap { ProblemCode(rawValue: $0.code.rawValue) } ?? .malformedRequest
      self.init(
        code, items.map(\.detail).joined(separator: " "), pointer: items.first?.pointer, errors: items.count > 1 ? items : [])
    }
  }
}
