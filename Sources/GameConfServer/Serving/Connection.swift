// The channel handler of one connection. It passes events to the connection's state machine and performs the actions of the machine.

internal import Glibc
internal import NIOCore

/// One client connection. ``ConnectionMachine`` decides when the connection reads, waits and closes. `Connection+Serving.swift` answers
/// requests, and `Connection+Sending.swift` sends the answers.
final class Connection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let loop: ServingLoop
  let session: any ClientSession
  let share: UserShare
  /// True if the client is refused. The answer to its first request has the reason, and the connection then closes.
  let isRefused: Bool
  let usesReadyAnswers: Bool

  var machine: ConnectionMachine
  var parser: RequestParser
  var input = ByteBuffer()
  var exchange: Exchange?
  var body: [UInt8] = []
  var incoming: BodyPipe?
  var outgoing: OutgoingStream?
  /// The job on another thread that answers the pending request; nil if there is no such job.
  var job: FairExecutor.Job?
  /// An upper bound of the bytes of answers that the client has not read yet, in the daemon and in the kernel.
  var answerBytes = 0
  /// The bytes that were passed to the channel since the channel's queue was empty for the last time.
  var queuedBytes = 0

  private(set) var context: ChannelHandlerContext?
  private(set) var outlet: SocketOutlet?
  /// True if a read was requested from the channel, which has not delivered any bytes yet. A second request would have no effect.
  private var isReadPending = false
  /// The socket's descriptor, for the kernel's counts of unread bytes and for direct writes; -1 if the channel has no socket.
  let descriptor: Int32
  private let whenClosed: () -> Void
  private var isServing = false
  private var hasBegun = false
  private(set) var waitsForSlice = false
  private var alarm: Scheduled<Void>?
  private var alarmTime = Int64.max

  init(
    _ loop: ServingLoop, _ session: any ClientSession, descriptor: Int32 = -1, usesReadyAnswers: Bool, whenClosed: @escaping () -> Void
  ) {
    self.loop = loop
    self.session = session
    self.descriptor = descriptor
    isRefused = session.refusal != nil
    share = loop.share(of: session)
    self.usesReadyAnswers = usesReadyAnswers && !isRefused
    self.whenClosed = whenClosed
    parser = RequestParser(loop.limits)
    machine = ConnectionMachine(loop.limits, isRefused: isRefused)
  }

  var limits: ServerLimits { loop.limits }

  private var now: Int64 { Int64(loop.now.uptimeNanoseconds) }

  private var view: ConnectionMachine.BufferState {
    ConnectionMachine.BufferState(
      hasInput: input.readableBytes > 0, isInBody: parser.isInBody, waitsForSlice: waitsForSlice, isBodyFull: incoming?.isFull == true,
      isDraining: loop.isDraining)
  }

  // MARK: The channel's events

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    outlet = SocketOutlet(context.channel, descriptor: descriptor)
    if context.channel.isActive { begin() }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end()
    self.context = nil
    outlet = nil
  }

  func channelActive(context: ChannelHandlerContext) { begin() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    isReadPending = false
    var bytes = unwrapInboundIn(data)
    loop.counters.bytesIn += UInt64(bytes.readableBytes)
    if machine.dropsInput { return machine.dropped(bytes: bytes.readableBytes) }
    if input.readableBytes == 0 {
      input = bytes
    } else {
      // Without this, parsed bytes would accumulate in the buffer of a client whose requests never end at the end of a read.
      if input.readerIndex > input.readableBytes { input.discardReadBytes() }
      input.writeBuffer(&bytes)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    let isBehindAnother = waitsForSlice
    requestSlice()
    if !isBehindAnother, machine.mayReadAhead(of: input.readableBytes) { requestRead(context) }
  }

  private func requestRead(_ context: ChannelHandlerContext) {
    if isReadPending { return }
    isReadPending = true
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) { perform(machine.writabilityChanged(context.channel.isWritable)) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let event = event as? ChannelEvent, event == .inputClosed else { return context.fireUserInboundEventTriggered(event) }
    perform(machine.inputClosed())
  }

  func channelInactive(context: ChannelHandlerContext) { end() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func begin() {
    if hasBegun { return }
    hasBegun = true
    loop.connections[ObjectIdentifier(self)] = self
    share.connections[ObjectIdentifier(self)] = self
    _ = loop.tick()
    settle()
  }

  private func end() {
    if machine.phase == .closed { return }
    machine.closed()
    alarm?.cancel()
    alarm = nil
    input = ByteBuffer()
    dropBody()
    job?.cancel()
    job = nil
    exchange?.task?.cancel()
    incoming?.fail(.clientGone)
    incoming = nil
    outgoing?.closed()
    outgoing = nil
    share.count(answerBytes: -answerBytes)
    answerBytes = 0
    loop.remove(self)
    whenClosed()
  }

  // MARK: Slices of the event loop's time

  /// Queues the connection for its user's next slice of the event loop's time. Slices begin when all that is readable has been read.
  func requestSlice() {
    if waitsForSlice || machine.phase == .closed { return }
    waitsForSlice = true
    loop.queue(self)
  }

  func runSlice() {
    waitsForSlice = false
    serve()
  }

  /// Answers requests until no input is left, an answer is pending, the client leaves answers unread, or the slice of time is over.
  func serve() {
    if isServing || waitsForSlice { return }
    isServing = true
    let began = loop.tick()
    let end = began + .microseconds(Int64(limits.sliceMicroseconds))
    var (served, steps): (UInt64, Int) = (0, 0)
    while machine.mayServe, incoming?.isFull != true {
      if answerBytes > share.partOfOne, share.bound() != nil, loop.isOverBound(share) {
        holdBack()
        break
      }
      let goesOn = advance(&served)
      if !goesOn || loop.output.readableBytes >= limits.outputSliceBytes { send() }
      if !goesOn { break }
      steps += 1
      let isOver = max(steps, Int(served)) >= limits.sliceRequestsMax || loop.eventLoop.now >= end
      if isOver, input.readableBytes > 0, machine.mayServe {
        requestSlice()
        break
      }
    }
    send()
    let took = (loop.eventLoop.now - began).nanoseconds
    share.loopTime &+= took
    if served > 0 { loop.counters.count(nanoseconds: took, by: served) }
    // An idle connection must not hold the memory of its input buffer, which the allocator reuses for the next read.
    if input.readableBytes == 0 { input = ByteBuffer() }
    isServing = false
    settle()
  }

  /// Writes an answer that was pending, then goes on with the input. Input that arrived while the answer was pending waits for the user's
  /// next slice.
  ///
  /// Writing may change the channel's writability at any moment, so no request is served until the answer is complete. The answer is also
  /// sent immediately, because the next connection writes into the same output buffer.
  func resume(_ answer: () -> Void) {
    let wasServing = isServing
    isServing = true
    _ = loop.tick()
    answer()
    send()
    isServing = wasServing
    if !wasServing { goOn() }
  }

  func goOn() {
    if input.readableBytes > 0 { requestSlice() } else { serve() }
  }

  /// Stops reading requests until the user's clients have read some of their answers (back-pressure).
  private func holdBack() {
    machine.heldBack(true)
    loop.holdBack(self)
  }

  /// True if the user, or at least this connection, may have more unread bytes of answers. Reading the property measures the unread bytes.
  var hasCapacity: Bool {
    measure()
    return answerBytes <= share.partOfOne || !loop.isOverBound(share)
  }

  func letOn() {
    if machine.phase == .closed { return }
    machine.heldBack(false)
    requestSlice()
  }

  /// Lets the state machine decide to read, wait or close, and sets the timer of its deadline.
  private func settle() { perform(machine.settled(view, now: now)) }

  // MARK: Actions of the state machine

  private func perform(_ acts: ConnectionMachine.Action) {
    guard let context, machine.phase != .closed else { return }
    setAlarm()
    if acts.isEmpty { return }
    if acts == .read { return requestRead(context) }
    if acts.contains(.countTimeout) { loop.counters.timeouts += 1 }
    if acts.contains(.endBody) {
      incoming?.fail(.clientGone)
      incoming = nil
    }
    if acts.contains(.close) { return context.close(promise: nil) }
    if acts.contains(.refuse) {
      refuse(isRefused ? nil : (parser.isInBody ? RequestFault.bodyTimeout : .headTimeout).fault(limits))
      send()
      settle()
    }
    if acts.contains(.stream) { outgoing?.becameWritable() }
    if acts.contains(.finishOutput) { finishOutput(context) }
    if acts.contains(.read), machine.phase != .closed { requestRead(context) }
    if acts.contains(.serve) { serve() }
  }

  /// Flushes the output, then closes the sending half of the connection. If the client has already closed its sending half, closing before
  /// the flush would close the whole channel and lose the unsent bytes.
  private func finishOutput(_ context: ChannelHandlerContext) {
    input = ByteBuffer()
    let isSent = context.eventLoop.makePromise(of: Void.self)
    isSent.futureResult.assumeIsolated().whenComplete { result in
      guard let context = self.context, self.machine.phase == .finishing else { return }
      guard case .success = result else { return self.outputFinished(false) }
      if self.machine.isInputClosed { return self.outputFinished(true) }
      let isClosed = context.eventLoop.makePromise(of: Void.self)
      isClosed.futureResult.assumeIsolated().whenComplete { result in
        if case .success = result { self.outputFinished(true) } else { self.outputFinished(false) }
      }
      context.close(mode: .output, promise: isClosed)
    }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: isSent)
  }

  private func outputFinished(_ isSent: Bool) { perform(machine.outputFinished(isSent, now: Int64(loop.eventLoop.now.uptimeNanoseconds))) }

  /// Ends the connection after the answers in progress, because the server stops. An idle client may send another request for a short time.
  func drain() {
    if machine.phase == .streaming { outgoing?.drain() }
    _ = loop.tick()
    machine.drain(view, now: now)
    setAlarm()
  }

  func abort() { context?.close(promise: nil) }

  /// Sets the timer for the state machine's deadline. If the deadline is later than the end of a running timer, the timer fires early and
  /// is set again.
  private func setAlarm() {
    let due = machine.deadline
    if due == .max || (alarm != nil && alarmTime <= due) { return }
    alarm?.cancel()
    alarmTime = due
    alarm = loop.eventLoop.assumeIsolated().scheduleTask(deadline: .uptimeNanoseconds(UInt64(due))) { self.ring() }
  }

  private func ring() {
    alarm = nil
    _ = loop.tick()
    perform(machine.rang(view, now: now) { descriptor >= 0 && UnixAddress.hasInput(descriptor) })
  }

  // MARK: Bytes that the client has not read

  /// Counts bytes of answers that were sent to the socket or passed to the channel.
  /// - Parameter memory: The bytes of memory that the channel's queue holds for them.
  func sent(bytes: Int, holding memory: Int) {
    // A write to a closed socket closes the channel before the write returns. Bytes of a closed connection must not be counted.
    if machine.phase == .closed { return }
    answerBytes += bytes
    queuedBytes += memory
    share.count(answerBytes: bytes)
    if answerBytes >= limits.unmeasuredBytesMax { measure() }
  }

  /// Replaces the estimate of the client's unread bytes by the numbers that the channel and the kernel report.
  func measure() {
    // The query of the channel is skipped if no bytes were passed to it.
    let queued = queuedBytes == 0 ? 0 : outlet?.bytesQueued ?? 0
    if queued == 0 { queuedBytes = 0 }
    let waiting = max(queued, queuedBytes) + (descriptor < 0 ? 0 : UnixAddress.unreadBytes(of: descriptor))
    share.count(answerBytes: waiting - answerBytes)
    answerBytes = waiting
  }
}
