// One connection at the channel: carries events to its machine, and does what the machine says.

internal import Glibc
internal import NIOCore

/// Serves one connection. ``ConnectionMachine`` decides when it reads, waits and ends; `Connection+Serving.swift` turns requests into answers,
/// `Connection+Sending.swift` sends them.
final class Connection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let loop: ServingLoop
  let session: any Session
  let share: UserShare
  /// True if this connection is not served, which is said to its first request.
  let isRefused: Bool
  let usesReadyAnswers: Bool

  var machine: ConnectionMachine
  var parser: RequestParser
  var input = ByteBuffer()
  var exchange: Exchange?
  var body: [UInt8] = []
  var incoming: BodyPipe?
  var outgoing: OutgoingStream?
  /// Work of the pending request that is done elsewhere.
  var job: FairExecutor.Job?
  /// Bytes that may wait for the client, in the daemon and in the kernel; never too few.
  var answerBytes = 0
  /// Bytes that were handed to the channel since it had none.
  var queuedBytes = 0

  private(set) var context: ChannelHandlerContext?
  private(set) var outlet: SocketOutlet?
  /// True if the channel was asked for more and has brought nothing yet: to ask it again would do nothing.
  private var hasAsked = false
  /// The socket, to ask the kernel what waits in it, and for streams to write to; -1 when it is none.
  let descriptor: Int32
  private let whenClosed: () -> Void
  private var isServing = false
  private var hasBegun = false
  private(set) var waitsForTurn = false
  private var alarm: Scheduled<Void>?
  private var alarmTime = Int64.max

  init(
    _ loop: ServingLoop, _ session: any Session, descriptor: Int32 = -1, usesReadyAnswers: Bool, whenClosed: @escaping () -> Void
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

  private var view: ConnectionMachine.View {
    ConnectionMachine.View(
      hasInput: input.readableBytes > 0, isInBody: parser.isInBody, waitsForTurn: waitsForTurn, isBodyFull: incoming?.isFull == true,
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
    hasAsked = false
    var bytes = unwrapInboundIn(data)
    loop.counters.bytesIn += UInt64(bytes.readableBytes)
    if machine.dropsInput { return machine.dropped(bytes: bytes.readableBytes) }
    if input.readableBytes == 0 {
      input = bytes
    } else {
      // What is read already must not pile up in front of requests that never end where a read ends.
      if input.readerIndex > input.readableBytes { input.discardReadBytes() }
      input.writeBuffer(&bytes)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    let isBehindAnother = waitsForTurn
    wantTurn()
    if !isBehindAnother, machine.mayReadAhead(of: input.readableBytes) { ask(context) }
  }

  private func ask(_ context: ChannelHandlerContext) {
    if hasAsked { return }
    hasAsked = true
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

  // MARK: Turns

  /// Waits to be served in its user's turn, which comes when all that is readable now has been read.
  func wantTurn() {
    if waitsForTurn || machine.phase == .closed { return }
    waitsForTurn = true
    loop.queue(self)
  }

  func takeTurn() {
    waitsForTurn = false
    serve()
  }

  /// Goes on as far as the input, the pending answer, the client and its turn allow.
  func serve() {
    if isServing || waitsForTurn { return }
    isServing = true
    let began = loop.tick()
    let end = began + .microseconds(Int64(limits.turnMicroseconds))
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
      let isOver = max(steps, Int(served)) >= limits.turnRequestsMax || loop.eventLoop.now >= end
      if isOver, input.readableBytes > 0, machine.mayServe {
        wantTurn()
        break
      }
    }
    send()
    let took = (loop.eventLoop.now - began).nanoseconds
    share.loopTime &+= took
    if served > 0 { loop.counters.count(nanoseconds: took, by: served) }
    // Memory that nothing is left in goes back to where the next read takes its own from.
    if input.readableBytes == 0 { input = ByteBuffer() }
    isServing = false
    settle()
  }

  /// Gives an answer that came later, then goes on behind it: at once when nothing else was asked, else in turn.
  ///
  /// What is written may change at once whether the channel takes more; nothing is served until the answer is whole. It is sent at once too:
  /// the next connection that has its turn writes into the same buffer.
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
    if input.readableBytes > 0 { wantTurn() } else { serve() }
  }

  /// Waits until some of what the user has waiting was taken.
  private func holdBack() {
    machine.heldBack(true)
    loop.holdBack(self)
  }

  /// Looks whether there is room again, for the user or as far as this connection goes.
  var hasRoom: Bool {
    measure()
    return answerBytes <= share.partOfOne || !loop.isOverBound(share)
  }

  func letOn() {
    if machine.phase == .closed { return }
    machine.heldBack(false)
    wantTurn()
  }

  /// Reads on, waits or closes, and sets the time by which something must happen.
  private func settle() { perform(machine.settled(view, now: now)) }

  // MARK: What the machine says

  private func perform(_ acts: ConnectionMachine.Act) {
    guard let context, machine.phase != .closed else { return }
    setAlarm()
    if acts.isEmpty { return }
    if acts == .read { return ask(context) }
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
    if acts.contains(.read), machine.phase != .closed { ask(context) }
    if acts.contains(.serve) { serve() }
  }

  /// Closes the sending half when everything is sent. A channel whose client has closed its own half already would else be closed at once,
  /// and what waits in it lost.
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

  /// Ends the connection with the answers in flight; an idle one may still ask within a short grace.
  func drain() {
    if machine.phase == .streaming { outgoing?.drain() }
    _ = loop.tick()
    machine.drain(view, now: now)
    setAlarm()
  }

  func abort() { context?.close(promise: nil) }

  /// Moves the alarm. A later time costs nothing: the alarm that is set rings, sees that it is early, and is set again.
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

  // MARK: What waits for the client

  /// Counts bytes that were handed to the channel.
  func sent(bytes: Int, holding memory: Int) {
    // A write that meets a closed socket closes the channel before it returns.
    if machine.phase == .closed { return }
    answerBytes += bytes
    queuedBytes += memory
    share.count(answerBytes: bytes)
    if answerBytes >= limits.unmeasuredBytesMax { measure() }
  }

  /// Asks the channel and the kernel how much really waits.
  func measure() {
    // What the channel never had need not be asked of it.
    let queued = queuedBytes == 0 ? 0 : outlet?.bytesQueued ?? 0
    if queued == 0 { queuedBytes = 0 }
    let waiting = max(queued, queuedBytes) + (descriptor < 0 ? 0 : UnixAddress.unreadBytes(of: descriptor))
    share.count(answerBytes: waiting - answerBytes)
    answerBytes = waiting
  }
}
