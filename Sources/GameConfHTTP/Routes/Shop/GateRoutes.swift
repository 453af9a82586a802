// The route that evaluates gates for a player.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

struct GateRoutes {
  /// The maximum number of checks that are evaluated on the event loop. More would block it.
  private static let checksAtOnceMax = 32

  let services: DaemonServices

  var routes: [CallRoute] { [CallRoute(Calls.checkGate) { call throws(Problem) in try check(call) }] }

  private func check(_ call: CallContext<GateRequest?>) throws(Problem) -> TypedReply<GateAnswer> {
    let game = try call.game.snapshot
    let id = try call.request.playerID()
    let gate = call.path("gate")
    let body = call.body ?? GateRequest(GateCheck())
    let questions = try body.checks.enumerated().map { (at, check) throws(Problem) in
      let place = body.isList ? "/\(at)" : ""
      return GateInput(arguments: check.args, context: try check.context(of: id.player, at: place), pointer: place)
    }
    let isLong = body.checks.count > Self.checksAtOnceMax
    return try services.playerReads.reply(about: id, for: call.role.uid, isLong: isLong) { stored, host, budget throws(Problem) in
      let decisions: [GateDecision]
      do throws(Refusal) {
        decisions = try CheckGates(id, stored, of: game, host: host, budget: budget).decide(gate, questions)
      } catch { throw Problem(error) }
      let verdicts = decisions.map { decision in
        GateVerdict(gate: gate, isLocked: decision.isLocked, reason: decision.reason.rawValue, unlocksWith: decision.unlocksWith)
      }
      return .ok(GateAnswer(verdicts: verdicts, isList: body.isList), AnswerRevisions(game: game.revision, player: stored.revision))
    }
  }
}

extension GateCheck {
  fileprivate func context(of player: String, at place: String) throws(Problem) -> ObjectValue {
    let context = try RequestCaller.canonical(context, at: place + "/context")
    guard let key = context["targetingKey"], !key.isSame(as: player) else { return context }
    throw Problem(
      .playersDiffer, "The path names the player “\(player)”, and context.targetingKey names another; leave it out, or give the same.",
      pointer: place + "/context/targetingKey")
  }
}
