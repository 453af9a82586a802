// Routes made of a call's declaration and a handler: who may, what the query holds and how the body is read is decided here, for all calls.

package import GameConfAPI
internal import GameConfCore
package import GameConfServer

/// A call with its handler. The daemon's router, the OpenAPI document and the counters are made from the list of these.
package struct CallRoute: Sendable {
  package let endpoint: Endpoint
  var route: Route

  /// A route for a call.
  ///
  ///     CallRoute(Calls.auditEntry) { asked throws(Problem) in
  ///       let game = try asked.game.snapshot
  ///       return .task { () async throws(Problem) in .ok(try await line(asked.path("id"), in: game)) }
  ///     }
  init<Ask: CallBody, Body: CallBody>(
    _ call: Call<Ask, Body>, bodyBytesMax: Int? = nil,
    _ handler: @escaping @Sendable (CallContext<Ask>) throws(Problem) -> TypedReply<Body>
  ) {
    let (endpoint, content) = (call.endpoint, Ask.content)
    self.endpoint = endpoint
    route = Route(endpoint, bodyBytesMax: bodyBytesMax) { request throws(Problem) in
      try endpoint.check(request)
      let asked = CallContext(call: endpoint, request: request, body: try Ask.read(content, of: request))
      @Sendable func reply() throws(Problem) -> TypedReply<Body> {
        let reply = try handler(asked)
        return asked.namesNoLanguage ? reply.adding(.ignoredLocale) : reply
      }
      guard endpoint.writesName(of: request) else { return try reply().reply }
      return .task { () async throws(Problem) in
        await UserNames.host.learn(request.role.uid)
        return try await reply().value.answer
      }
    }
    route.admit = endpoint.admission
  }

  /// A route for a call whose body or answer is a stream of bytes.
  init<Ask: CallBody, Body: CallBody>(
    streaming call: Call<Ask, Body>, _ handler: @escaping @Sendable (CallContext<Ask>) throws(Problem) -> Reply
  ) {
    let (endpoint, content) = (call.endpoint, Ask.content)
    self.endpoint = endpoint
    route = Route(endpoint) { request throws(Problem) in
      try endpoint.check(request)
      return try handler(CallContext(call: endpoint, request: request, body: try Ask.read(content, of: request)))
    }
    route.admit = endpoint.admission
  }

  /// A route for a call of another protocol that is checked as ours are, and reads its body by itself.
  init<Ask: CallBody, Body: CallBody>(
    checking call: Call<Ask, Body>, bodyBytesMax: Int? = nil,
    _ handler: @escaping @Sendable (CallContext<NoBody>) throws(Problem) -> Reply
  ) {
    let endpoint = call.endpoint
    self.endpoint = endpoint
    route = Route(endpoint, bodyBytesMax: bodyBytesMax) { request throws(Problem) in
      try endpoint.check(request)
      return try handler(CallContext(call: endpoint, request: request, body: NoBody()))
    }
    route.admit = endpoint.admission
  }

  /// A route for a call of another protocol, which has its own ways with queries, bodies and refusals.
  init<Ask: CallBody, Body: CallBody>(_ call: Call<Ask, Body>, by route: Route) {
    endpoint = call.endpoint
    self.route = route
  }

  /// A route for a call of a face: checked as ours are, and refused in the face's own words. Query parameters that are not known are ignored.
  /// - Parameters:
  ///   - repeated: The query parameters that may be given several times.
  ///   - below: The path below which calls that no route has are refused in the same words.
  package init<Ask: CallBody, Body: CallBody>(
    face call: Call<Ask, Body>, repeated: Set<String> = [], below: String, refusing: @escaping @Sendable (Problem) -> Answer,
    _ handler: @escaping @Sendable (Request) throws(Problem) -> Reply
  ) {
    let endpoint = call.endpoint
    self.endpoint = endpoint
    route = Route(endpoint) { request throws(Problem) in
      try endpoint.check(request)
      return try handler(request)
    }
    route.admit = endpoint.admission
    route.ignoresUnknownQuery = true
    route.repeatedQuery = repeated
    route.refusing = { problem, _ in refusing(problem) }
    route.refusingBelow = below
  }

  /// A route for a call that reads its body as it arrives.
  init<Ask: CallBody, Body: CallBody>(
    _ call: Call<Ask, Body>, streamedBytesMax: Int,
    _ handler: @escaping @Sendable (CallContext<NoBody>, IncomingBody) async throws(Problem) -> TypedAnswer<Body>
  ) {
    let endpoint = call.endpoint
    self.endpoint = endpoint
    route = Route(endpoint, streamedBytesMax: streamedBytesMax) { request, body async throws(Problem) in
      try endpoint.check(request)
      if endpoint.writesName(of: request) { await UserNames.host.learn(request.role.uid) }
      return try await handler(CallContext(call: endpoint, request: request, body: NoBody()), body).answer
    }
    route.admit = endpoint.admission
  }
}

