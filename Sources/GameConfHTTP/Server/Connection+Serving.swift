// Requests to answers on one connection: the ready ones straight from the bytes, the others by the router.

internal import GameConfAPI
internal import NIOCore

/// A request between its head and its answer.
final class Exchange {
  let text: HeadText
  let arrived: NIODeadline
  /// The call it asks for, or why there is none.
  let match: Result<RouteMatch, Problem>
  var closes: Bool
  var isHead: Bool { text.head.method == .head }
  var ordinal: Int { if case .success(let match) = match { match.ordinal } else { -1 } }

  init(_ text: HeadText, _ match: Result<RouteMatch, Problem>, arrived: NIODeadline, closes: Bool) {
    self.text = text
    self.match = match
    self.arrived = arrived
    self.closes = closes
  }
}

extension Connection {
  /// Takes one step in the input; false when it needs more bytes.
  func advance(_ served: inout UInt64) -> Bool {
    let (used, step) = input.withUnsafeReadableBytes { answerReady($0, &served) }
    input.moveReaderIndex(forwardBy: used)
    switch step {
    case .more: return false
    case .framing(let bytes): input.moveReaderIndex(forwardBy: bytes)
    case .head(let bytes): headArrived(bytes)
    case .content(let bytes): contentArrived(bytes)
    case .end(let bytes):
      input.moveReaderIndex(forwardBy: bytes)
      contentEnded()
    case .failed(let fault): refuse(fault)
    }
    return true
  }

