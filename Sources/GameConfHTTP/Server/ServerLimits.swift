// How much of everything one caller, and all of them together, may take from the server.

/// The server's limits; status shows them, and each is tested on both sides of its edge.
public struct ServerLimits: Sendable, Hashable {
  /// Bytes of a request line, its line end included; more is a 414.
  public var requestLineBytesMax = 8 << 10
  /// Bytes of a whole head, request line and final empty line included, and of all trailers; more is a 431.
  public var headerBytesMax = 16 << 10
  /// Bytes of a request's body, without chunk framing; more is a 413. A route that takes a stream names its own.
  public var bodyBytesMax = 1 << 20
  /// Bytes of bodies that are not whole yet, over all connections of an event loop; what passes it is answered 503.
  public var bodyBytesHeldMax = 64 << 20
  /// Bytes of one chunk-size line, extensions included; more is a 400.
  public var chunkLineBytesMax = 256
  /// Connections at once; one more is answered 503 and closed.
  public var connectionsMax = 8_192
  /// Connections at once from one user id; one more is answered 429 and closed.
  public var connectionsPerUserMax = 1_024
  /// Admin connections that are still admitted when ``connectionsMax`` is reached, so that an admin can look at what fills it.
  public var adminConnectionsReserved = 64
  /// Connections that are being refused at once; beyond them the door is closed without an answer.
  public var refusalsMax = 256
  /// Seconds from a head's first byte to its last; then 408.
  public var headerTimeoutSeconds = 10
  /// Seconds from a head's end to its body's; then 408. A streamed body has this long for each step forward instead.
  public var bodyTimeoutSeconds = 30
  /// Seconds without a request on an open connection; then it is closed in silence.
  public var idleTimeoutSeconds = 75
  /// Seconds an answer may wait for a client that does not read; then the connection is dropped.
  public var writeTimeoutSeconds = 30
  /// Seconds a connection that will be refused may take to say what it wanted; then the refusal is sent all the same.
  public var refusalTimeoutSeconds = 1
  /// Milliseconds without a byte after which a closing connection no longer waits for what its client still sends; until then that is read
  /// and dropped, so that the client gets its last answer (nginx: `lingering_timeout`).
  public var lingerMilliseconds = 500
  /// Seconds after which it no longer reads, however much is sent (nginx: `lingering_time`).
  public var lingerSecondsMax = 30
  /// Bytes that it reads and drops; one that sends more is closed at once.
  public var lingerBytesMax = 64 << 20
  /// Milliseconds in which an idle connection may still ask when the server begins to drain.
  public var drainGraceMilliseconds = 100
  /// Bytes of ready output after which a connection sends before it answers the next pipelined request.
  public var outputSliceBytes = 64 << 10
  /// Answers that each event loop keeps because they are the same for everybody; one more and it begins anew.
  public var keptAnswersMax = 64
  /// Bytes of the body of one kept answer; a larger one is made for each request.
  public var keptAnswerBytesMax = 1 << 20
  /// Bytes of the bodies of all kept answers of an event loop.
  public var keptBytesMax = 4 << 20
  /// Bytes that may wait in an outgoing stream before its producer is held.
  public var streamBytesQueuedMax = 256 << 10

  /// The limits DESIGN.md names.
  public init() {}
}
