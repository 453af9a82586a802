// Routes that combine a call's declaration with its handler. Here role, query and body are checked, in the same way for all calls.

package import GameConfAPI
internal import GameConfCore
package import GameConfServer

/// A route: a declared call and its handler. The router, the OpenAPI document and the request counters are made from the list of all
/// routes.
package struct CallRoute: Sendable {
  package let endpoint: Endpoint
  var route: Route

  /// Creates the route of a call.
  ///
  ///     CallRoute(Calls.auditEntry) { call throws(Problem) in
  ///       let game = try call.game.snapshot
  ///       return .task { () async throws(Problem) in .ok(try await line(call.path("id"), in: game)) }
  ///     }
  init<Ask: CallBody, Body: CallBody>(
    _ call: Call<Ask, Body>, bodyBytesMax: Int? = nil,
    _ handler: @escaping @Sendable (CallContext<Ask>) throws(Problem) -> TypedReply<Body>
  ) {
    let (endpoint, content) = (call.endpoint, Ask.content)
    self.endpoint = endpoint
    route = Route(endpoint, bodyBytesMax: bodyBytesMax) { request throws(Problem) in
      try endpoint.check(request)
      let context = CallContext(endpoint: endpoint, request: request, body: try Ask.read(content, of: request))
      @Sendable func reply() throws(Problem) -> TypedReply<Body> {
        let reply = try handler(context)
        return context.namesNoLanguage ? reply.adding(.ignoredLocale) : reply
      }
      guard endpoint.writesName(of: request) else { return try reply().reply }
      return .task { () async throws(Problem) in
        await UserNames.host.learn(request.role.uid)
        return try await reply().value.answer
      }
    }
    route.admit = endpoint.admission
  }

  /// Creates the route of a call whose request or answer is a stream of bytes.
  init<Ask: CallBody, Body: CallBody>(
    streaming call: Call<Ask, Body>, _ handler: @escaping @Sendable (CallContext<Ask>) throws(Problem) -> Reply
  ) {
    let (endpoint, content) = (call.endpoint, Ask.content)
    self.endpoint = endpoint
    route = Route(endpoint) { request throws(Problem) in
      try endpoint.check(request)
      return try handler(CallContext(endpoint: endpoint, request: request, body: try Ask.read(content, of: request)))
    }
    route.admit = endpoint.admission
  }

  /// Creates the route of another protocol's call. The given route does its own checks and refusals.
  package init<Ask: CallBody, Body: CallBody>(_ call: Call<Ask, Body>, by route: Route) {
    endpoint = call.endpoint
    self.route = route
  }

  /// Creates the route of a call of another protocol. The usual checks apply, refusals have the protocol's form, and unknown query
  /// parameters are ignored.
  /// - Parameters:
  ///   - repeated: The query parameters that may appear several times.
  ///   - below: The prefix of paths on which even a refusal for a missing route has the protocol's form.
  package init<Ask: CallBody, Body: CallBody>(
    face call: Call<Ask, Body>, bodyBytesMax: Int? = nil, repeated: Set<String> = [], below: String,
    refusing: @escaping @Sendable (Problem) -> Answer, _ handler: @escaping @Sendable (CallContext<NoBody>) throws(Problem) -> Reply
  ) {
    let endpoint = call.endpoint
    self.endpoint = endpoint
    route = Route(endpoint, bodyBytesMax: bodyBytesMax) { request throws(Problem) in
      try endpoint.check(request)
      return try handler(CallContext(endpoint: endpoint, request: request, body: NoBody()))
    }
    route.admit = endpoint.admission
    route.ignoresUnknownQuery = true
    route.repeatedQuery = repeated
    route.refusing = { problem, _ in refusing(problem) }
    route.refusingBelow = below
  }

  /// Creates the route of a call whose handler reads the body while it arrives.
  init<Ask: CallBody, Body: CallBody>(
    _ call: Call<Ask, Body>, streamedBytesMax: Int,
    _ handler: @escaping @Sendable (CallContext<NoBody>, IncomingBody) async throws(Problem) -> TypedAnswer<Body>
  ) {
    let endpoint = call.endpoint
    self.endpoint = endpoint
    route = Route(endpoint, streamedBytesMax: streamedBytesMax) { request, body async throws(Problem) in
      try endpoint.check(request)
      if endpoint.writesName(of: request) { await UserNames.host.learn(request.role.uid) }
      return try await handler(CallContext(endpoint: endpoint, request: request, body: NoBody()), body).answer
    }
    route.admit = endpoint.admission
  }
}

extension Endpoint {
  /// The check of the client's role before its body is read; nil if no role is required, or if it depends on the request or on stored data.
  fileprivate var admission: (@Sendable (Peer<PeerRole>) throws(Problem) -> Void)? {
    switch needs {
    case .anyone, .testerWith, .asBegun: return nil
    case .tester, .testerForPlayer, .publisher, .admin:
      return { peer throws(Problem) in
        if peer.socket == .admin { try self.require(peer.role, isAboutPlayer: true) }
      }
    }
  }

  /// True if the author's name must be looked up before the handler runs, because the audit log will store it with a change.
  fileprivate func writesName(of request: Request) -> Bool {
    guard request.peer.socket == .admin, !UserNames.host.isKnown(request.role.uid) else { return false }
    if case .testerWith = needs { return true }
    return method != .get
  }

  /// Checks the query against the call's declaration, and the client's role if a query parameter requires one.
  fileprivate func check(_ request: Request) throws(Problem) {
    for parameter in query {
      guard let text = request.query(parameter.name) else { continue }
      try parameter.check(text)
      if case .testerWith(parameter.name) = needs, request.peer.socket == .admin { try require(request.role, isAboutPlayer: true) }
    }
  }

  /// - Throws: `NOT_PERMITTED` if the client's role does not suffice for this call.
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
  /// Decodes the body of a request into this type.
  /// - Parameter content: The type's declared content. A parameter, because the type would compute it again for each request.
  fileprivate static func read(_ content: Endpoint.BodyContent, of request: Request) throws(Problem) -> Self {
    if case .none = content { return try converted(nil) }
    let value =
      content.isRequired ? try request.json(wideIntegers: wideIntegers) : try request.jsonIfPresent(wideIntegers: wideIntegers)
    return try converted(value)
  }

  private static func converted(_ value: Value?) throws(Problem) -> Self {
    do throws(Fault) { return try read(value) } catch { throw Problem(error) }
  }
}