extension Endpoint {
  /// The check of the peer before its body is read; nil where anyone may, or where the request or what is stored decides.
  fileprivate var admission: (@Sendable (Peer<PeerRole>) throws(Problem) -> Void)? {
    switch needs {
    case .anyone, .testerWith, .asBegun: return nil
    case .tester, .testerForPlayer, .publisher, .admin:
      return { peer throws(Problem) in
        if peer.socket == .admin { try self.require(peer.role, isAboutPlayer: true) }
      }
    }
  }

  /// True if the request's author is to be looked up first: what changes something by the admin socket is written down beside the author's name.
  fileprivate func writesName(of request: Request) -> Bool {
    guard request.peer.socket == .admin, !UserNames.host.isKnown(request.role.uid) else { return false }
    if case .testerWith = needs { return true }
    return method != .get
  }

  /// Holds the query against the declaration, and the role where the query decides what it takes.
  fileprivate func check(_ request: Request) throws(Problem) {
    for parameter in query {
      guard let text = request.query(parameter.name) else { continue }
      try parameter.check(text)
      if case .testerWith(parameter.name) = needs, request.peer.socket == .admin { try require(request.role, isAboutPlayer: true) }
    }
  }

  /// - Throws: `NOT_PERMITTED` when the role is not enough for this call.
  func require(_ role: PeerRole, isAboutPlayer: Bool) throws(Problem) {
    let isEnough =
      switch needs {
      case .anyone: true
      case .tester, .testerWith: role.rank >= .tester
      case .testerForPlayer, .asBegun: role.rank >= (isAboutPlayer ? .tester : .admin)
      case .publisher: role.rank >= .admin || role.publishes
      case .admin: role.rank >= .admin
      }
    guard !isEnough, let wanted = needs.holders(isAboutPlayer: isAboutPlayer) else { return }
    throw Problem(
      .notPermitted,
      "\(method.rawValue) \(path) is for \(wanted): uid \(role.uid) is not one of them. Ask an admin to do it, or join the group that the status names.",
      extensions: ObjectValue([("needs", .string(wanted)), ("uid", .integer(Int64(role.uid))), ("tester", .bool(role.rank >= .tester))]))
  }
}

extension CallBody {
  /// The body of a request, read as this type.
  /// - Parameter content: as the call declares it; asked of the type, it would be made anew for every request, name of the schema and all.
  fileprivate static func read(_ content: Endpoint.Content, of request: Request) throws(Problem) -> Self {
    if case .none = content { return try converted(nil) }
    let value =
      content.isRequired ? try request.json(wideIntegers: wideIntegers) : try request.jsonIfPresent(wideIntegers: wideIntegers)
    return try converted(value)
  }

  private static func converted(_ value: Value?) throws(Problem) -> Self {
    do throws(Fault) { return try read(value) } catch { throw Problem(error) }
  }
}
