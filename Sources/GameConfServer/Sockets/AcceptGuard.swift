// Protects the event loop of a listening socket when the process has run out of file descriptors.

internal import GameConfCore
internal import Glibc
internal import NIOCore

/// Refuses connections for which the process has no free file descriptor, with an HTTP answer, and then pauses the listening socket.
/// Without the pause the socket would stay readable, and the event loop would spin.
final class AcceptGuard: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  private static let pause = TimeAmount.milliseconds(50)
  /// The most connections that are refused in one run, before the event loop handles other events.
  private static let refusalsAtOnce = 64
  /// The seconds without a failed accept() after which the next failure is reported again.
  private static let quietSeconds: Int64 = 60

  private let listener: Int32
  private let answer: [UInt8]
  private let report: (LimitReached) -> Void
  /// A reserved file descriptor. Closing it makes one accept() possible when the process has no other descriptor left.
  private var spare: Int32
  private var isResting = false
  private var reportedAt: NIODeadline?

  init(_ listener: Int32, _ refusal: Answer, report: @escaping (LimitReached) -> Void) {
    self.listener = listener
    self.report = report
    var bytes: [UInt8] = []
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    AnswerEncoder.appendHead(
      of: refusal, AnswerFrame(closes: true, contentLength: refusal.body.count), date: HTTPDate.text(secondsSince1970: time.tv_sec),
      to: &bytes)
    answer = bytes + refusal.body
    spare = Self.openSpare()
  }

  deinit { if spare >= 0 { Glibc.close(spare) } }

  private static func openSpare() -> Int32 { Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
      return context.fireErrorCaught(error)
    }
    let now = context.eventLoop.now
    if reportedAt.map({ now - $0 > .seconds(Self.quietSeconds) }) ?? true {
      report(
        LimitReached(
          code: ProblemCode.serverFull.rawValue, uid: nil,
          words: "a connection cannot be accepted: \(String(cString: strerror(error.errnoCode))); further ones are refused"))
    }
    reportedAt = now
    refuse()
    isResting = true
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
      self.isResting = false
      context.read()
    }
  }

  func read(context: ChannelHandlerContext) {
    if !isResting { context.read() }
  }

  /// Closes the reserved descriptor, accepts a connection with it, sends the refusal, and closes the connection.
  private func refuse() {
    for _ in 0..<Self.refusalsAtOnce {
      if spare >= 0 { Glibc.close(spare) }
      let connection = accept(listener, nil, nil)
      if connection >= 0 {
        _ = answer.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) }
        Glibc.close(connection)
      }
      spare = Self.openSpare()
      if connection < 0 || spare < 0 { return }
    }
  }
}
