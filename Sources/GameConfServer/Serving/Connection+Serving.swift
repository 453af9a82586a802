// Answers the requests of one connection. Precomputed answers are copied as bytes; all others come from the application's handlers.

internal import NIOCore

extension Connection {
  /// Processes the next step of the request parser. Returns false if the parser needs more bytes.
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
    case .failed(let fault): refuse(fault.fault(limits))
    }
    return true
  }

  /// Answers requests at the front of the input as long as they have a precomputed answer. Returns the number of input bytes used, and the
  /// parser's next step.
  private func answerReady(_ bytes: UnsafeRawBufferPointer, _ served: inout UInt64) -> (used: Int, RequestParser.ParserEvent) {
    var used = 0
    let ready = loop.ready
    let marks = session.socket.marksReads ? loop.marks : nil
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[used...])
      let step = parser.next(rest)
      guard usesReadyAnswers, case .head(let length) = step, parser.head.isPlain else { return (used, step) }
      let head = parser.head
      let closes = head.traits.contains(.closes) || loop.isDraining
      let target = UnsafeRawBufferPointer(rebasing: rest[head.target])
      let answer = { (answer: UnsafeRawBufferPointer, headEnd: Int, route: Int, counts: AnswerCounterPositions) in
        self.copy(answer, headEnd: headEnd, isHead: head.method == .head, closes: closes)
        self.loop.counters.count(route: route, status: 200)
        if self.loop.isObserved { self.show(answer, headEnd: headEnd, to: target) }
        return counts
      }
      if let counts = ready.withAnswer(to: target, answer) {
        loop.counters.count(tally: counts.tally)
        marks?.note(counts, second: loop.second)
      } else if let counts = loop.cached.ready.withAnswer(to: target, answer) {
        loop.cached.count(counts.tally, in: &loop.counters)
        marks?.note(counts, second: loop.second)
      } else {
        return (used, step)
      }
      used += length
      served += 1
      loop.counters.readyAnswers += 1
      machine.answered(closes: closes)
      if closes || loop.output.readableBytes >= limits.outputSliceBytes || served >= UInt64(limits.sliceRequestsMax) {
        return (used, .framing(bytes: 0))
      }
    }
  }

  /// Passes a precomputed answer to the observer of the event loop. It is not inlined, to stay out of the fast path without an observer.
  @inline(never)
  private func show(_ answer: UnsafeRawBufferPointer, headEnd: Int, to target: UnsafeRawBufferPointer) {
    session.show(ready: UnsafeRawBufferPointer(rebasing: answer[(headEnd + 2)...]), to: target)
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
    let text = RequestHeadBytes(bytes: bytes, head: head)
    machine.partArrived()
    let gated = isRefused ? nil : BrowserGuard.refusal(of: text, from: session.credentials)
    let exchange = session.exchange(text, arrived: loop.now, closes: head.traits.contains(.closes) || loop.isDraining, refused: gated)
    self.exchange = exchange
    if isRefused || gated != nil { return refuse(nil) }
    if !head.hasContent { return answer(body: []) }
    let refusal = exchange.refusal
    if refusal != nil, head.traits.contains(.expectsContinue) { return refuse(nil) }
    if let fault = parser.admitContent(bytesMax: exchange.bodyBytesMax ?? limits.bodyBytesMax) { return refuse(fault.fault(limits)) }
    if head.traits.contains(.expectsContinue) { loop.output.writeStaticString("HTTP/1.1 100 Continue\r\n\r\n") }
    if exchange.takesStream {
      if let problem = exchange.mediaRefusal() { return answerAndClose(problem) }
      return answerStreamed(exchange)
    }
    body = []
  }

  private func contentArrived(_ length: Int) {
    if let incoming {
      guard let bytes = input.readBytes(length: length) else { return }
      incoming.append(bytes)
      machine.partArrived()
    } else {
      switch share.hold(bodyBytes: length) {
      case .user?: return refuse(.userHoldsTooMuch)
      case .all?: return refuse(.serverHoldsTooMuch)
      case nil: break
      }
      input.withUnsafeReadableBytes { body += $0.prefix(length) }
      input.moveReaderIndex(forwardBy: length)
    }
  }

  /// Releases the memory of the received request body, and its part of the user's quota.
  func dropBody() {
    share.release(bodyBytes: body.count)
    body = []
  }

  private func contentEnded() {
    machine.partArrived()
    if let incoming {
      machine.beganAnswering()
      self.incoming = nil
      incoming.finish()
    } else {
      answer(body: body)
    }
  }

  /// Answers the present request and then closes the connection. The answer is the fault or, if it is nil, the refusal by the request's
  /// route or of its client.
  func refuse(_ fault: ServerFault?) {
    let exchange =
      self.exchange
      ?? session.exchange(RequestHeadBytes(bytes: [], head: RequestHead()), arrived: loop.now, closes: true, refused: fault)
    self.exchange = exchange
    incoming?.fail(fault ?? .clientGone)
    incoming = nil
    answerAndClose(fault.map(exchange.answer) ?? exchange.refusal ?? exchange.answer(to: .unanswered))
  }

  private func answerAndClose(_ answer: Answer) {
    dropBody()
    exchange?.closes = true
    finish(answer)
  }

  /// Answers a complete request. Its body counts against the user's quota until the handler returns.
  private func answer(body: [UInt8]) {
    guard let exchange else { return dropBody() }
    if let refusal = exchange.refusal { return finish(refusal) }
    if !body.isEmpty, let problem = exchange.mediaRefusal() { return finish(problem) }
    if exchange.takesStream { return answerStreamed(exchange, ended: true) }
    if usesReadyAnswers, !loop.cached.isEmpty, let cached = cached(for: exchange.text) { return finish(cached) }
    if body.count > limits.bodyBytesOnLoopMax || loop.isSlow(exchange.ordinal, for: share) {
      return answerElsewhere(exchange, body)
    }
    let began = ThreadTime.nanoseconds
    let response = exchange.reply(body: body)
    loop.note(nanoseconds: ThreadTime.nanoseconds - began, of: exchange.ordinal, for: share)
    dropBody()
    reply(response)
  }

  /// Runs the request's handler on another thread, in a queue that is fair among users.
  private func answerElsewhere(_ exchange: Exchange, _ body: [UInt8]) {
    let promise = loop.eventLoop.makePromise(of: (response: RenderedReply, nanoseconds: Int64).self)
    let work = exchange.work(body: body)
    let ordinal = exchange.ordinal
    let job = FairExecutor.Job { isWanted in
      guard isWanted else { return promise.fail(ServerFault.clientGone) }
      let began = ThreadTime.nanoseconds
      let response = work()
      promise.succeed((response, ThreadTime.nanoseconds - began))
    }
    self.job = job
    machine.beganAnswering()
    promise.futureResult.assumeIsolated().whenComplete { result in
      guard case .success((let response, let took)) = result else { return }
      // The client has disconnected or the job was replaced, so nothing waits for the handler's task.
      guard self.machine.phase == .answering, self.job === job else {
        response.task?.cancel()
        return
      }
      self.job = nil
      self.loop.note(nanoseconds: took, of: ordinal, for: self.share)
      self.dropBody()
      self.machine.answered(closes: false)
      self.resume { self.reply(response) }
    }
    loop.workshop.run(job, for: share.owner)
  }

  /// Returns the cached answer for a request, such as one with `If-None-Match`; nil if no answer is cached. A request with
  /// ``RequestHead/isPlain`` has already been answered from the cache by `answerReady`.
  private func cached(for text: RequestHeadBytes) -> Answer? {
    guard text.head.method == .get || text.head.method == .head, !text.head.hasContent else { return nil }
    guard let found = loop.cached.answer(to: text.target) else { return nil }
    loop.cached.count(found.number, in: &loop.counters)
    if session.socket.marksReads, !text.head.traits.contains(.program) {
      loop.marks.note(loop.cached.counts(of: found.number), second: loop.second)
    }
    return found.answer
  }

  /// Caches an answer for later requests with the same target, and returns it with its ETag, which is computed only here.
  private func keeping(_ original: Answer) -> Answer {
    var answer = original
    if answer.entityTag == nil { answer.entityTag = EntityTag(of: answer.body) }
    loop.cached.keep(answer, route: exchange?.ordinal ?? -1, now: loop.second, limits: limits)
    return answer
  }

  private func reply(_ response: RenderedReply) {
    switch response {
    case .now(let answer):
      if usesReadyAnswers, answer.standing != nil { return finish(keeping(answer)) }
      finish(answer)
    case .later(let future, let task, let refusing):
      exchange?.task = task
      wait(for: future, refusing)
    case .stream(let streamed): begin(streamed)
    case .streamLater(let future):
      machine.beganAnswering()
      future.assumeIsolated().whenComplete { self.prepared($0) }
    }
  }

  private func prepared(_ result: Result<Result<StreamedAnswer, RenderedReply.RenderedProblem>, any Error>) {
    guard machine.phase == .answering else { return }
    machine.answered(closes: false)
    resume {
      switch result {
      case .success(.success(let streamed)): begin(streamed)
      case .success(.failure(let problem)): finish(problem.answer)
      case .failure: finishUnanswered()
      }
    }
  }

  private func finishUnanswered() {
    if let exchange { finish(exchange.answer(to: .unanswered)) }
  }

  private func answerStreamed(_ exchange: Exchange) {
    let pipe = BodyPipe(loop.eventLoop) { [weak self] in self?.requestSlice() }
    incoming = pipe
    exchange.reply(streaming: pipe).assumeIsolated().whenComplete { self.answered($0) }
  }

  /// Answers a request without a body at a route whose handler reads the body as a stream.
  private func answerStreamed(_ exchange: Exchange, ended: Bool) {
    let pipe = BodyPipe(loop.eventLoop) {}
    pipe.finish()
    wait(for: exchange.reply(streaming: pipe))
  }

  private func wait(for future: EventLoopFuture<Answer>, _ refusing: (@Sendable (any Error) -> Answer)? = nil) {
    machine.beganAnswering()
    future.assumeIsolated().whenComplete { self.answered($0, refusing) }
  }

  private func answered(_ result: Result<Answer, any Error>, _ refusing: (@Sendable (any Error) -> Answer)? = nil) {
    // The handler has answered before the end of the body. The rest of the body must not be parsed as a request, so the connection closes.
    if machine.phase == .reading, let incoming {
      exchange?.closes = true
      incoming.fail(ServerFault(.malformedRequest, "The call was answered before its body was complete."))
      self.incoming = nil
    } else if machine.phase == .answering {
      machine.answered(closes: false)
    } else {
      return
    }
    resume {
      switch result {
      case .success(let answer): finish(answer)
      case .failure(let error): if let refusing { finish(refusing(error)) } else { finishUnanswered() }
      }
    }
  }
}
