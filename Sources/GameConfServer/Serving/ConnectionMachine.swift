// The state machine of a client's connection. It decides when the connection reads, waits and closes, without a channel or a clock.

/// The state machine of one client's connection. Its inputs are events; its outputs are actions.
///
/// While an answer is pending, or the client does not read its answers, the connection reads and parses nothing. A client that has closed
/// its sending half receives every byte of its answers before the connection closes.
/// ```swift
/// var machine = ConnectionMachine(limits, isRefused: false)
/// machine.settled(view, now: 0)      // [.read], and a deadline at the end of the idle time
/// machine.inputClosed()              // [.serve]: requests that arrived before are still answered
/// machine.settled(view, now: 5)      // [.finishOutput]
/// machine.outputFinished(true, now: 9)  // [.close]
/// ```
/// Times are nanoseconds of one monotonic clock.
struct ConnectionMachine: Sendable {
  enum Phase: Sendable, Equatable {
    /// The connection reads heads and bodies.
    case reading
    /// A complete request waits for its answer.
    case answering
    /// An answer is sent while it is produced.
    case streaming
    /// The last answer is written to the output buffer, which must be flushed before the output is closed.
    case closing
    /// The last answer is being flushed.
    case finishing
    /// The output is closed. Input is read and dropped, because unread input would make the kernel reset the connection and discard the
    /// answer.
    case lingering
    case closed
  }

  struct BufferState: Sendable, Equatable {
    /// True if the input buffer has bytes that are not yet parsed into a request.
    var hasInput = false
    /// True if the head of the present request is complete and its body is not.
    var isInBody = false
    /// True if the input waits for the user's next slice of the event loop's time.
    var waitsForSlice = false
    /// True if the handler reads a streamed body more slowly than the client sends it.
    var isBodyFull = false
    /// True if the server is stopping.
    var isDraining = false
  }

  struct Action: OptionSet, Sendable, CustomStringConvertible {
    let rawValue: UInt16
    static let read = Action(rawValue: 1)
    /// Answer the requests in the input buffer.
    static let serve = Action(rawValue: 2)
    /// Let the producer of the streamed answer continue.
    static let stream = Action(rawValue: 4)
    /// Notify the handler that reads an unfinished body that no further bytes come.
    static let endBody = Action(rawValue: 8)
    /// Flush the output, close the sending half, then call ``ConnectionMachine/outputFinished(_:now:)``.
    static let finishOutput = Action(rawValue: 16)
    /// Close the connection immediately.
    static let close = Action(rawValue: 32)
    /// Answer with the refusal of the client or with 408 (timeout), and close the connection.
    static let refuse = Action(rawValue: 64)
    static let countTimeout = Action(rawValue: 128)

    var description: String {
      let names = ["read", "serve", "stream", "endBody", "finishOutput", "close", "refuse", "countTimeout"]
      return names.indices.filter { rawValue & 1 << UInt16($0) != 0 }.map { names[$0] }.joined(separator: " ")
    }
  }

  private(set) var phase = Phase.reading
  /// The time in nanoseconds at which the timer must call ``rang(_:now:)``; `.max` for no timer.
  private(set) var deadline = Int64.max
  private(set) var isInputClosed = false
  /// True if the channel's output buffer has space for more bytes.
  private var channelIsWritable = true
  /// True while the connection waits because its user's clients have reached the limit of unread bytes.
  private(set) var isHeldBack = false

  private let limits: ServerLimits
  private let isRefused: Bool
  private var readDeadline: Int64?
  private var writeDeadline: Int64?
  /// After the output was closed, the limits of the wait for the client's end of input: the time at which the wait ends, and the number of
  /// bytes that may still arrive.
  private var linger: (end: Int64, bytesLeft: Int)?

  init(_ limits: ServerLimits, isRefused: Bool) {
    self.limits = limits
    self.isRefused = isRefused
  }

  /// True if answers may be written: the channel has space, and the user's clients read their answers.
  var isWritable: Bool { channelIsWritable && !isHeldBack }
  /// True if the connection may parse its input.
  var mayServe: Bool { phase == .reading && isWritable }
  var dropsInput: Bool { phase == .closing || phase == .finishing || phase == .lingering || phase == .closed }

  /// True if a read may be pending while earlier input waits for the user's next slice of time.
  ///
  /// Without a pending read, NIO's selector would deregister and register the connection for each request, which takes two of five system
  /// calls. The input is limited to `readAheadBytesMax`, so that a connection buffers little more than one read.
  func mayReadAhead(of inputBytes: Int) -> Bool { mayServe && !isInputClosed && inputBytes <= limits.readAheadBytesMax }

  // MARK: Events of a request

  /// Records that a complete request was passed to its handler. No input is parsed until the answer is written.
  mutating func beganAnswering() { go(to: .answering) }

  mutating func beganStreaming() { go(to: .streaming) }

  /// Records that an answer or a streamed answer is completely written.
  mutating func answered(closes: Bool) {
    readDeadline = nil
    go(to: closes ? .closing : .reading)
  }

  /// Changes the phase, unless the connection is closed. A write may have closed it, because the client has disconnected.
  private mutating func go(to next: Phase) {
    if phase != .closed { phase = next }
  }

  /// Restarts the read timeout, because a part of a request has arrived completely.
  mutating func partArrived() { readDeadline = nil }

