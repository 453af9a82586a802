// The channel's end of a connection: hands over one piece of an answer for each that is asked for.

import NIOCore

/// Confined to its event loop. Reads from the socket only while somebody waits, so that a slow caller slows the daemon down and
/// nothing piles up; and while idle, to notice when the daemon hangs up.
final class ResponseHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private var parser = ResponseParser()
  private var waiting: EventLoopPromise<ResponseParser.Event>?
  private var timer: Scheduled<Void>?
  private var context: ChannelHandlerContext?
  private var isIdle = true
  /// True if no call has gone out yet: the daemon may refuse the peer as soon as it connects, before anything was asked.
  private var isFresh = true
  private var isClosed = false
  private var failure: TransportError?

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    end()
  }

  func channelActive(context: ChannelHandlerContext) {
    context.read()
    context.fireChannelActive()
  }

  /// True if a call can go out.
  var canBegin: Bool { isIdle && failure == nil && (!isClosed || (isFresh && parser.hasBegun)) }

  /// Makes ready for an answer.
  func begin() {
    isIdle = false
    if !isFresh { parser.begin() }
    isFresh = false
  }

  /// The next piece of the answer.
  func next(within seconds: Double?, on loop: any EventLoop) -> EventLoopFuture<ResponseParser.Event> {
    let promise = loop.makePromise(of: ResponseParser.Event.self)
    if let failure {
      promise.fail(failure)
      return promise.futureResult
    }
    waiting = promise
    if let seconds {
      let bound = NIOLoopBound(self, eventLoop: loop)
      timer = loop.scheduleTask(in: .nanoseconds(Int64(min(max(seconds, 0), 1e9) * 1e9))) { bound.value.fail(.timedOut(seconds: seconds)) }
    }
    serve()
    return promise.futureResult
  }

  /// True if any of the answer has come.
  var hasBegun: Bool { parser.hasBegun }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let buffer = unwrapInboundIn(data)
    if isIdle, !isFresh { return fail(.malformedAnswer(detail: "an answer came without a request")) }
    parser.feed(buffer.readableBytesView)
    serve()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if waiting != nil || (isIdle && !parser.hasBegun) { context.read() }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end()
    context.close(promise: nil)
  }

  /// Ends; what had come before is still handed over.
  private func end() {
    isClosed = true
    serve()
  }

  private func serve() {
    guard waiting != nil else { return }
    do throws(ResponseParser.Fault) {
      if let event = try parser.next() ?? (isClosed ? parser.close() : nil) {
        deliver(event)
      } else if isClosed {
        fail(.connectionClosed)
      } else {
        context?.read()
      }
    } catch {
      fail(.malformedAnswer(detail: error.detail))
    }
  }

  private func deliver(_ event: ResponseParser.Event) {
    // Taken first: closing below comes back here before it returns.
    let promise = takeWaiting()
    if case .end(let isReusable) = event {
      isIdle = true
      if isReusable, !isClosed { context?.read() } else { fail(.connectionClosed) }
    }
    promise?.succeed(event)
  }

  private func fail(_ error: TransportError) {
    if failure == nil { failure = error }
    let promise = takeWaiting()
    context?.close(promise: nil)
    promise?.fail(failure ?? error)
  }

  private func takeWaiting() -> EventLoopPromise<ResponseParser.Event>? {
    timer?.cancel()
    timer = nil
    defer { waiting = nil }
    return waiting
  }
}
