// Answers made elsewhere, on their way to an event loop.

internal import NIOCore

/// Carries the answers of a batch to an event loop, which is woken once for all of them.
package final class EventLoopCompletionQueue: Sendable {
  private let eventLoop: any EventLoop

  init(to eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  package func enqueue(_ answers: [@Sendable () -> Void]) {
    eventLoop.execute { for answer in answers { answer() } }
  }
}
