// Delivers answers that other threads have made to an event loop.

internal import NIOCore

/// A queue by which another thread delivers several answers to an event loop with one wakeup.
package final class EventLoopCompletionQueue: Sendable {
  private let eventLoop: any EventLoop

  init(to eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  package func enqueue(_ answers: [@Sendable () -> Void]) {
    eventLoop.execute { for answer in answers { answer() } }
  }
}
