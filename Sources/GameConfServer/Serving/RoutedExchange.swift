// The requests of one application, which its router matches, its handlers answer, and its style refuses.

internal import NIOCore

/// The client of a connection, whose requests the application's routes answer.
final class AppSession<App: ServerApp>: ClientSession {
  let loop: AppLoop<App>
  let peer: Peer<App.Role>?
  let socket: ServerSocket
  let credentials: PeerCredentials?
  /// The problem with which the first request of a refused client is answered; nil if the client is served.
  let problem: App.Problem?

  init(_ loop: AppLoop<App>, _ peer: Peer<App.Role>) {
    self.loop = loop
    self.peer = peer
    (socket, credentials) = (peer.socket, peer.credentials)
    problem = nil
  }

  /// Creates the session of a refused client, whose first request is answered with a problem.
  init(_ loop: AppLoop<App>, refusing problem: App.Problem, on socket: ServerSocket, _ credentials: PeerCredentials?) {
    self.loop = loop
    peer = nil
    (self.socket, self.credentials) = (socket, credentials)
    self.problem = problem
  }

  var refusal: Answer? { problem.map(App.answer) }

  func show(ready body: UnsafeRawBufferPointer, to target: UnsafeRawBufferPointer) {
    if let peer { loop.observer?.gave(ready: body, to: target, for: peer) }
  }

  func exchange(_ text: RequestHeadBytes, arrived: NIODeadline, closes: Bool, refused: ServerFault?) -> Exchange {
    RoutedExchange(self, text, arrived: arrived, closes: closes, refused: refused)
  }
}

/// A refusal of a request that does not reach its handler. The style is that of the closest route if the request matched no route.
private final class RefusedRequest<App: ServerApp>: Sendable {
  let problem: App.Problem
  let style: RefusalStyle<App>?

  init(_ problem: App.Problem, _ style: RefusalStyle<App>?) { (self.problem, self.style) = (problem, style) }
}

/// An HTTP request in progress, with the application's route that it matched.
final class RoutedExchange<App: ServerApp>: Exchange {
  private let session: AppSession<App>
  private let match: RouteMatch<App>?
  /// The refusal that is known before the body is read; nil if the request may reach its handler.
  private let refused: RefusedRequest<App>?
  /// The request as it was passed to the handler, for the observer of answers; nil if there is no observer.
  private var observed: Request<App>?

  init(_ session: AppSession<App>, _ text: RequestHeadBytes, arrived: NIODeadline, closes: Bool, refused: ServerFault?) {
    self.session = session
    var match: RouteMatch<App>?
    var unserved: RefusedRequest<App>?
    if let peer = session.peer, refused == nil {
      switch session.loop.router.match(text, on: session.socket) {
      case .found(let found):
        match = found
        do throws(App.Problem) { try found.route.admit?(peer) } catch { unserved = RefusedRequest(error, nil) }
      case .refused(let fault, let style): unserved = RefusedRequest(App.problem(fault), style)
      }
    } else if let problem = session.problem ?? refused.map(App.problem) {
      unserved = RefusedRequest(problem, session.loop.router.style(of: text, on: session.socket))
    }
    (self.match, self.refused) = (match, unserved)
    super.init(text, arrived: arrived, closes: closes)
  }

  private var style: RefusalStyle<App>? { match?.style ?? refused?.style }

  override var ordinal: Int { match?.ordinal ?? -1 }
  override var refusal: Answer? {
    guard let refused else { return nil }
    return answer(refused.problem)
  }
  override var bodyBytesMax: Int? { match?.route.bodyBytesMax }
  override var takesStream: Bool { if refused == nil, case .streamed? = match?.route.work { true } else { false } }

  override func answer(to fault: ServerFault) -> Answer { answer(App.problem(fault)) }

  private func answer(_ problem: App.Problem) -> Answer { style?.answer(problem) ?? App.answer(problem) }

