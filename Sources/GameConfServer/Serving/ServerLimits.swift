// The limits of the server's resources, for one user and for all users together.

/// The server's limits. `gameconfctl status` shows them, and each has tests on both sides of its boundary.
package struct ServerLimits: Sendable, Hashable {
  /// Bytes of a request line with its line end; a longer one gets 414.
  package var requestLineBytesMax = 8 << 10
  /// Bytes of a head with its request line and empty line, and of all trailers; more gets 431.
  package var headerBytesMax = 16 << 10
  /// Bytes of a request body without chunk framing; more gets 413. A route that streams bodies has its own limit.
  package var bodyBytesMax = 1 << 20
  /// Bytes of incomplete or unprocessed bodies on all connections; more gets 503. Each event loop has an equal part of this limit and of the
  /// following ones, and at least one body.
  package var bodyBytesHeldMax = 64 << 20
  /// Bytes of incomplete or unprocessed bodies of one user; more gets 429. It also limits all users together on a socket with reserved
  /// memory.
  package var bodyBytesHeldPerUserMax = 16 << 20
  /// Bytes of a body whose handler runs on the event loop; a larger body is processed on another thread. A larger answer is sent only within the
  /// limits of unread answers.
  package var bodyBytesOnLoopMax = 16 << 10
  /// Bytes of input that may wait for a turn while another read is pending.
  package var readAheadBytesMax = 2 << 10
  /// Bytes of unread answers on all connections, in the daemon and in the kernel. Over this limit, a user with more than an equal part of it is not
  /// served further, or gets 503.
  package var answerBytesMax = 96 << 20
  /// Bytes of one user's unread answers, in the daemon and in the kernel; the user's connections then wait or get 429. It also limits all
  /// users together on a socket with reserved memory.
  package var answerBytesPerUserMax = 16 << 20
  /// Bytes sent on a connection after which the kernel is queried for the unread ones.
  package var unmeasuredBytesMax = 32 << 10
  /// Microseconds of one turn of a user; a connection with more requests then waits for the user's next turn.
  package var sliceMicroseconds = 250
  /// Requests that one turn of a user answers at most.
  package var sliceRequestsMax = 512
  /// Microseconds of turns after which the event loop reads from sockets again.
  package var passMicroseconds = 250
  /// Microseconds from which a handler counts as slow. The user's next calls of it then run on another thread.
  package var handlerMicroseconds = 500
  /// The calls that run on another thread after one slow call, and the maximum after repeated slow calls.
  package var handlerCallsElsewhereMin = 8
  package var handlerCallsElsewhereMax = 4_096
  /// Milliseconds within which a second slow call doubles the number of calls on another thread.
  package var handlerSoonMilliseconds = 250
  /// Bytes of a chunk-size line with its extensions; more gets 400.
  package var chunkLineBytesMax = 256
  /// Open connections; further ones get 503 and are closed.
  package var connectionsMax = 12_288
  /// Open connections of one user on one socket; further ones get 429 and are closed.
  package var connectionsPerUserMax = 1_024
  /// Exceptions from ``connectionsPerUserMax``, by user id.
  package var connectionsOfUsers: [UInt32: Int] = [:]
  /// Connections beyond ``connectionsMax`` that sockets with reserved memory still accept, so that an admin can find the cause.
  package var connectionsReserved = 64
  /// Connections that are being refused at one time; further ones are closed without an answer.
  package var refusalsMax = 256
  /// Seconds from a head's first byte to its last; then 408.
  package var headerTimeoutSeconds = 10
  /// Seconds from the end of the head to the end of the body; then 408. For a streamed body, seconds without progress.
  package var bodyTimeoutSeconds = 30
  /// Seconds that an open connection may be idle; it is then closed without an answer.
  package var idleTimeoutSeconds = 75
  /// Seconds that a client may leave an answer unread; the connection is then dropped.
  package var writeTimeoutSeconds = 30
  /// Seconds that a refused client may take to send its request; then the refusal is sent without it.
  package var refusalTimeoutSeconds = 1
  /// Milliseconds without input after which a closing connection stops waiting. Until then input is read and dropped, so that the client receives its
  /// last answer (nginx: `lingering_timeout`).
  package var lingerMilliseconds = 500
  /// Seconds after which a closing connection stops reading, even if input arrives (nginx: `lingering_time`).
  package var lingerSecondsMax = 30
  /// Bytes of input that a closing connection drops; a client that sends more is disconnected.
  package var lingerBytesMax = 64 << 20
  /// Milliseconds in which an idle connection may still send a request when the server begins to drain.
  package var drainGraceMilliseconds = 100
  /// Bytes of output after which a connection sends before it answers the next pipelined request.
  package var outputSliceBytes = 64 << 10
  /// Answers in the cache of each event loop; one more empties the cache.
  package var cachedAnswersMax = 64
  /// Bytes of the body of one cached answer; a larger one is computed for each request.
  package var cachedAnswerBytesMax = 1 << 20
  /// Bytes of the bodies of all cached answers.
  package var cachedBytesMax = 4 << 20

  /// Returns the maximum number of open connections of one user.
  package func connectionsMax(of user: UInt32) -> Int { connectionsOfUsers[user] ?? connectionsPerUserMax }

  package init() {}

  /// Returns the limits of one of several event loops, so that all together stay within the limits. A loop always admits one body of the maximum
  /// size, so many loops may exceed a limit by that much.
  package func part(ofLoops loops: Int) -> ServerLimits {
    if loops <= 1 { return self }
    var part = self
    part.bodyBytesHeldMax = min(bodyBytesHeldMax, max(bodyBytesHeldMax / loops, bodyBytesMax))
    part.bodyBytesHeldPerUserMax = min(bodyBytesHeldPerUserMax, max(bodyBytesHeldPerUserMax / loops, bodyBytesMax))
    part.answerBytesMax = answerBytesMax / loops
    part.answerBytesPerUserMax = answerBytesPerUserMax / loops
    part.cachedBytesMax = cachedBytesMax / loops
    return part
  }
}