  /// Answers every request at the front whose answer lies ready, and says what comes after them.
  private func answerReady(_ bytes: UnsafeRawBufferPointer, _ served: inout UInt64) -> (used: Int, RequestParser.Step) {
    var used = 0
    let ready = loop.state.ready
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
      let step = parser.next(rest)
      guard usesReadyAnswers, case .head(let length) = step, parser.head.isPlain else { return (used, step) }
      let head = parser.head
      let closes = head.traits.contains(.closes) || loop.isDraining
      let target = UnsafeRawBufferPointer(rebasing: rest[head.target])
      let answer = { (answer: UnsafeRawBufferPointer, headEnd: Int, endpoint: Int, tally: Int) in
        self.copy(answer, headEnd: headEnd, isHead: head.method == .head, closes: closes)
        self.loop.counters.count(endpoint: endpoint, status: 200)
        return tally
      }
      if let tally = ready.withAnswer(to: target, answer) {
        loop.counters.count(tally: tally)
      } else if let number = loop.kept.ready.withAnswer(to: target, answer) {
        loop.kept.count(number, in: &loop.counters)
      } else {
        return (used, step)
      }
      used += length
      served += 1
      loop.counters.readyAnswers += 1
      restartReadDeadline()
      if closes { phase = .closing }
      if closes || loop.output.readableBytes >= limits.outputSliceBytes { return (used, .framing(bytes: 0)) }
    }
  }

  private func copy(_ answer: UnsafeRawBufferPointer, headEnd: Int, isHead: Bool, closes: Bool) {
    let at = loop.output.writerIndex
    if !isHead, !closes {
      loop.output.writeBytes(answer)
    } else {
      loop.output.writeBytes(UnsafeRawBufferPointer(rebasing: answer[..<headEnd]))
      if closes { loop.output.writeStaticString(AnswerEncoder.closeField) }
      loop.output.writeBytes(UnsafeRawBufferPointer(rebasing: answer[headEnd..<(isHead ? headEnd + 2 : answer.count)]))
    }
    loop.output.setBytes(loop.date, at: at + AnswerEncoder.okDateOffset)
  }

  private func headArrived(_ length: Int) {
    let head = parser.head
    guard let bytes = input.readBytes(length: length) else { return }
    let text = HeadText(bytes: bytes, head: head)
    restartReadDeadline()
    let refused = refusal ?? Gate.refusal(of: text, on: peer)
    let match = refused.map { .failure($0) } ?? loop.router.match(text, on: peer.socket)
    exchange = Exchange(text, match, arrived: loop.now, closes: head.traits.contains(.closes) || loop.isDraining)
    if let refused { return answerAndClose(refused) }
    if !head.hasContent { return answer(body: []) }
    var bodyBytesMax = limits.bodyBytesMax
    if case .success(let match) = match {
      bodyBytesMax = match.route.bodyBytesMax ?? bodyBytesMax
    } else if case .failure(let problem) = match, head.traits.contains(.expectsContinue) {
      return answerAndClose(problem)
    }
    if let fault = parser.admitContent(bytesMax: bodyBytesMax) { return refuse(fault) }
    if head.traits.contains(.expectsContinue) { loop.output.writeStaticString("HTTP/1.1 100 Continue\r\n\r\n") }
    if case .success(let match) = match, case .streamed(let work) = match.route.work {
      if let problem = MediaType.refusal(of: text, to: match.endpoint) { return answerAndClose(problem) }
      return answerStreamed(match, work)
    }
    body = []
    if let length = head.contentLength { body.reserveCapacity(min(length, 64 << 10)) }
  }

  private func contentArrived(_ length: Int) {
    if let incoming {
      guard let bytes = input.readBytes(length: length) else { return }
      incoming.append(bytes)
      restartReadDeadline()
    } else {
      if loop.bodyBytes + length > limits.bodyBytesHeldMax {
        return answerAndClose(
          Problem(.serverFull, "The server holds as many bytes of unfinished bodies as it may; try again.", retryAfterSeconds: 1))
      }
      loop.bodyBytes += length
      input.withUnsafeReadableBytes { body += $0.prefix(length) }
      input.moveReaderIndex(forwardBy: length)
    }
  }

  /// Lets go of a body that is held.
  func dropBody() {
    loop.bodyBytes -= body.count
    body = []
  }

  private func contentEnded() {
    restartReadDeadline()
    if let incoming {
      phase = .answering
      self.incoming = nil
      incoming.finish()
    } else {
      let whole = body
      dropBody()
      answer(body: whole)
    }
  }

  private func refuse(_ fault: RequestFault) { answerAndClose(Problem(fault.code, fault.detail(limits))) }

  /// Says this as the last thing on this connection.
  func answerAndClose(_ problem: Problem) {
    incoming?.fail(problem)
    incoming = nil
    dropBody()
    if exchange == nil {
      exchange = Exchange(HeadText(bytes: [], head: RequestHead()), .failure(problem), arrived: loop.now, closes: true)
    }
    exchange?.closes = true
    finish(problem.answer)
  }

  private func answer(body: [UInt8]) {
    guard let exchange else { return }
    switch exchange.match {
    case .failure(let problem): finish(problem.answer)
    case .success(let match):
      if !body.isEmpty, let problem = MediaType.refusal(of: exchange.text, to: match.endpoint) { return finish(problem.answer) }
      guard case .whole(let handler) = match.route.work else {
        return answerStreamed(match, ended: true)
      }
      if usesReadyAnswers, !loop.kept.isEmpty, let kept = kept(for: exchange.text) { return finish(kept) }
      do {
        reply(try handler(request(match, body: body)))
      } catch {
        finish(error.answer)
      }
    }
  }

  /// The kept answer of a request that is not plain only because it is conditional.
  private func kept(for text: HeadText) -> Answer? {
    guard text.head.method == .get || text.head.method == .head, !text.head.hasContent else { return nil }
    guard let found = loop.kept.answer(to: text.target) else { return nil }
    loop.kept.count(found.number, in: &loop.counters)
    return found.answer
  }

  /// Keeps an answer for those who ask next; its tag is made once.
  private func keeping(_ original: Answer) -> Answer {
    var answer = original
    if answer.entityTag == nil { answer.entityTag = EntityTag(of: answer.body) }
    loop.kept.keep(answer, endpoint: exchange?.ordinal ?? -1, now: loop.second, limits: limits)
    return answer
  }

  private func request(_ match: RouteMatch, body: [UInt8]) -> Request {
    Request(match, exchange?.text ?? HeadText(bytes: [], head: RequestHead()), body: body, peer: peer, on: loop)
  }

  private func reply(_ reply: Reply) {
    switch reply {
    case .now(let answer):
      if usesReadyAnswers, answer.standing != nil { return finish(keeping(answer)) }
      finish(answer)
    case .later(let future): wait(for: future)
    case .task(let work): wait(for: loop.eventLoop.answer(of: work))
    case .stream(let streamed): begin(streamed)
    case .streamTask(let work):
      phase = .answering
      loop.eventLoop.answer(of: work).assumeIsolated().whenComplete { self.prepared($0) }
    }
  }

  private func prepared(_ result: Result<StreamedAnswer, any Error>) {
    guard phase == .answering else { return }
    phase = .reading
    _ = loop.tick()
    switch result {
    case .success(let streamed): begin(streamed)
    case .failure(let problem as Problem): finish(problem.answer)
    case .failure: finish(Problem(.internalFault, "The daemon could not answer; its log says why.").answer)
    }
    serve()
  }

  private func answerStreamed(
    _ match: RouteMatch, _ work: @escaping @Sendable (Request, IncomingBody) async throws(Problem) -> Answer
  ) {
    let pipe = BodyPipe(loop.eventLoop) { [weak self] in self?.serve() }
    incoming = pipe
    begin(work, request(match, body: []), IncomingBody(pipe))
  }

  /// A streamed route's request without a body.
  private func answerStreamed(_ match: RouteMatch, ended: Bool) {
    guard case .streamed(let work) = match.route.work else { return }
    let pipe = BodyPipe(loop.eventLoop) {}
    pipe.finish()
    phase = .answering
    begin(work, request(match, body: []), IncomingBody(pipe))
  }

  private func begin(
    _ work: @escaping @Sendable (Request, IncomingBody) async throws(Problem) -> Answer, _ request: Request, _ body: IncomingBody
  ) {
    let future = loop.eventLoop.answer(of: { () async throws(Problem) -> Answer in try await work(request, body) })
    future.assumeIsolated().whenComplete { self.answered($0) }
  }

  private func wait(for future: EventLoopFuture<Answer>) {
    phase = .answering
    future.hop(to: loop.eventLoop).assumeIsolated().whenComplete { self.answered($0) }
  }

  private func answered(_ result: Result<Answer, any Error>) {
    // An answer before its body's end: the rest of the body is not wanted, and the connection cannot go on behind it.
    if phase == .reading, let incoming {
      exchange?.closes = true
      incoming.fail(Problem(.malformedRequest, "The call was answered before its body was whole."))
      self.incoming = nil
    } else if phase == .answering {
      phase = .reading
    } else {
      return
    }
    _ = loop.tick()
    switch result {
    case .success(let answer): finish(answer)
    case .failure(let problem as Problem): finish(problem.answer)
    case .failure: finish(Problem(.internalFault, "The daemon could not answer; its log says why.").answer)
    }
    serve()
  }

  /// Writes the answer and counts it.
  func finish(_ original: Answer) {
    guard let exchange else { return }
    self.exchange = nil
    let answer = Condition.applied(to: original, exchange)
    let isBodiless = answer.status == 204 || answer.status == 304
    let closes = exchange.closes || loop.isDraining
    loop.scratch.removeAll(keepingCapacity: true)
    AnswerEncoder.appendHead(
      of: answer, AnswerFrame(isHead: exchange.isHead, closes: closes, contentLength: isBodiless ? nil : answer.body.count),
      date: loop.date, to: &loop.scratch)
    loop.output.writeBytes(loop.scratch)
    if !isBodiless, !exchange.isHead { loop.output.writeBytes(answer.body) }
    loop.counters.count(endpoint: exchange.ordinal, status: answer.status)
    loop.counters.count(nanoseconds: (loop.eventLoop.now - exchange.arrived).nanoseconds)
    restartReadDeadline()
    if closes { phase = .closing }
  }

  /// Writes the head of a streamed answer and lets its producer begin.
  private func begin(_ streamed: StreamedAnswer) {
    guard let exchange, let context else { return }
    self.exchange = nil
    var closes = exchange.closes || loop.isDraining
    let framing: OutgoingStream.Framing
    if let length = streamed.contentLength {
      framing = .length(length)
    } else if exchange.text.head.isVersion10 {
      framing = .untilClose
      closes = true
    } else {
      framing = .chunked
    }
    loop.scratch.removeAll(keepingCapacity: true)
    AnswerEncoder.appendHead(
      of: streamed.head,
      AnswerFrame(isHead: exchange.isHead, closes: closes, contentLength: streamed.contentLength, isChunked: framing == .chunked),
      date: loop.date, to: &loop.scratch)
    loop.output.writeBytes(loop.scratch)
    loop.counters.count(endpoint: exchange.ordinal, status: streamed.head.status)
    if exchange.isHead {
      if closes { phase = .closing }
      return
    }
    send()
    phase = .streaming
    loop.counters.streams += 1
    let stream = OutgoingStream(framing, context.channel, limits.streamBytesQueuedMax) { [weak self] ending in
      self?.streamEnded(ending, closes: closes)
    }
    outgoing = stream
    streamed.begin(stream)
  }

  private func streamEnded(_ ending: OutgoingStream.Ending, closes: Bool) {
    loop.counters.streams -= 1
    outgoing = nil
    guard phase == .streaming else { return }
    switch ending {
    case .whole:
      phase = closes || loop.isDraining ? .closing : .reading
      serve()
    case .broken: abort()
    }
  }
}

extension EventLoop {
  /// The answer of a task, as a future.
  fileprivate func answer<Made: Sendable>(of work: @escaping @Sendable () async throws(Problem) -> Made) -> EventLoopFuture<Made> {
    let promise = makePromise(of: Made.self)
    Task {
      do throws(Problem) {
        promise.succeed(try await work())
      } catch {
        promise.fail(error)
      }
    }
    return promise.futureResult
  }
}
