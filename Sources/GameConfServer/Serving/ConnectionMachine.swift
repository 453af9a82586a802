// Decides when a connection reads, waits and ends, without a channel and without a clock.

/// The life of one connection: what has happened goes in, what is to be done comes out.
///
/// While an answer is pending or the client does not take its answers, nothing is read and nothing parsed. A client that has closed its
/// sending half gets every byte of what it asked for; only then is the connection closed.
/// ```swift
/// var machine = ConnectionMachine(limits, isRefused: false)
/// machine.settled(view, now: 0)      // [.read], and an alarm when the idle time is over
/// machine.inputClosed()              // [.serve]: what it asked before is still answered
/// machine.settled(view, now: 5)      // [.finishOutput]
/// machine.outputFinished(true, now: 9)  // [.close]
/// ```
/// Times are nanoseconds of one clock that does not go back.
struct ConnectionMachine: Sendable {
  enum Phase: Sendable, Equatable {
    /// Heads and bodies are read.
    case reading
    /// A whole request waits for its answer.
    case answering
    /// An answer is being sent as it is made.
    case streaming
    /// The last answer is written; it is to be sent, and the output closed.
    case closing
    /// The last answer is on its way to the client, byte by byte if need be.
    case finishing
    /// The output is closed; what still comes in is dropped, so that the client can read what it was answered.
    case lingering
    case closed
  }

  /// The state of the connection's buffers.
  struct View: Sendable, Equatable {
    /// True if bytes are there that no request was made of yet.
    var hasInput = false
    /// True if the request that is being read is past its head.
    var isInBody = false
    /// True if what is there waits for the connection's next turn.
    var waitsForTurn = false
    /// True if the handler is slower than the client that sends it a body.
    var isBodyFull = false
    /// True if the server is stopping.
    var isDraining = false
  }

  struct Act: OptionSet, Sendable, CustomStringConvertible {
    let rawValue: UInt16
    /// Ask for more bytes.
    static let read = Act(rawValue: 1)
    /// Go on with the bytes that are there.
    static let serve = Act(rawValue: 2)
    /// Let the stream that is being sent go on.
    static let stream = Act(rawValue: 4)
    /// Tell the handler of an unfinished body that no more comes.
    static let endBody = Act(rawValue: 8)
    /// Send everything, then close the sending half, then say ``ConnectionMachine/outputFinished(_:now:)``.
    static let finishOutput = Act(rawValue: 16)
    /// Close at once.
    static let close = Act(rawValue: 32)
    /// Answer with why the connection is not served, or why it took too long, and close.
    static let refuse = Act(rawValue: 64)
    static let countTimeout = Act(rawValue: 128)

    var description: String {
      let names = ["read", "serve", "stream", "endBody", "finishOutput", "close", "refuse", "countTimeout"]
      return names.indices.filter { rawValue & 1 << UInt16($0) != 0 }.map { names[$0] }.joined(separator: " ")
    }
  }

  private(set) var phase = Phase.reading
  /// The instant when ``rang(_:now:)`` is to be called; `.max` for never.
  private(set) var deadline = Int64.max
  private(set) var isInputClosed = false
  /// True if the channel takes bytes.
  private var channelIsWritable = true
  /// True if the user has as many bytes waiting as one may.
  private(set) var isHeldBack = false

  private let limits: ServerLimits
  private let isRefused: Bool
  private var readDeadline: Int64?
  private var writeDeadline: Int64?
  /// While the output is closed: how long and how much may still come in.
  private var linger: (end: Int64, bytesLeft: Int)?

  init(_ limits: ServerLimits, isRefused: Bool) {
    self.limits = limits
    self.isRefused = isRefused
  }

  /// True if answers can be sent.
  var isWritable: Bool { channelIsWritable && !isHeldBack }
  /// True if requests may be read from the bytes that are there.
  var mayServe: Bool { phase == .reading && isWritable }
  /// True if what comes in is of use to nobody.
  var dropsInput: Bool { phase == .closing || phase == .finishing || phase == .lingering || phase == .closed }

