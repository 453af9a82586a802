// The routes of the source of a game's template: `gameconf-fetch` reports the source's state, and clients request a fetch.

internal import GameConfAPI
internal import GameConfEngine

extension TemplateRoutes {
  func fetch(_ call: CallContext<ReasonRequest?>) throws(Problem) -> TypedReply<TemplateFetchAnswer> {
    let game = try call.game.snapshot.game
    let context = try call.change(about: nil, reason: call.body?.reason, now: services.clock.now)
    return .task { () async throws(Problem) in
      do throws(TemplateError) {
        let (report, wait) = try await services.templateSources.requestFetch(
          of: game, in: services.live.present, services.store, context)
        var answer = TemplateFetchAnswer()
        answer.game = game
        answer.source = report.source
        answer.waitSeconds = wait
        answer.isDryRun = context.isDryRun
        return .ok(answer)
      } catch { throw error.problem }
    }
  }

  func report(_ call: CallContext<TemplateSourceRequest>) throws(Problem) -> TypedReply<TemplateSourceAnswer> {
    let game = try call.game.snapshot.game
    let (body, isDryRun, now) = (call.body, call.flag(.dryRun), services.clock.now)
    return .task { () async throws(Problem) in
      do throws(TemplateError) {
        let report = try await services.templateSources.report(
          body.source, faults: body.faults, nextSeconds: body.nextSeconds, of: game, in: services.live, now: now, isDryRun: isDryRun)
        return .ok(report.wire(of: game, isDryRun: isDryRun))
      } catch { throw error.problem }
    }
  }
}

extension TemplateSourceReport {
  func wire(of game: String, isDryRun: Bool) -> TemplateSourceAnswer {
    var answer = TemplateSourceAnswer()
    answer.game = game
    answer.source = source
    answer.at = at
    answer.nextSeconds = nextSeconds
    answer.failingSince = failingSince
    answer.faults = faults
    answer.isDryRun = isDryRun
    return answer
  }
}
