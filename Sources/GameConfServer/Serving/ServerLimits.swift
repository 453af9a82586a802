// The limits of the HTTP server's resources, for one user and for all users together.

/// The limits of the HTTP server. `gameconfctl status` shows them, and each has tests on both sides of its boundary.
package struct ServerLimits: Sendable, Hashable {
  /// The maximum bytes of a request line with its line end; a longer one gets 414.
  package var requestLineBytesMax = 8 << 10
  /// The maximum bytes of a request's head, from the request line to the empty line, and of all trailers of a body; more gets 431.
  package var headerBytesMax = 16 << 10
  /// The maximum bytes of a request body without chunk framing; more gets 413. A route that reads bodies as a stream has its own limit.
  package var bodyBytesMax = 1 << 20
  /// The maximum bytes of incomplete or unprocessed request bodies on all connections; more gets 503. Each event loop has an equal part of
  /// this limit and of other limits of memory, see ``part(ofLoops:)``.
  package var bodyBytesHeldMax = 64 << 20
  /// The maximum bytes of incomplete or unprocessed request bodies of one user; more gets 429. The same limit holds for all users together
  /// on sockets with reserved memory, such as the admin socket.
  package var bodyBytesHeldPerUserMax = 16 << 20
  /// The maximum bytes of a request body whose handler runs on the event loop; a larger one is processed on another thread. An answer with
  /// a larger body is refused if it would exceed a limit of unread answers.
  package var bodyBytesOnLoopMax = 16 << 10
  /// The maximum bytes of a connection's input that wait for the user's next slice of time while another read from the socket is pending.
  package var readAheadBytesMax = 2 << 10
  /// The maximum bytes of unread answers on all connections, in the daemon and in the kernel. Beyond this limit, a user with more than an
  /// equal part of it waits or gets 503.
  package var answerBytesMax = 96 << 20
  /// The maximum bytes of one user's unread answers, in the daemon and in the kernel. Beyond it, the user's connections wait or get 429.
  /// The same limit holds for all users together on sockets with reserved memory, such as the admin socket.
  package var answerBytesPerUserMax = 16 << 20
  /// The bytes that are sent on a connection before the kernel is queried for the number of unread ones.
  package var unmeasuredBytesMax = 32 << 10
  /// The microseconds of one slice of the event loop's time. A connection with further requests then waits for its user's next slice.
  package var sliceMicroseconds = 250
  /// The most requests that are answered in one slice of the event loop's time.
  package var sliceRequestsMax = 512
  /// The microseconds that consecutive slices of users take before the event loop reads from sockets again.
  package var passMicroseconds = 250
  /// The microseconds of processor time from which a call of a handler counts as slow. The same user's next calls of this handler then run
  /// on another thread.
  package var handlerMicroseconds = 500
  /// The number of calls of a handler that run on another thread after one slow call.
  package var handlerCallsElsewhereMin = 8
  /// The maximum number of calls of a handler that run on another thread, which repeated slow calls reach by doubling.
  package var handlerCallsElsewhereMax = 4_096
  /// The milliseconds within which a second slow call doubles the number of calls that run on another thread.
  package var handlerSoonMilliseconds = 250
  /// The maximum bytes of the line with a chunk's size and its extensions; more gets 400.
  package var chunkLineBytesMax = 256
  /// The maximum number of open connections; further ones get 503 and are closed.
  package var connectionsMax = 12_288
  /// The maximum number of open connections of one user on one listening socket; further ones get 429 and are closed.
  package var connectionsPerUserMax = 1_024
  /// The maximum number of open connections of single users instead of ``connectionsPerUserMax``, by uid.
  package var connectionsOfUsers: [UInt32: Int] = [:]
  /// The number of connections beyond ``connectionsMax`` that sockets with reserved memory still accept, so that an admin can find the
  /// cause.
  package var connectionsReserved = 64
  /// The maximum number of connections that are being refused at one time; further ones are closed without an answer.
  package var refusalsMax = 256
  /// The maximum seconds from the first byte of a request's head to its last; then the client gets 408.
  package var headerTimeoutSeconds = 10
  /// The maximum seconds from the end of a request's head to the end of its body; then the client gets 408. For a body that a handler reads
  /// as a stream, the seconds without progress.
  package var bodyTimeoutSeconds = 30
  /// The maximum seconds that an open connection may be idle; it is then closed without an answer.
  package var idleTimeoutSeconds = 75
  /// The maximum seconds that a client may leave an answer unread; its connection is then closed.
  package var writeTimeoutSeconds = 30
  /// The maximum seconds that a refused client may take to send a request; then the refusal is sent without a request.
  package var refusalTimeoutSeconds = 1
  /// The milliseconds without input after which a closing connection stops waiting. Until then input is read and dropped, so that the
  /// client receives its last answer (nginx: `lingering_timeout`).
  package var lingerMilliseconds = 500
  /// The seconds after which a closing connection stops reading, even if input arrives (nginx: `lingering_time`).
  package var lingerSecondsMax = 30
  /// The maximum bytes of input that a closing connection reads and drops; a client that sends more is disconnected.
  package var lingerBytesMax = 64 << 20
  /// The milliseconds in which the client of an idle connection may still send a request after the server begins to drain.
  package var drainGraceMilliseconds = 100
  /// The number of bytes in the output buffer from which a connection sends the buffer before it answers the next pipelined request.
  package var outputSliceBytes = 64 << 10
  /// The maximum number of answers in the response cache of each event loop; one more empties the cache.
  package var cachedAnswersMax = 64
  /// The maximum bytes of the body of a cached answer; an answer with a larger one is computed for each request.
  package var cachedAnswerBytesMax = 1 << 20
  /// The maximum bytes of the bodies of all answers in the response caches of all event loops.
  package var cachedBytesMax = 4 << 20

  /// Returns the maximum number of open connections of one user.
  package func connectionsMax(of user: UInt32) -> Int { connectionsOfUsers[user] ?? connectionsPerUserMax }

  package init() {}

  /// Returns the limits of memory for one of several event loops, so that all loops together stay within these limits. A loop always admits
  /// one body of the maximum size, so many loops may exceed a limit by one body each.
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