  override func mediaRefusal() -> Answer? {
    guard let match, let fault = MediaType.refusal(of: text, to: match.route) else { return nil }
    return answer(to: fault)
  }

  private func request(body: [UInt8]) -> Request<App>? {
    guard let match, let peer = session.peer else { return nil }
    let request = Request(match, text, body: body, peer: peer, on: session.loop)
    if session.loop.isObserved { observed = request }
    return request
  }

  override func show(_ answer: Answer, status: Int, isStream: Bool) {
    guard let observer = session.loop.observer, let peer = session.peer else { return }
    show(answer, status: status, isStream: isStream, to: observer, observed ?? request(body: []), peer)
  }

  override func reply(body: [UInt8]) -> RenderedReply {
    guard let request = request(body: body), case .whole(let handler)? = match?.route.work else {
      return .now(answer(to: .unanswered))
    }
    return Self.respond(to: request, by: handler)
  }

  override func work(body: [UInt8]) -> @Sendable () -> RenderedReply {
    guard let request = request(body: body), case .whole(let handler)? = match?.route.work else { return super.work(body: body) }
    return { Self.respond(to: request, by: handler) }
  }

  private static func respond(to request: Request<App>, by handler: Handler<App>) -> RenderedReply {
    do throws(App.Problem) {
      switch try handler(request) {
      case .now(let answer): return .now(answer)
      case .later(let future):
        let match = request.match
        return .later(
          future.hop(to: request.eventLoop),
          refusing: { error in
            let problem = error as? App.Problem ?? App.problem(.unanswered)
            return match.style?.answer(problem) ?? App.answer(problem)
          })
      case .task(let work):
        let (made, task) = request.eventLoop.task(of: work)
        return .later(rendered(made, request.match), task: task)
      case .stream(let streamed): return .stream(streamed)
      case .streamTask(let work):
        let match = request.match
        return .streamLater(
          request.eventLoop.result(of: work).map { result in
            result.mapError { RenderedReply.RenderedProblem(answer: match.style?.answer($0) ?? App.answer($0)) }
          })
      }
    } catch { return .now(request.match.style?.answer(error) ?? App.answer(error)) }
  }

  override func reply(streaming pipe: BodyPipe) -> EventLoopFuture<Answer> {
    guard let request = request(body: []), case .streamed(let work)? = match?.route.work else {
      return pipe.eventLoop.makeSucceededFuture(answer(to: .unanswered))
    }
    let body = IncomingBody<App>(pipe)
    return Self.rendered(
      request.eventLoop.result(of: { () async throws(App.Problem) -> Answer in try await work(request, body) }), request.match)
  }

  private static func rendered(
    _ future: EventLoopFuture<Result<Answer, App.Problem>>, _ match: RouteMatch<App>
  ) -> EventLoopFuture<Answer> {
    return future.map { result in
      switch result {
      case .success(let answer): answer
      case .failure(let problem): match.style?.answer(problem) ?? App.answer(problem)
      }
    }
  }
}

extension EventLoop {
  /// Starts a task and returns its result, a value or an error, as a future.
  fileprivate func result<Made: Sendable, Problem: Error>(
    of work: @escaping @Sendable () async throws(Problem) -> Made
  ) -> EventLoopFuture<Result<Made, Problem>> { task(of: work).made }

  /// Starts a task. Returns its result as a future, and the task itself, so that it can be cancelled when the client disconnects.
  fileprivate func task<Made: Sendable, Problem: Error>(
    of work: @escaping @Sendable () async throws(Problem) -> Made
  ) -> (made: EventLoopFuture<Result<Made, Problem>>, task: Task<Void, Never>) {
    let promise = makePromise(of: Result<Made, Problem>.self)
    let task = Task {
      do throws(Problem) {
        promise.succeed(.success(try await work()))
      } catch {
        promise.succeed(.failure(error))
      }
    }
    return (promise.futureResult, task)
  }
}
