// The description of one call of the HTTP contract, without the types of its bodies, for the router, the OpenAPI document and tests.

internal import GameConfCore

/// The daemon's sockets: for games, for admins and testers, and for Prometheus.
public enum SocketKind: String, Sendable, Hashable, CaseIterable { case games, admin, metrics }

/// The HTTP methods of the contract's calls. Every call with GET also answers HEAD.
public enum Method: String, Sendable, Hashable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// The description of one call: a method on a path, with the properties that the router and the documentation need.
public struct Endpoint: Sendable, Hashable {
  /// The call's unique name in lower camel case, such as `putOverride`; OpenAPI's `operationId`.
  public let id: String
  /// The HTTP method. A call with GET also answers HEAD.
  public let method: Method
  /// The path with `{name}` for each variable segment, such as `/v1/games/{game}/config/{key}`. A segment `{name}:verb` is a variable
  /// followed by fixed text.
  public let path: String
  /// The sockets on which the daemon answers the call.
  public let sockets: Set<SocketKind>
  /// The role that a caller on the admin socket must have.
  public let needs: RequiredRole
  /// The object that the call changes; nil if it changes nothing.
  public let changes: ChangedObject?
  /// The query parameters of the call. The daemon answers a request with any other parameter with status 400.
  public let query: [QueryParameter]
  /// The request's body: JSON of a schema, bytes of a media type, or no body.
  public let request: BodyContent
  /// The body of a successful answer.
  public let answer: BodyContent
  /// The HTTP statuses of successful answers, the usual one first.
  public let statuses: [Int]
  /// The HTTP statuses of refusals that do not follow from the call's other properties.
  package let refusals: Set<Int>
  /// An example request, which succeeds on a daemon with the shipped games.
  public let example: CallExample
  /// The parts of `gameconfctl` that offer the call, in addition to a command.
  package let offers: Set<CallOffer>
  /// The effect of the call, in a sentence for the documentation.
  public let summary: String
  /// The foreign protocol that the call belongs to; nil for a call of gameconfd's own contract.
  package let face: Face?

  /// The role that a call requires on the admin socket. The games socket requires no role.
  public enum RequiredRole: Sendable, Hashable {
    /// No role: any user who may connect to the admin socket.
    case anyone
    /// The tester role, which may write about players; admins have it too.
    case tester
    /// The publisher role, which may push templates; admins have it too.
    case publisher
    /// The admin role, which may make every call.
    case admin
    /// The tester role if the call is about one player, otherwise the admin role. The call's body, or the row of the audit log that the
    /// call reverts, shows if it is about a player.
    case testerForPlayer
    /// The role that was required to start the scenario: admin for a whole game, otherwise tester. The scenario's author may always end it.
    case asBegun
    /// The tester role if the request has this query parameter, with which the call may change something; otherwise no role.
    case testerWith(query: String)

    /// Returns the users who have the role, in words; nil if no role is required.
    /// - Parameter isAboutPlayer: True if the call is about one player, which some roles depend on.
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

  /// The object that a call changes. It determines the revision or tag that `If-Match` takes, and if repeated requests are recognized.
  public enum ChangedObject: Sendable, Hashable {
    /// A game. `If-Match` takes the game's revision, and `Idempotency-Key` makes repeats safe.
    case game
    /// A player. `If-Match` takes the player's revision, and `Idempotency-Key` makes repeats safe.
    case player
    /// A game's template. `If-Match` takes the number of its newest version, or 0 before the first. `Idempotency-Key` makes repeats safe.
    case template
    /// A game's template in Firebase's protocol. `If-Match` takes the ETag of the document that was read. Repeats are not recognized.
    case firebaseTemplate
    /// The state that a game stores with a play. `If-Match` takes the tag of the stored state, and `Idempotency-Key` makes repeats safe.
    case playState
    /// A player in RevenueCat's protocol, without `If-Match`. A receipt's token identifies one purchase, however often it is sent.
    case subscriber
    /// The list of scenarios in force, without `If-Match`. `Idempotency-Key` makes repeats safe.
    case scenarios
    /// The daemon itself, without `If-Match`. A repeat is performed again.
    case daemon
  }

  /// A part of `gameconfctl` that offers a call in addition to a command.
  package enum CallOffer: Sendable, Hashable {
    case panel
    /// A tool for AI assistants, with its position in the list of tools.
    ///
    /// Calls that delete, clear, reset, restore, move a clock, push, roll back or import are not tools.
    case tool(Int)
    /// A tool for AI assistants that is offered only with `--all`.
    case furtherTool
  }

  /// The content of a body: JSON of a schema, bytes of a media type, or no body.
  public enum BodyContent: Sendable, Hashable {
    case none
    /// JSON of the schema component with this name.
    case json(schema: String, required: Bool = true)
    /// Bytes of this media type and of any length. A client that accepts the alternative `or` gets that type instead.
    case bytes(mediaType: String, or: String? = nil, required: Bool = true)
  }

  /// Declares a call of gameconfd's own contract. By default it requires no role, changes nothing, and answers 200 without a body.
  public init(
    _ id: String, _ method: Method, _ path: String, on sockets: Set<SocketKind>, needs: RequiredRole = .anyone,
    changes: ChangedObject? = nil,
    query: [QueryParameter] = [], request: BodyContent = .none, answer: BodyContent = .none, statuses: [Int] = [200],
    example: CallExample = CallExample(), summary: String
  ) {
    self.init(
      id, method, path, on: sockets, needs: needs, changes: changes, query: query, request: request, answer: answer, statuses: statuses,
      refusals: [], example: example, offers: [], face: nil, summary: summary)
  }

  /// Declares a call of a foreign protocol, or of gameconfd's own contract if `face` is nil.
  package init(
    _ id: String, _ method: Method, _ path: String, on sockets: Set<SocketKind>, needs: RequiredRole, changes: ChangedObject?,
    query: [QueryParameter], request: BodyContent, answer: BodyContent, statuses: [Int], refusals: Set<Int>, example: CallExample,
    offers: Set<CallOffer>, face: Face?, summary: String
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

  /// True if a request with `Idempotency-Key` can be repeated safely.
  public var isRepeatable: Bool { hasPrecondition || changes == .scenarios }

  /// True if `If-Match` makes the call conditional on a revision or a tag.
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

  /// Returns the variable in a path segment such as `{name}:verb`, and the text behind it; nil if the segment is fixed text.
  private static func variable(in segment: Substring) -> (name: String, ending: Substring)? {
    guard segment.hasPrefix("{"), let close = segment.firstIndex(of: "}") else { return nil }
    return (String(segment[..<close].dropFirst()), segment[segment.index(after: close)...])
  }

  /// Returns the path and query of a request, with the values of the path's variables percent-encoded.
  ///
  /// A variable without a value stays empty, so that no route matches. So do the values `.` and `..`: a client would normalize the path by
  /// removing dot segments, and would make another call.
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
