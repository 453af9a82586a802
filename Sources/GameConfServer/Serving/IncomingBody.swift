// A request body that a handler reads while it arrives, such as a database to restore.

internal import NIOCore

/// A body that a handler reads while it arrives. The server stops reading while the handler is slower than the client.
package struct IncomingBody<App: ServerApp>: Sendable {
  private let pipe: NIOLoopBound<BodyPipe>
  private let eventLoop: any EventLoop

  init(_ pipe: BodyPipe) {
    eventLoop = pipe.eventLoop
    self.pipe = NIOLoopBound(pipe, eventLoop: pipe.eventLoop)
  }

  /// Returns the next bytes, never empty; nil at the end.
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

/// The event loop's side of an incoming body.
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

  /// True if the queue is full, so that the connection must not read.
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
