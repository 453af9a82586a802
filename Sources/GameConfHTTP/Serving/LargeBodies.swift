// Bodies that would hold up an event loop while they are read.

internal import GameConfAPI
internal import GameConfServer

extension Route {
  /// The number of bytes of a body that are read on the event loop: about half a millisecond's worth of JSON.
  static var bodyBytesAtOnceMax: Int { 32 << 10 }

  /// The same route, whose handler is called beside the event loop where the body is large.
  ///
  /// Where the server has called it beside the loop already, it goes on there: the body stays counted until it is read.
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