  // MARK: Events of the channel

  /// Returns the next actions after the input has been processed as far as possible.
  mutating func settled(_ view: BufferState, now: Int64) -> Action {
    var acts: Action = []
    if phase == .reading, isInputClosed, isWritable, !view.isBodyFull, !view.waitsForSlice {
      // All requests are answered, and the client has closed its sending half, so it cannot send another.
      acts.insert(.endBody)
      phase = .closing
    }
    switch phase {
    case .closed: return []
    case .closing:
      phase = .finishing
      deadline = now + seconds(limits.writeTimeoutSeconds)
      return acts.union([.finishOutput, isInputClosed ? [] : .read])
    case .finishing: return isInputClosed ? [] : .read
    case .lingering: return lingerOn(now)
    case .reading, .answering, .streaming:
      setDeadline(view, now)
      // A client rarely sends anything while its answer is pending. A read that stays pending avoids deregistering from NIO's selector.
      let mayRead = phase == .reading || (phase == .answering && !view.hasInput)
      if mayRead, isWritable, !view.isBodyFull, !view.waitsForSlice, !isInputClosed { acts.insert(.read) }
      return acts
    }
  }

  mutating func inputClosed() -> Action {
    isInputClosed = true
    return phase == .lingering ? .close : phase == .finishing ? [] : .serve
  }

  mutating func writabilityChanged(_ isWritable: Bool) -> Action {
    channelIsWritable = isWritable
    return isWritable && phase == .streaming ? [.stream, .serve] : .serve
  }

  /// Sets whether the user's clients have reached the limit of unread bytes. While this limit is reached, the write timeout runs, as for a
  /// client that does not read.
  mutating func heldBack(_ isHeldBack: Bool) { self.isHeldBack = isHeldBack }

  /// Counts bytes of input that were dropped after the last answer, against the limit of a closing connection.
  mutating func dropped(bytes: Int) { linger?.bytesLeft -= bytes }

  /// Returns the next action after the output was flushed and the sending half closed; `isSent` is false if that failed.
  mutating func outputFinished(_ isSent: Bool, now: Int64) -> Action {
    guard phase == .finishing else { return [] }
    if !isSent || isInputClosed { return .close }
    phase = .lingering
    linger = (now + seconds(limits.lingerSecondsMax), limits.lingerBytesMax)
    return lingerOn(now)
  }

  /// Records that the server stops. The client of an idle connection may send another request within a short grace period.
  mutating func drain(_ view: BufferState, now: Int64) {
    if isIdle(view) { deadline = now + drainGrace }
  }

  mutating func closed() {
    phase = .closed
    deadline = .max
  }

  /// Returns the action when the timer has fired; empty if the deadline was moved to a later time.
  /// - Parameter isSending: True if the socket has input that this process was too slow to read, so that the client is not silent.
  mutating func rang(_ view: BufferState, now: Int64, isSending: () -> Bool = { false }) -> Action {
    guard deadline != .max, now >= deadline else { return [] }
    deadline = .max
    switch phase {
    case .lingering where linger.map { now < $0.end } == true && isSending(): return lingerOn(now)
    case .closed: return []
    case .closing, .finishing, .lingering: return .close
    case .reading where isWritable:
      if isRefused { return .refuse }
      if !isIdle(view) { return [.refuse, .countTimeout] }
      phase = .closing
      return view.isDraining ? .serve : [.serve, .countTimeout]
    case .reading, .answering, .streaming: return [.close, .countTimeout]
    }
  }

  // MARK: Deadlines

  private func seconds(_ number: Int) -> Int64 { Int64(number) * 1_000_000_000 }
  private var drainGrace: Int64 { Int64(limits.drainGraceMilliseconds) * 1_000_000 }

  private func isIdle(_ view: BufferState) -> Bool { phase == .reading && !view.hasInput && !view.isInBody }

  /// Continues to read and drop the input of a closing connection, up to limits of time and bytes. A slow sender is not cut off, and no
  /// sender can go on forever.
  private mutating func lingerOn(_ now: Int64) -> Action {
    guard let linger else { return .read }
    if linger.bytesLeft < 0 { return .close }
    deadline = min(linger.end, now + Int64(limits.lingerMilliseconds) * 1_000_000)
    return .read
  }

  private mutating func setDeadline(_ view: BufferState, _ now: Int64) {
    if !isWritable {
      let due = writeDeadline ?? now + seconds(limits.writeTimeoutSeconds)
      writeDeadline = due
      deadline = due
      return
    }
    writeDeadline = nil
    guard phase == .reading, !view.isBodyFull, !view.waitsForSlice else {
      readDeadline = nil
      deadline = .max
      return
    }
    if isIdle(view) {
      readDeadline = nil
      if isRefused {
        if deadline == .max { deadline = now + seconds(limits.refusalTimeoutSeconds) }
      } else {
        deadline = now + (view.isDraining ? drainGrace : seconds(limits.idleTimeoutSeconds))
      }
    } else {
      let time = isRefused ? limits.refusalTimeoutSeconds : view.isInBody ? limits.bodyTimeoutSeconds : limits.headerTimeoutSeconds
      let due = readDeadline ?? now + seconds(time)
      readDeadline = due
      deadline = due
    }
  }
}
