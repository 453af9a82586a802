// Answers of the store, on their way to an event loop.

internal import GameConfEngine
internal import NIOCore

/// Carries the answers of a batch to an event loop, which is woken once for all of them.
final class LoopCourier: AnswerCourier {
  private let eventLoop: any EventLoop

  init(to eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func carry(_ answers: [@Sendable () -> Void]) {
    eventLoop.execute { for answer in answers { answer() } }
  }
}
