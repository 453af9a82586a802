// The routes of another protocol, such as Firebase's, and the services of the daemon that the protocol's module uses.

package import GameConfAPI
package import GameConfCore
package import GameConfEngine
package import GameConfServer
internal import NIOCore

/// The routes of another protocol, such as Firebase's, with their place among the daemon's own routes.
package struct FaceRoutes: Sendable {
  let routes: [CallRoute]
  /// The id of the daemon's call after which the OpenAPI document lists the protocol's calls; nil for the end.
  let follows: String?
  /// The protocol's limits by name, for the status answer.
  let limits: [(String, Value)]

  package init(_ routes: [CallRoute], after follows: String? = nil, limits: [(String, Value)] = []) {
    self.routes = routes
    self.follows = follows
    self.limits = limits
  }

  /// Returns the daemon's routes with each protocol's routes inserted after the call that its ``follows`` names.
  static func joined(_ faces: [FaceRoutes], with routes: [CallRoute]) -> [CallRoute] {
    faces.reduce(into: routes) { all, face in
      let call = all.lastIndex { $0.endpoint.id == face.follows }
      all.insert(contentsOf: face.routes, at: call.map { $0 + 1 } ?? all.endIndex)
    }
  }
}

/// An answer body in another protocol's form, encoded by that protocol's module.
private struct FaceBody: BytesBody {
  static let content = Endpoint.BodyContent.bytes(mediaType: "application/json", required: false)
}

extension DaemonServices {
  /// Evaluates values for a caller and replies: on the event loop if the rules take few steps and the player is in memory, otherwise in a
  /// task.
  package func reply(
    _ context: EvaluationContext, of game: GameSnapshot, for user: UInt32,
    _ answer: @escaping @Sendable (Evaluation) throws(Problem) -> Answer
  ) throws(Problem) -> Reply {
    try evaluated(context, of: game, for: user, answer).reply
  }

  /// Evaluates values for a caller and returns the answer.
  package func answer(
    _ context: EvaluationContext, of game: GameSnapshot, for user: UInt32,
    _ answer: @escaping @Sendable (Evaluation) throws(Problem) -> Answer
  ) async throws(Problem) -> Answer {
    try await evaluated(context, of: game, for: user, answer).value.answer
  }

  private func evaluated(
    _ context: EvaluationContext, of game: GameSnapshot, for user: UInt32,
    _ answer: @escaping @Sendable (Evaluation) throws(Problem) -> Answer
  ) throws(Problem) -> TypedReply<FaceBody> {
    try playerReads.reply(context, of: game, for: user) { seen throws(Problem) in TypedAnswer(encoded: try answer(seen)) }
  }

  /// Runs long work on another thread. Waiting work is run in round-robin order by user.
  package func slice<Made: Sendable>(
    for user: UInt32, _ body: @escaping @Sendable () throws(Problem) -> Made
  ) async throws(Problem) -> Made {
    try await longWork.slice(for: user, body)
  }
}

/// The connection of another protocol's event streams to the daemon's watchers.
package struct FaceWatch: Sendable {
  private let hub: WatchHub
  private let user: UInt32
  private let reader: LiveReader
  private let eventLoop: any EventLoop

  /// - Parameter isGame: True to show the client as a game to the viewers of live requests, regardless of its socket.
  package init(_ request: Request, _ services: DaemonServices, isGame: Bool = false) {
    (hub, user, eventLoop) = (services.watches, request.role.uid, request.eventLoop)
    reader = isGame ? .ofGame : request.liveReader
  }

  /// Adds a client's stream to the watchers of a game. Call it on the request's event loop.
  /// - Parameter notice: Returns the bytes of an event for a position in the stream, or those of a heartbeat for nil.
  package func add(
    _ stream: OutgoingStream, _ scope: WatchScope, of game: GameSnapshot, resumed: WatchPosition? = nil,
    _ notice: @escaping (WatchPosition?) -> [UInt8]
  ) {
    hub.loop(eventLoop).add(scope, of: game, .notices(stream, notice), user: user, reader: reader, resumed: resumed)
  }
}
