// One call of the wire contract without the types of its bodies, for the router, the OpenAPI document and tests.

internal import GameConfCore

/// The daemon's sockets: for games, for admins and testers, and for Prometheus.
public enum SocketKind: String, Sendable, Hashable, CaseIterable { case games, admin, metrics }

/// The methods of the contract; HEAD is answered wherever GET is.
public enum Method: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// One call: a method on a path.
public struct Endpoint: Sendable, Hashable {
  /// The call's name, unique, in lower camel case; OpenAPI's `operationId`.
  public let id: String
  /// The HTTP method; a call with GET also answers HEAD.
  public let method: Method
  /// The path with `{name}` for each variable segment, such as `/v1/games/{game}/config/{key}`; `{name}:verb` is a variable with that
  /// ending.
  public let path: String
  /// The sockets that answer the call.
  public let sockets: Set<SocketKind>
  /// The role that the call requires on the admin socket.
  public let needs: RequiredRole
  /// The subject of the change; nil if the call changes nothing.
  public let changes: Change?
  /// The query parameters of the call; any other gets a 400.
  public let query: [QueryParameter]
  /// The request's body: a JSON schema, a media type, or no body.
  public let request: Content
  /// The content of a successful answer's body.
  public let answer: Content
  /// The statuses of successful answers, the usual one first.
  public let statuses: [Int]
  /// The statuses of refusals of this call that do not follow from its other properties.
  package let refusals: Set<Int>
  /// A request that succeeds on a daemon with the shipped games.
  public let example: CallExample
  /// The parts of gameconfctl that offer the call in addition to its command.
  package let offers: Set<Offer>
  /// The effect of the call, in a sentence.
  public let summary: String
  /// The foreign protocol that the call belongs to; nil for the contract's own calls.
  package let face: Face?

  /// The role that a call requires on the admin socket. The games socket requires no role.
  public enum RequiredRole: Sendable, Hashable {
    /// Any peer that may connect.
    case anyone
    /// Any peer that may write about players.
    case tester
    /// Any peer that may push templates.
    case publisher
    /// Any peer that may do everything.
    case admin
    /// A tester if the call is about one player, according to the body or the stored line; otherwise an admin.
    case testerForPlayer
    /// The role that starting the scenario required: an admin for a whole game, otherwise a tester. Its author may always end it.
    case asBegun
    /// A tester if the call has that query parameter, with which it may change something; otherwise anyone.
    case testerWith(query: String)

    /// Returns the users who have the role, in words; nil for anyone.
    /// - Parameter isAboutPlayer: True if the call is about one player, if that matters.
    package func holders(isAboutPlayer: Bool) -> String? {
      switch self {
      case .anyone: nil
      case .tester, .testerWith: "testers and admins"
      case .testerForPlayer, .asBegun: isAboutPlayer ? "testers and admins" : "admins"
      case .publisher: "publishers and admins"
      case .admin: "admins"
      }
    }
  }

  /// The subject of a change, which the revision, the precondition and repeats refer to.
  public enum Change: Sendable, Hashable {
    /// A game: `If-Match` takes the game's revision, `Idempotency-Key` makes repeats safe.
    case game
    /// A player: `If-Match` takes the player's revision, `Idempotency-Key` makes repeats safe.
    case player
    /// A game's template: `If-Match` takes the number of its newest version, 0 before the first; `Idempotency-Key` makes repeats safe.
    case template
    /// A game's template by Google's protocol: `If-Match` takes the ETag of the document that was read, and repeats are not recognized.
    case firebaseTemplate
    /// The state of a play: `If-Match` takes the tag of the stored state, `Idempotency-Key` makes repeats safe.
    case playState
    /// A player by RevenueCat's protocol: no precondition. A receipt's token identifies one purchase, however often it is sent.
    case subscriber
    /// The scenarios in force: no precondition, and `Idempotency-Key` makes repeats safe.
    case scenarios
    /// The daemon itself: no precondition, and a repeat is performed again.
    case daemon
  }

