// One connection: when it reads, when it waits, and how it ends.

internal import NIOCore

/// Serves one connection; order and back-pressure have their one place here.
///
/// While an answer is pending or the client does not take its answers, nothing is read and nothing parsed. The file beside this one,
/// `Connection+Serving.swift`, turns requests into answers.
final class Connection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  enum Phase {
    /// Heads and bodies are read.
    case reading
    /// A whole request waits for its answer.
    case answering
    /// An answer is being sent as it is made.
    case streaming
    /// The last answer is on its way out; then the output is closed.
    case closing
    /// The output is closed; what still comes in is dropped, so that the client can read what it was told.
    case lingering
    case closed
  }

  let loop: ServingLoop
  let session: any Session
  /// Whether this connection is not served, which is said to its first request.
  let isRefused: Bool
  let usesReadyAnswers: Bool

  var phase = Phase.reading
  var parser: RequestParser
  var input = ByteBuffer()
  var exchange: Exchange?
  var body: [UInt8] = []
  var incoming: BodyPipe?
  var outgoing: OutgoingStream?
  var isInputClosed = false
  var isWritable = true

  private(set) var context: ChannelHandlerContext?
  private let whenClosed: () -> Void
  private var isServing = false
  private var hasBegun = false
  private var deadline = NIODeadline.distantFuture
  private var readDeadline: NIODeadline?
  private var writeDeadline: NIODeadline?
  /// While the output is closed: how long and how much may still come in.
  private var linger: (end: NIODeadline, bytesLeft: Int)?
  private var alarm: Scheduled<Void>?
  private var alarmTime = NIODeadline.distantFuture

  init(_ loop: ServingLoop, _ session: any Session, usesReadyAnswers: Bool, whenClosed: @escaping () -> Void) {
    self.loop = loop
    self.session = session
    isRefused = session.refusal != nil
    self.usesReadyAnswers = usesReadyAnswers && !isRefused
    self.whenClosed = whenClosed
    parser = RequestParser(loop.limits)
  }

  var limits: ServerLimits { loop.limits }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if context.channel.isActive { begin(context) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end()
    self.context = nil
  }

  func channelActive(context: ChannelHandlerContext) { begin(context) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    loop.counters.bytesIn += UInt64(bytes.readableBytes)
    switch phase {
    case .lingering:
      linger?.bytesLeft -= bytes.readableBytes
      return
    case .closing, .closed: return
    case .reading, .answering, .streaming: break
    }
    if input.readableBytes == 0 {
      input = bytes
    } else {
      // What is read already must not pile up in front of requests that never end where a read ends.
      if input.readerIndex > input.readableBytes { input.discardReadBytes() }
      input.writeBuffer(&bytes)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) { serve() }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    isWritable = context.channel.isWritable
    if isWritable, phase == .streaming { outgoing?.becameWritable() }
    serve()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let event = event as? ChannelEvent, event == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
    isInputClosed = true
    if phase == .lingering { context.close(promise: nil) } else { serve() }
  }

  func channelInactive(context: ChannelHandlerContext) { end() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func begin(_ context: ChannelHandlerContext) {
    if hasBegun { return }
    hasBegun = true
    loop.connections[ObjectIdentifier(self)] = self
    _ = loop.tick()
    settle()
  }

  private func end() {
    if phase == .closed { return }
    phase = .closed
    alarm?.cancel()
    alarm = nil
    input = ByteBuffer()
    dropBody()
    exchange?.task?.cancel()
    incoming?.fail(.clientGone)
    incoming = nil
    outgoing?.closed()
    outgoing = nil
    loop.remove(self)
    whenClosed()
  }

  /// Goes on as far as the input, the pending answer and the client allow.
  func serve() {
    if isServing { return }
    isServing = true
    let began = loop.tick()
    var served: UInt64 = 0
    while phase == .reading, isWritable, incoming?.isFull != true {
      let goesOn = advance(&served)
      if !goesOn || loop.output.readableBytes >= limits.outputSliceBytes { send() }
      if !goesOn { break }
    }
    send()
    // Memory that nothing is left in goes back to where the next read takes its own from.
    if input.readableBytes == 0 { input = ByteBuffer() }
    if served > 0 { loop.counters.count(nanoseconds: (loop.eventLoop.now - began).nanoseconds, by: served) }
    isServing = false
    settle()
  }

  /// Sends what this pass has written.
  func send() {
    guard let output = loop.takeOutput() else { return }
    loop.counters.bytesOut += UInt64(output.readableBytes)
    context?.writeAndFlush(wrapOutboundOut(output), promise: nil)
    loop.clearOutput()
  }

  /// Reads on, waits or closes, and sets the time by which something must happen.
  private func settle() {
    guard let context, phase != .closed else { return }
    if phase == .reading, isInputClosed, isWritable, incoming?.isFull != true {
      // All that came is answered, and no more can come.
      incoming?.fail(.clientGone)
      incoming = nil
      phase = .closing
    }
    if phase == .closing { return closeOutput(context) }
    if phase == .lingering { return goOnLingering(context) }
    setDeadline()
    // While a request waits for its answer the client has nothing to send, as a rule: one read may stand ready then, instead of being taken out
    // of the selector for each request and put back.
    let mayRead = phase == .reading || (phase == .answering && input.readableBytes == 0)
    if mayRead, isWritable, incoming?.isFull != true, !isInputClosed { context.read() }
  }

  /// Half-closes once everything is sent, and lingers: closing at once, with unread bytes, would take the last answer from the client.
  private func closeOutput(_ context: ChannelHandlerContext) {
    phase = .lingering
    input = ByteBuffer()
    arm(loop.now + .seconds(Int64(limits.writeTimeoutSeconds)))
    let isClosed = context.eventLoop.makePromise(of: Void.self)
    isClosed.futureResult.assumeIsolated().whenComplete { result in
      guard self.phase == .lingering, let context = self.context else { return }
      if case .failure = result { return context.close(promise: nil) }
      if self.isInputClosed { return context.close(promise: nil) }
      self.linger = (context.eventLoop.now + .seconds(Int64(self.limits.lingerSecondsMax)), self.limits.lingerBytesMax)
      self.goOnLingering(context)
    }
    context.close(mode: .output, promise: isClosed)
    if phase == .lingering { context.read() }
  }

  /// Reads and drops for as long as something comes in, within bounds: a client that sends slowly is not cut off, and none can go on for ever.
  private func goOnLingering(_ context: ChannelHandlerContext) {
    if let linger {
      if linger.bytesLeft < 0 { return context.close(promise: nil) }
      arm(min(linger.end, context.eventLoop.now + .milliseconds(Int64(limits.lingerMilliseconds))))
    }
    context.read()
  }

  /// Ends the connection with the answers in flight; an idle one may still ask within a short grace.
  func drain() {
    if phase == .streaming { outgoing?.drain() }
    if isIdle { arm(loop.eventLoop.now + .milliseconds(Int64(limits.drainGraceMilliseconds))) }
  }

  func abort() { context?.close(promise: nil) }

  private var isIdle: Bool { phase == .reading && input.readableBytes == 0 && !parser.isInBody }

  private func setDeadline() {
    let now = loop.now
    if !isWritable {
      let due = writeDeadline ?? now + .seconds(Int64(limits.writeTimeoutSeconds))
      writeDeadline = due
      return arm(due)
    }
    writeDeadline = nil
    guard phase == .reading, incoming?.isFull != true else {
      readDeadline = nil
      deadline = .distantFuture
      return
    }
    if isIdle {
      readDeadline = nil
      if isRefused {
        if deadline == .distantFuture { arm(now + .seconds(Int64(limits.refusalTimeoutSeconds))) }
      } else if loop.isDraining {
        arm(now + .milliseconds(Int64(limits.drainGraceMilliseconds)))
      } else {
        arm(now + .seconds(Int64(limits.idleTimeoutSeconds)))
      }
    } else if readDeadline == nil {
      let seconds =
        isRefused ? limits.refusalTimeoutSeconds : parser.isInBody ? limits.bodyTimeoutSeconds : limits.headerTimeoutSeconds
      readDeadline = now + .seconds(Int64(seconds))
      arm(now + .seconds(Int64(seconds)))
    } else if let readDeadline {
      arm(readDeadline)
    }
  }

  /// Starts the time of the next part, head or body; what has passed on the one before does not count.
  func restartReadDeadline() { readDeadline = nil }

  /// Moves the deadline. A later one costs nothing: the alarm that is set rings, sees that it is early, and is set again.
  private func arm(_ due: NIODeadline) {
    deadline = due
    if alarm != nil, alarmTime <= due { return }
    alarm?.cancel()
    alarmTime = due
    alarm = loop.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.ring() }
  }

  private func ring() {
    alarm = nil
    guard phase != .closed, deadline != .distantFuture else { return }
    if loop.tick() < deadline { return arm(deadline) }
    deadlinePassed()
  }

  private func deadlinePassed() {
    guard let context else { return }
    switch phase {
    case .reading where isWritable:
      if isRefused {
        refuse(nil)
      } else if isIdle {
        if !loop.isDraining { loop.counters.timeouts += 1 }
        phase = .closing
      } else {
        loop.counters.timeouts += 1
        refuse((parser.isInBody ? RequestFault.bodyTimeout : .headTimeout).fault(limits))
      }
      send()
      settle()
    case .reading, .streaming, .answering:
      loop.counters.timeouts += 1
      context.close(promise: nil)
    case .closing, .lingering: context.close(promise: nil)
    case .closed: break
    }
  }
}
