// The client that sends requests to the daemon and decodes its responses.

import GameConfAPI
import GameConfCore
import GameConfTransport

/// The way in which requests reach a daemon: a socket, or in a test recorded responses.
protocol DaemonTransport: Sendable {
  func send(_ request: OutgoingRequest) async throws(TransportError) -> Response
  func open(_ request: OutgoingRequest) async throws(TransportError) -> StreamedResponse
}

extension UnixHTTPClient: DaemonTransport {}

/// A response of the daemon: the decoded answer, and the JSON as it arrived.
struct DaemonReply<Answer: Sendable>: Sendable {
  var answer: Answer
  /// The JSON as it arrived. A newer daemon may have added members that the decoded answer lacks.
  var value: Value
  var head: ResponseHead
  /// The path of the socket on which the daemon responded.
  var path: String
}

struct DaemonClient: Sendable {
  struct SocketClient: Sendable {
    /// The kind of the socket; nil if only its path was given, so that it may be of either kind.
    var kind: SocketKind?
    var path: String
    var transport: any DaemonTransport

    /// True if the socket is of one of these kinds, or if its kind is unknown.
    func answers(_ kinds: Set<SocketKind>) -> Bool { kind.map(kinds.contains) ?? true }
  }

  /// The sockets in the order in which they are tried.
  var socketClients: [SocketClient]
  var timeoutSeconds = 30.0
  /// The session that changes belong to, for the audit log.
  var session: String?
  /// The name in the header `Gameconf-Program`, by which the daemon distinguishes the requests of the panel and similar programs; nil for
  /// those of a command.
  var program: String?
  /// The message that is shown while a response takes long; nil if the command shows its own.
  var waiting: WaitMessage?

  /// Returns the path of the games socket that belongs to an admin socket: the games socket that the client tries after it, otherwise
  /// `games.sock` in the same folder.
  func gamesSocket(beside adminSocket: String) -> String {
    let next = socketClients.drop { $0.path != adminSocket }.dropFirst().first
    if let next, next.kind == .games { return next.path }
    return (adminSocket.lastIndex(of: "/").map { String(adminSocket[...$0]) } ?? "") + "games.sock"
  }

  /// A message that is shown while a response takes long.
  struct WaitMessage: Sendable {
    /// The work that the command waits for, in words.
    var what: Sentence
    var screen: Screen
    /// True if standard error says after ``Progress/noteMilliseconds`` that the command still waits. False if the user has set `--timeout`.
    var isNoted: Bool
  }

  /// Makes a call and decodes its response.
  /// - Parameters:
  ///   - change: The reason and the idempotency key of a change. The reason goes into the query if the call has no body.
  ///   - ifRevision: The revision that the game or player must still have; otherwise the daemon refuses the call.
  func ask<Ask: CallBody, Answer: WireShape>(
    _ call: Call<Ask, Answer>, _ variables: [String: String] = [:], query: [(String, String)] = [], body: Ask,
    change: ChangeOptions? = nil, ifRevision: Int64? = nil
  ) async throws(CtlFailure) -> DaemonReply<Answer> {
    let sent = body.sent.map { OutgoingRequest.Body.bytes(JSONWriter.bytes($0), mediaType: "application/json") }
    let condition = ifRevision.map { [(name: "If-Match", value: "\"\($0)\"")] } ?? []
    let (response, path) = try await exchange(
      call.endpoint, variables, (change?.query(of: call.endpoint) ?? []) + query, sent ?? .none, (change?.headers ?? []) + condition)
    return try Self.reply(response, path)
  }

  /// Makes a call without a body and decodes its response.
  func ask<Answer: WireShape>(
    _ call: Call<NoBody, Answer>, _ variables: [String: String] = [:], query: [(String, String)] = [], change: ChangeOptions? = nil
  ) async throws(CtlFailure) -> DaemonReply<Answer> {
    try await ask(call, variables, query: query, body: NoBody(), change: change)
  }

