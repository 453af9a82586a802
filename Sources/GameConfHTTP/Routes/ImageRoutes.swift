// The route that returns a game's values as an image file, in the format that games map or cache.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

struct ImageRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.image) { call throws(Problem) in try image(call, RequestCaller(call)) },
      CallRoute(Calls.evaluateImage) { call throws(Problem) in try image(call, RequestCaller(call.body)) },
    ]
  }

  private func image<Ask>(_ call: CallContext<Ask>, _ caller: RequestCaller) throws(Problem) -> TypedReply<ImageBytes> {
    let game = try call.game.snapshot
    let selection = WatchSelection(keys: caller.keys.map(Set.init), isWhole: true)
    let images = WatchImage(epoch: call.request.served.world.epoch, services.clock)
    return try services.playerReads.reply(keeping: caller.context, of: game, for: call.role.uid) {
      context, loadedPlayer, host, budget throws(Problem) -> TypedAnswer<ImageBytes> in
      let scope = WatchScope(context, selection)
      var state = WatchedState(game, host: host, within: budget)
      if case .player(let stored, _) = loadedPlayer { state.player = stored }
      guard let bytes = images.whole(scope, state) else { throw .answerTooLarge }
      note(caller.keys, Evaluation(context, loadedPlayer, in: game, host: host, within: budget), by: call.request)
      var answer = TypedAnswer<ImageBytes>.written(
        bytes, contentType: ImageFrame.imageType, AnswerRevisions(game: game.revision, player: state.player?.revision))
      answer.answer.entityTag = EntityTag(weaklyOf: ImageWriter.timeless(bytes))
      answer.answer.identify(game, playerRevision: state.player?.revision, epoch: images.epoch, host: host)
      return answer
    }
  }

  /// Records that a game read these keys, or all values if `keys` is nil.
  private func note(_ keys: [String]?, _ seen: Evaluation, by request: Request) {
    guard request.marksReads else { return }
    guard let keys else { return services.reads.noteAll(seen, by: request) }
    for key in keys { if let answer = seen.answer(for: key) { services.reads.note(answer, seen, by: request) } }
  }
}
