// Writes answers to one connection, within the limits for bytes that clients have not read.

extension Connection {
  /// Sends the bytes of answers that have been written to the event loop's output buffer, and empties the buffer.
  func send() {
    let bytes = loop.output.readableBytes
    if bytes == 0 { return }
    loop.counters.bytesOut += UInt64(bytes)
    let waiting = outlet?.send(loop.output) ?? 0
    sent(bytes: bytes, holding: waiting > 0 ? loop.output.capacity : 0)
    loop.clearOutput()
  }

  /// Writes the answer to the pending request into the output buffer, and counts it.
  func finish(_ original: Answer) {
    guard let exchange else { return }
    self.exchange = nil
    dropBody()
    let answer = bounded(
      ConditionalRequest.applied(to: original.isTooLarge ? exchange.answer(to: .answerTooLarge) : original, exchange), exchange)
    let isBodiless = answer.status == 204 || answer.status == 304
    let closes = exchange.closes || loop.isDraining
    loop.scratch.removeAll(keepingCapacity: true)
    AnswerEncoder.appendHead(
      of: answer, AnswerFrame(isHead: exchange.isHead, closes: closes, contentLength: isBodiless ? nil : answer.body.count),
      date: loop.date, to: &loop.scratch)
    loop.output.writeBytes(loop.scratch)
    if !isBodiless, !exchange.isHead { write(answer.body) }
    loop.counters.count(route: exchange.ordinal, status: answer.status)
    loop.counters.count(nanoseconds: loop.nanoseconds(since: exchange.arrived))
    if loop.isObserved { exchange.show(original, status: answer.status) }
    machine.answered(closes: closes)
  }

  /// Writes the body of an answer. A large body bypasses the output buffer, so that it is not copied.
  private func write(_ body: [UInt8]) {
    if body.count < limits.outputSliceBytes {
      loop.output.writeBytes(body)
    } else {
      send()
      loop.counters.bytesOut += UInt64(body.count)
      let waiting = outlet?.send(body) ?? 0
      sent(bytes: body.count, holding: waiting)
    }
  }

  /// Returns the answer, or a refusal if the user's clients or all clients have too many unread bytes for a large answer.
  private func bounded(_ answer: Answer, _ exchange: Exchange) -> Answer {
    if answer.body.count <= limits.bodyBytesOnLoopMax { return answer }
    guard share.bound(answerBytes: answer.body.count) != nil, loop.isOverBound(share, by: answer.body.count),
      let bound = share.bound(answerBytes: answer.body.count)
    else { return answer }
    return exchange.answer(to: bound == .user ? .userTakesTooLittle : .serverFullOfAnswers)
  }

  /// Writes the head of a streamed answer, and starts the code that produces its body.
  func begin(_ streamed: StreamedAnswer) {
    guard let exchange, let outlet else { return }
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
    loop.counters.count(route: exchange.ordinal, status: streamed.head.status)
    if loop.isObserved { exchange.show(streamed.head, status: streamed.head.status, isStream: true) }
    if exchange.isHead { return machine.answered(closes: closes) }
    send()
    if machine.phase == .closed { return }
    machine.beganStreaming()
    loop.counters.streams += 1
    let stream = OutgoingStream(framing, outlet) { [weak self] bytes in
      self?.streamed(bytes: bytes)
    } ended: { [weak self] ending in
      self?.streamEnded(ending, closes: closes)
    }
    outgoing = stream
    streamed.begin(stream)
  }

  private func streamEnded(_ ending: OutgoingStream.Ending, closes: Bool) {
    loop.counters.streams -= 1
    outgoing = nil
    guard machine.phase == .streaming else { return }
    switch ending {
    case .whole:
      machine.answered(closes: closes || loop.isDraining)
      goOn()
    case .broken: abort()
    }
  }

  private func streamed(bytes: Int) {
    loop.counters.bytesOut += UInt64(bytes)
    sent(bytes: bytes, holding: bytes)
  }
}
