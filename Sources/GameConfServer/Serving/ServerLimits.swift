// The limits of what one caller, and all of them together, may take from the server.

/// The server's limits; status shows them, and each is tested on both sides of its edge.
package struct ServerLimits: Sendable, Hashable {
  /// Bytes of a request line, its line end included; more is a 414.
  package var requestLineBytesMax = 8 << 10
  /// Bytes of a whole head, request line and final empty line included, and of all trailers; more is a 431.
  package var headerBytesMax = 16 << 10
  /// Bytes of a request's body, without chunk framing; more is a 413. A route that takes a stream names its own.
  package var bodyBytesMax = 1 << 20
  /// Bytes of bodies that wait to be whole or to be worked on, over all connections; what passes it is answered 503. Each event loop has an equal
  /// part of this and of the bounds below, and never less than one body.
  package var bodyBytesHeldMax = 64 << 20
  /// The same of one user id; what passes it is answered 429. On sockets with room of their own all users together have as much.
  package var bodyBytesHeldPerUserMax = 16 << 20
  /// Bytes of a body whose handler is called on the event loop; a larger one's is called on another thread. An answer of more is sent
  /// only while there is room for it.
  package var bodyBytesOnLoopMax = 16 << 10
  /// Bytes that wait for their connection's turn while one more read stands ready behind them.
  package var readAheadBytesMax = 2 << 10
  /// Bytes of answers that wait to be read by their clients, in the daemon and in the kernel, over all connections. Whoever
  /// has more waiting than an equal part of it is not served further, or answered 503.
  package var answerBytesMax = 96 << 20
  /// The same of one user id: until some are read its connections wait, or are answered 429. On sockets with room of their own all users
  /// together have as much.
  package var answerBytesPerUserMax = 16 << 20
  /// Bytes sent on a connection after which the kernel is asked how many of them still wait.
  package var unmeasuredBytesMax = 32 << 10
  /// Microseconds after which a connection waits for its user's next turn, though it has more to ask.
  package var turnMicroseconds = 250
  /// Requests after which it does.
  package var turnRequestsMax = 512
  /// Microseconds of turns after which the event loop looks who else has sent something.
  package var passMicroseconds = 250
  /// Microseconds after which a handler counts as slow: some of that user's next calls of it are worked on elsewhere.
  package var handlerMicroseconds = 500
  /// Calls that are worked on elsewhere after a slow one, and the most that are when slow ones come soon after one another.
  package var handlerCallsElsewhereMin = 8
  package var handlerCallsElsewhereMax = 4_096
  /// Within so many milliseconds of the last one a slow call comes soon.
  package var handlerSoonMilliseconds = 250
  /// Bytes of one chunk-size line, extensions included; more is a 400.
  package var chunkLineBytesMax = 256
  /// Connections at once; one more is answered 503 and closed.
  package var connectionsMax = 12_288
  /// Connections at once from one user id on one socket; one more is answered 429 and closed.
  package var connectionsPerUserMax = 1_024
  /// Other such numbers for some user ids.
  package var connectionsOfUsers: [UInt32: Int] = [:]
  /// Connections that are still admitted on sockets with room of their own when ``connectionsMax`` is reached, so that an admin can look at
  /// what fills it.
  package var connectionsReserved = 64
  /// Connections that are being refused at once; beyond them the connection is closed without an answer.
  package var refusalsMax = 256
  /// Seconds from a head's first byte to its last; then 408.
  package var headerTimeoutSeconds = 10
  /// Seconds from a head's end to its body's; then 408. A streamed body has this long for each step forward instead.
  package var bodyTimeoutSeconds = 30
  /// Seconds without a request on an open connection; then it is closed in silence.
  package var idleTimeoutSeconds = 75
  /// Seconds an answer may wait for a client that does not read; then the connection is dropped.
  package var writeTimeoutSeconds = 30
  /// Seconds a connection that will be refused may take to say what it wanted; then the refusal is sent all the same.
  package var refusalTimeoutSeconds = 1
  /// Milliseconds without a byte after which a closing connection no longer waits for what its client still sends; until then that is read
  /// and dropped, so that the client gets its last answer (nginx: `lingering_timeout`).
  package var lingerMilliseconds = 500
  /// Seconds after which it no longer reads, however much is sent (nginx: `lingering_time`).
  package var lingerSecondsMax = 30
  /// Bytes that it reads and drops; one that sends more is closed at once.
  package var lingerBytesMax = 64 << 20
  /// Milliseconds in which an idle connection may still ask when the server begins to drain.
  package var drainGraceMilliseconds = 100
  /// Bytes of ready output after which a connection sends before it answers the next pipelined request.
  package var outputSliceBytes = 64 << 10
  /// Answers that each event loop keeps because they are the same for everybody; one more and it begins anew.
  package var keptAnswersMax = 64
  /// Bytes of the body of one cached answer; a larger one is made for each request.
  package var keptAnswerBytesMax = 1 << 20
  /// Bytes of the bodies of all cached answers.
  package var keptBytesMax = 4 << 20

  /// Connections at once of one user id.
  package func connectionsMax(of user: UInt32) -> Int { connectionsOfUsers[user] ?? connectionsPerUserMax }

  /// The limits DESIGN.md names.
  package init() {}

  /// The limits of one of so many event loops, so that all of them together stay within the bounds. A body that is not too large always fits; so
  /// where there are more loops than bodies fit into a bound, that is passed by as much.
  package func part(ofLoops loops: Int) -> ServerLimits {
    if loops <= 1 { return self }
    var part = self
    part.bodyBytesHeldMax = min(bodyBytesHeldMax, max(bodyBytesHeldMax / loops, bodyBytesMax))
    part.bodyBytesHeldPerUserMax = min(bodyBytesHeldPerUserMax, max(bodyBytesHeldPerUserMax / loops, bodyBytesMax))
    part.answerBytesMax = answerBytesMax / loops
    part.answerBytesPerUserMax = answerBytesPerUserMax / loops
    part.keptBytesMax = keptBytesMax / loops
    return part
  }
}