  /// True if one more read may stand ready behind bytes that wait for their turn.
  ///
  /// Else each request would have the connection taken out of the selector and put back: two system calls of the five it takes. Behind more
  /// than a little nothing is read, so that a connection holds hardly more than one read.
  func mayReadAhead(of inputBytes: Int) -> Bool { mayServe && !isInputClosed && inputBytes <= limits.readAheadBytesMax }

  // MARK: A request's way

  /// A whole request waits for its answer.
  mutating func beganAnswering() { phase = .answering }

  mutating func beganStreaming() { phase = .streaming }

  /// An answer is written, or the stream's last byte.
  mutating func answered(closes: Bool) {
    readDeadline = nil
    phase = closes ? .closing : .reading
  }

  /// A part of a request came whole, so that the time of the next begins.
  mutating func partArrived() { readDeadline = nil }

  // MARK: What happens to the channel

  /// After the bytes that were there have been served as far as they can be.
  mutating func settled(_ view: View, now: Int64) -> Act {
    var acts: Act = []
    if phase == .reading, isInputClosed, isWritable, !view.isBodyFull, !view.waitsForTurn {
      // All that came is answered, and no more can come.
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
      // While a request waits for its answer the client has nothing to send, as a rule: one read may stand ready then, instead of being
      // taken out of the selector for each request and put back.
      let mayRead = phase == .reading || (phase == .answering && !view.hasInput)
      if mayRead, isWritable, !view.isBodyFull, !view.waitsForTurn, !isInputClosed { acts.insert(.read) }
      return acts
    }
  }

  mutating func inputClosed() -> Act {
    isInputClosed = true
    return phase == .lingering ? .close : phase == .finishing ? [] : .serve
  }

  mutating func writabilityChanged(_ isWritable: Bool) -> Act {
    channelIsWritable = isWritable
    return isWritable && phase == .streaming ? [.stream, .serve] : .serve
  }

  /// The user has too much waiting: until it is let on, the client counts as one that does not read.
  mutating func heldBack(_ isHeldBack: Bool) { self.isHeldBack = isHeldBack }

  /// Notes that bytes which came in are dropped.
  mutating func dropped(bytes: Int) { linger?.bytesLeft -= bytes }

  /// Everything is sent and the sending half closed, or that failed.
  mutating func outputFinished(_ isSent: Bool, now: Int64) -> Act {
    guard phase == .finishing else { return [] }
    if !isSent || isInputClosed { return .close }
    phase = .lingering
    linger = (now + seconds(limits.lingerSecondsMax), limits.lingerBytesMax)
    return lingerOn(now)
  }

  /// The server is stopping: an idle connection may still ask within a short grace.
  mutating func drain(_ view: View, now: Int64) {
    if isIdle(view) { deadline = now + drainGrace }
  }

  mutating func closed() {
    phase = .closed
    deadline = .max
  }

  /// The deadline has passed.
  /// - Parameter isSending: whether something waits in the socket. A client whose bytes this process was too slow to read was not silent.
  mutating func rang(_ view: View, now: Int64, isSending: () -> Bool = { false }) -> Act {
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

  // MARK: Times

  private func seconds(_ number: Int) -> Int64 { Int64(number) * 1_000_000_000 }
  private var drainGrace: Int64 { Int64(limits.drainGraceMilliseconds) * 1_000_000 }

  private func isIdle(_ view: View) -> Bool { phase == .reading && !view.hasInput && !view.isInBody }

  /// Reads and drops for as long as something comes in, within bounds: a client that sends slowly is not cut off, and none can go on for ever.
  private mutating func lingerOn(_ now: Int64) -> Act {
    guard let linger else { return .read }
    if linger.bytesLeft < 0 { return .close }
    deadline = min(linger.end, now + Int64(limits.lingerMilliseconds) * 1_000_000)
    return .read
  }

  private mutating func setDeadline(_ view: View, _ now: Int64) {
    if !isWritable {
      let due = writeDeadline ?? now + seconds(limits.writeTimeoutSeconds)
      writeDeadline = due
      deadline = due
      return
    }
    writeDeadline = nil
    guard phase == .reading, !view.isBodyFull, !view.waitsForTurn else {
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
