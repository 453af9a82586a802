// The routes that stream a game's changes to its clients as they happen.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
package import GameConfServer

struct WatchRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(streaming: Calls.watch) { caller throws(Problem) in
        try watch(caller.request, caller.game.snapshot, RequestCaller(caller))
      },
      CallRoute(streaming: Calls.evaluateWatch) { caller throws(Problem) in
        try watch(caller.request, caller.game.snapshot, RequestCaller(caller.body))
      },
      CallRoute(streaming: Calls.watchAll) { caller throws(Problem) in
        let request = caller.request
        let (services, role, eventLoop) = (services, request.role, request.eventLoop)
        let resumed = try request.header("last-event-id").flatMap(AdminPosition.init(parsing:))
        return .stream(
          StreamedAnswer(.eventStream) { stream in
            services.watches.admins(eventLoop, services).add(stream, role, resumed: resumed)
          })
      },
    ]
  }

  private func watch(_ request: Request, _ game: GameSnapshot, _ caller: RequestCaller) throws(Problem) -> Reply {
    // A malformed id has the effect of an id that is too old: the client gets the whole state.
    let resumed = try request.header("last-event-id").flatMap(WatchPosition.init(parsing:))
    let reads = services.playerReads
    if let context = reads.withPlayAtOnce(caller.context, of: game) {
      return .stream(try watch(request, game, caller, context, resumed))
    }
    return .streamTask { () async throws(Problem) in
      try watch(request, game, caller, try await reads.withPlay(caller.context, of: game), resumed)
    }
  }

  /// - Parameter context: The caller's context, with the play that it names.
  private func watch(
    _ request: Request, _ game: GameSnapshot, _ caller: RequestCaller, _ context: EvaluationContext, _ resumed: WatchPosition?
  ) throws(Problem) -> StreamedAnswer {
    var caller = caller
    caller.context = context
    var scope = try request.watchScope(caller, of: game, services.secrets)
    let takesImages = request.accepts(ImageFrame.streamType)
    if takesImages {
      if !scope.selection.showsValues {
        throw .query(.malformedQueryParameter, QueryParameter.watchedValues.name, "Frames of images have values; leave out values=none.")
      }
      // Images have no secrets, because clients store them in files.
      (scope.selection.isWhole, scope.selection.showsSecrets) = (true, false)
    }
    let (hub, user, reader, eventLoop) = (services.watches, request.role.uid, request.liveReader, request.eventLoop)
    if let play = context.play, !hub.plays.hasCapacity(for: play, of: user) { throw WatchedPlayMemory.full }
    return StreamedAnswer(takesImages ? .imageStream : .eventStream) { [scope] stream in
      hub.loop(eventLoop).add(
        scope, of: game, takesImages ? .images(stream) : .events(stream), user: user, reader: reader, resumed: resumed)
    }
  }
}

extension Answer {
  /// The head of an answer that streams server-sent events.
  package static var eventStream: Answer {
    var head = Answer(contentType: "text/event-stream", body: [])
    head.fields.append(Field("Cache-Control", "no-store"))
    return head
  }

  /// The head of an answer that streams frames of images.
  fileprivate static var imageStream: Answer {
    var head = Answer(contentType: ImageFrame.streamType, body: [])
    head.fields.append(Field("Cache-Control", "no-store"))
    return head
  }
}

extension Request {
  /// True if the header `Accept` names this media type. A wildcard does not suffice.
  fileprivate func accepts(_ mediaType: String) -> Bool {
    guard let list = listHeader("accept") else { return false }
    return list.split(separator: ",").contains { part in
      let name = part.prefix { $0 != ";" }.drop { $0 == " " || $0 == "\t" }
      return name.prefix { $0 != " " && $0 != "\t" }.lowercased() == mediaType
    }
  }

  /// Returns the scope of a watch: the caller, the keys and the options. Throws if they exceed a limit.
  func watchScope(_ caller: RequestCaller, of game: GameSnapshot, _ secrets: SecretReaders) throws(Problem) -> WatchScope {
    let contextBytes = JSONWriter.bytes(.object(caller.context.attributes)).count
    guard contextBytes <= WatchScope.contextBytesMax else {
      throw Problem(
        .bodyTooLarge, "A watcher's context has at most \(WatchScope.contextBytesMax) bytes as JSON; this one has \(contextBytes).",
        pointer: "/context")
    }
    var selection = WatchSelection(keys: caller.keys.map(Set.init), showsSecrets: secrets.admits(role, to: game.game))
    if query(QueryParameter.watchedValues.name) != nil { selection.showsValues = false }
    return WatchScope(caller.context, selection)
  }
}