  /// A part of gameconfctl that offers a call.
  package enum Offer: Sendable, Hashable {
    case panel
    /// A tool of assistants, at that position of the list.
    ///
    /// Deletions, clears, resets, restores, clock moves, pushes, rollbacks and imports are not tools.
    case tool(Int)
    /// A tool of assistants that is offered only with `--all`.
    case furtherTool
  }

  /// JSON of a schema, bytes of a media type, or no body.
  public enum Content: Sendable, Hashable {
    case none
    /// JSON of the component schema of that name.
    case json(schema: String, required: Bool = true)
    /// A body of this media type and any length, or of the alternative if the client accepts it.
    case bytes(mediaType: String, or: String? = nil, required: Bool = true)
  }

  /// Declares a call; by default any peer may make it, it changes nothing, and it answers 200 without a body.
  public init(
    _ id: String, _ method: Method, _ path: String, on sockets: Set<SocketKind>, needs: RequiredRole = .anyone, changes: Change? = nil,
    query: [QueryParameter] = [], request: Content = .none, answer: Content = .none, statuses: [Int] = [200],
    example: CallExample = CallExample(), summary: String
  ) {
    self.init(
      id, method, path, on: sockets, needs: needs, changes: changes, query: query, request: request, answer: answer, statuses: statuses,
      refusals: [], example: example, offers: [], face: nil, summary: summary)
  }

  /// Declares a call of a foreign protocol, or of the contract if `face` is nil.
  package init(
    _ id: String, _ method: Method, _ path: String, on sockets: Set<SocketKind>, needs: RequiredRole, changes: Change?,
    query: [QueryParameter], request: Content, answer: Content, statuses: [Int], refusals: Set<Int>, example: CallExample,
    offers: Set<Offer>, face: Face?, summary: String
  ) {
    self.id = id
    self.method = method
    self.path = path
    self.sockets = sockets
    self.needs = needs
    self.changes = changes
    self.query = changes == nil ? query : query + [.dryRun]
    self.request = request
    self.answer = answer
    self.statuses = statuses
    self.refusals = refusals
    self.example = example
    self.offers = offers
    self.face = face
    self.summary = summary
  }

  /// True if `Idempotency-Key` makes repeats safe.
  public var isRepeatable: Bool { hasPrecondition || changes == .scenarios }

  /// True if `If-Match` makes the call conditional on a revision or on the tag of a state.
  package var hasPrecondition: Bool {
    switch changes {
    case .game, .player, .template, .playState: true
    // Google's template has its own ETag, and RevenueCat's clients send no precondition.
    case .firebaseTemplate, .subscriber, .scenarios, .daemon, nil: false
    }
  }

  /// The names of the variable segments of ``path``, in order.
  public var pathParameters: [String] {
    path.split(separator: "/").compactMap { Self.variable(in: $0)?.name }
  }

  /// Returns the variable of a segment and the text behind it.
  private static func variable(in segment: Substring) -> (name: String, ending: Substring)? {
    guard segment.hasPrefix("{"), let close = segment.firstIndex(of: "}") else { return nil }
    return (String(segment[..<close].dropFirst()), segment[segment.index(after: close)...])
  }

  /// Returns the target of a request: the path with its variables percent-encoded, and a query.
  ///
  /// A variable without a value stays empty, so that no route matches. So do `.` and `..`: a client would normalize the path by removing
  /// them and the segment before, which would make another call.
  public func target(_ variables: [String: String] = [:], query: [(String, String)] = []) -> String {
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
      guard let (name, ending) = Self.variable(in: segment) else { return String(segment) }
      let text = variables[name] ?? ""
      return (PercentEncoding.isFolded(text) ? "" : PercentEncoding.encode(text)) + ending
    }
    let path = segments.joined(separator: "/")
    if query.isEmpty { return path }
    return path + "?" + query.map { PercentEncoding.encode($0.0) + "=" + PercentEncoding.encode($0.1) }.joined(separator: "&")
  }
}