  /// Makes a call whose response has no body, except for a dry run.
  func send<Answer: WireShape>(
    _ call: Call<NoBody, Answer>, _ variables: [String: String], query: [(String, String)] = [], change: ChangeOptions
  ) async throws(CtlFailure) -> DaemonReply<Answer?> {
    let (response, path) = try await exchange(call.endpoint, variables, change.query(of: call.endpoint) + query, .none, change.headers)
    if response.body.isEmpty { return DaemonReply(answer: nil, value: .null, head: response.head, path: path) }
    let reply: DaemonReply<Answer> = try Self.reply(response, path)
    return DaemonReply(answer: reply.answer, value: reply.value, head: reply.head, path: path)
  }

  private static func reply<Answer: WireShape>(_ response: Response, _ path: String) throws(CtlFailure) -> DaemonReply<Answer> {
    let value = response.body.isEmpty ? Value.object(ObjectValue()) : try Self.value(response, path)
    do throws(Fault) {
      return DaemonReply(answer: try Answer(wire: value), value: value, head: response.head, path: path)
    } catch {
      throw .unexpected(error, path: path)
    }
  }

  /// Makes a call with a body of bytes or pieces, and decodes its response.
  func upload<Ask: CallBody, Answer: WireShape>(
    _ call: Call<Ask, Answer>, _ variables: [String: String] = [:], query: [(String, String)], body: OutgoingRequest.Body,
    change: ChangeOptions, timeoutSeconds: Double
  ) async throws(CtlFailure) -> DaemonReply<Answer> {
    var uploader = self
    uploader.timeoutSeconds = timeoutSeconds
    // The command itself shows the progress of the upload.
    uploader.waiting = nil
    let (response, path) = try await uploader.exchange(
      call.endpoint, variables, change.query(of: call.endpoint) + query, body, change.headers)
    return try Self.reply(response, path)
  }

  /// Makes a call whose response is read piece by piece, and returns the response's body.
  func stream<Answer: CallBody>(
    _ call: Call<NoBody, Answer>, _ variables: [String: String] = [:], query: [(String, String)] = [],
    headers: [(name: String, value: String)] = []
  ) async throws(CtlFailure) -> (body: ResponseBody, path: String) {
    let (body, path, _) = try await download(call, variables, query: query, headers: headers)
    return (body, path)
  }

  /// Makes a call whose response is read piece by piece. Returns the body and, if the daemon states it, its length in bytes.
  func download<Answer: CallBody>(
    _ call: Call<NoBody, Answer>, _ variables: [String: String] = [:], query: [(String, String)] = [],
    headers: [(name: String, value: String)] = []
  ) async throws(CtlFailure) -> (body: ResponseBody, path: String, length: Int64?) {
    let endpoint = call.endpoint
    try Self.checkPath(of: endpoint, variables)
    let request = OutgoingRequest(
      endpoint.method, endpoint.target(variables, query: query), headers: headers + named, timeoutSeconds: timeoutSeconds)
    let progress = waiting.map { Progress($0.what, on: $0.screen, isNoted: $0.isNoted) }
    defer { progress?.stop() }
    let (response, path) = try await firstSocketClient(for: endpoint) { (socketClient) async throws(TransportError) in
      try await socketClient.transport.open(request)
    }
    progress?.stop()
    if (200..<300).contains(response.head.status) { return (response.body, path, response.head["Content-Length"].flatMap { Int64($0) }) }
    var bytes: [UInt8] = []
    do throws(TransportError) {
      while let piece = try await response.body.next(timeoutSeconds: timeoutSeconds), bytes.count < 1 << 20 { bytes += piece }
    } catch {
      throw .transport(error, path: path)
    }
    throw .problem(RoleRefusal.reworded(Self.problem(Response(head: response.head, body: bytes)), of: endpoint))
  }

