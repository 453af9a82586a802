// A request body that a handler reads as a stream while it arrives, such as a database to restore.

internal import NIOCore

/// A request body that a handler reads while it arrives. The server stops reading from the socket while the handler is slower than the
/// client (back-pressure).
package struct IncomingBody<App: ServerApp>: Sendable {
  private let pipe: NIOLoopBound<BodyPipe>
  private let eventLoop: any EventLoop

  init(_ pipe: BodyPipe) {
    eventLoop = pipe.eventLoop
    self.pipe = NIOLoopBound(pipe, eventLoop: pipe.eventLoop)
  }

  /// Returns the next bytes of the body, at least one; nil at the end of the body.
  /// - Throws: A problem if the body ends early, is too large or too slow. The connection then closes.
  package func next() async throws(App.Problem) -> [UInt8]? {
    let pipe = pipe
    do {
      return try await eventLoop.flatSubmit { pipe.value.take() }.get()
    } catch {
      throw App.problem(error as? ServerFault ?? ServerFault(.stopping, "The daemon is stopping."))
    }
  }
}

/// The queue between the connection, which appends bytes of the body on its event loop, and the handler, which takes them.
final class BodyPipe {
  private static let bytesQueuedMax = 256 << 10

  let eventLoop: any EventLoop
  private let wanted: () -> Void
  private var queue: [UInt8] = []
  private var ending: Result<Void, ServerFault>?
  private var waiter: EventLoopPromise<[UInt8]?>?

  init(_ eventLoop: any EventLoop, wanted: @escaping () -> Void) {
    self.eventLoop = eventLoop
    self.wanted = wanted
  }

  /// True if the queue of unread bytes is full, so that the connection must not read further ones from the socket.
  var isFull: Bool { queue.count >= Self.bytesQueuedMax }

  func append(_ bytes: [UInt8]) {
    queue += bytes
    deliver()
  }

  func finish() {
    if ending == nil { ending = .success(()) }
    deliver()
  }

  func fail(_ fault: ServerFault) {
    if ending == nil { ending = .failure(fault) }
    deliver()
  }

  func take() -> EventLoopFuture<[UInt8]?> {
    let promise = eventLoop.makePromise(of: [UInt8]?.self)
    let wasFull = isFull
    waiter?.succeed(nil)
    waiter = promise
    deliver()
    if wasFull { wanted() }
    return promise.futureResult
  }

  private func deliver() {
    guard let waiter else { return }
    if !queue.isEmpty {
      self.waiter = nil
      let bytes = queue
      queue = []
      waiter.succeed(bytes)
    } else if let ending {
      self.waiter = nil
      switch ending {
      case .success: waiter.succeed(nil)
      case .failure(let fault): waiter.fail(fault)
      }
    }
  }
}
