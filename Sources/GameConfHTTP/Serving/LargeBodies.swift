// Moves the handling of requests with large bodies off the event loop.

internal import GameConfAPI
internal import GameConfServer

extension Route {
  /// The maximum size in bytes of a body that is parsed on the event loop, which takes about half a millisecond for JSON.
  static var bodyBytesAtOnceMax: Int { 32 << 10 }

  /// Returns the route with a handler that runs on another thread if the body is large.
  ///
  /// If the server has already moved the call to another thread, the handler runs there. The body then counts against the user's quota
  /// until it is parsed.
  func readingLargeBodies(beside longWork: SlicedWork) -> Route {
    handled { handler in
      { request throws(Problem) in
        if request.body.count <= Self.bodyBytesAtOnceMax || !request.eventLoop.inEventLoop { return try handler(request) }
        return .task { () async throws(Problem) in
          let reply = try await longWork.slice(for: request.role.uid) { () throws(Problem) in try handler(request) }
          switch reply {
          case .now(let answer): return answer
          case .task(let work): return try await work()
          case .later(let future):
            do { return try await future.get() } catch {
              throw error as? Problem ?? Problem(.internalFault, "The daemon could not answer; its log says why.")
            }
          case .stream, .streamTask:
            throw Problem(.bodyTooLarge, "A request for a stream has at most \(Self.bodyBytesAtOnceMax) bytes of body.")
          }
        }
      }
    }
  }
}