  /// Makes a call. If the admin socket refuses the call, makes it on the next socket. Returns the successful response and the path of the
  /// socket that gave it.
  func exchange(
    _ endpoint: Endpoint, _ variables: [String: String], _ query: [(String, String)], _ body: OutgoingRequest.Body,
    _ headers: [(name: String, value: String)]
  ) async throws(CtlFailure) -> (Response, String) {
    try Self.checkPath(of: endpoint, variables)
    let given = headers
    var headers = given + named
    if endpoint.changes != nil, let session { headers.append((name: "Gameconf-Session", value: session)) }
    let request = OutgoingRequest(
      endpoint.method, endpoint.target(variables, query: query), headers: headers, body: body, timeoutSeconds: timeoutSeconds)
    let progress = waiting.map { Progress($0.what, on: $0.screen, isNoted: $0.isNoted) }
    defer { progress?.stop() }
    var refusal: Problem?
    var socketClients = socketClients.filter { $0.answers(endpoint.sockets) }[...]
    while !socketClients.isEmpty {
      let (response, path, used) = try await firstAnswer(from: socketClients, refusedBefore: refusal) {
        (socketClient) async throws(TransportError) in
        try await socketClient.transport.send(request)
      }
      if (200..<300).contains(response.status) { return (response, path) }
      let problem = RoleRefusal.reworded(Self.problem(response), of: endpoint)
      if problem.code == .unknownKey, let id = await key(withAlias: variables["key"], in: variables["game"]) {
        return try await exchange(endpoint, variables.merging(["key": id]) { $1 }, query, body, given)
      }
      // The admin socket refuses a user without a role, but the games socket may still answer that user's reads.
      guard endpoint.sockets.contains(.games), socketClients[used].kind == .admin,
        problem.code == .notPermitted || problem.code == .adminOnly
      else { throw .problem(problem) }
      refusal = problem
      socketClients = socketClients[(used + 1)...]
    }
    throw refusal.map(CtlFailure.problem) ?? .noDaemon([])
  }

  private var named: [(name: String, value: String)] { program.map { [(name: "Gameconf-Program", value: $0)] } ?? [] }

  /// Refuses a path variable such as `..`. It would be removed when the path is normalized, and the path would then name another call.
  private static func checkPath(of endpoint: Endpoint, _ variables: [String: String]) throws(CtlFailure) {
    for name in endpoint.pathParameters {
      guard let text = variables[name], PercentEncoding.isFolded(text) else { continue }
      if name == "player" { throw .problem(Problem(.malformedPlayerID, "\(OverrideLimits.playerForm) This one is “\(text)”.")) }
      throw .refused(["“\(text)” cannot be a name in a path (\(name))"])
    }
  }

  private func firstSocketClient<Answer>(
    for endpoint: Endpoint, _ call: (SocketClient) async throws(TransportError) -> Answer
  ) async throws(CtlFailure) -> (Answer, String) {
    let (answer, path, _) = try await firstAnswer(
      from: socketClients.filter { $0.answers(endpoint.sockets) }[...], refusedBefore: nil, call)
    return (answer, path)
  }

  private func firstAnswer<Answer>(
    from socketClients: ArraySlice<SocketClient>, refusedBefore: Problem?, _ call: (SocketClient) async throws(TransportError) -> Answer
  ) async throws(CtlFailure) -> (Answer, String, Int) {
    var attempts: [CtlFailure.SocketAttempt] = []
    for at in socketClients.indices {
      do throws(TransportError) {
        return (try await call(socketClients[at]), socketClients[at].path, at)
      } catch {
        guard error.isUnreached else { throw .transport(error, path: socketClients[at].path) }
        attempts.append(CtlFailure.SocketAttempt(path: socketClients[at].path, error: error))
      }
    }
    throw refusedBefore.map(CtlFailure.problem) ?? .noDaemon(attempts)
  }

  /// Parses the JSON of a response.
  /// - Throws: `unexpected` for the socket at `path` if the JSON is malformed.
  static func value(_ response: Response, _ path: String) throws(CtlFailure) -> Value {
    do throws(JSONError) {
      return try JSONReader.value(from: response.body, limits: JSONLimits(depthMax: 128, bytesMax: UnixHTTPClient.bodyBytesMax))
    } catch {
      throw .unexpected(Fault(error.message, at: error.pointer), path: path)
    }
  }

  static func problem(_ response: Response) -> Problem {
    if let value = try? JSONReader.value(from: response.body), let problem = try? Problem(wire: value) { return problem }
    var problem = Problem(.internalFault, "the daemon answered with status \(response.status) and gave no reason")
    problem.status = response.status
    problem.codeText = ""
    return problem
  }
}
