// One call of the wire contract without its types: what the router, the OpenAPI document and tests read.

internal import GameConfCore

/// The daemon's sockets on which a call is answered.
public enum SocketKind: String, Sendable, Hashable, CaseIterable { case games, admin, metrics }

/// The methods the contract uses; HEAD is answered wherever GET is.
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
  /// The method.
  public let method: Method
  /// The path with `{name}` for each variable segment, such as `/v1/games/{game}/config/{key}`; `{name}:verb` is one with that ending.
  public let path: String
  /// The sockets on which it is answered.
  public let sockets: Set<SocketKind>
  /// The role that it takes on the admin socket.
  public let needs: RequiredRole
  /// The thing that it changes; nil when it changes nothing.
  public let changes: Change?
  /// The query parameters it takes; any other is a 400.
  public let query: [QueryParameter]
  /// The body of the request.
  public let request: Content
  /// The body of the answer when all is well.
  public let answer: Content
  /// The statuses of good answers.
  public let statuses: [Int]
  /// One way to ask it.
  public let example: CallExample
  /// The places of gameconfctl at which it may be made beside its command.
  package let offers: Set<Offer>
  /// Its effect, in a sentence.
  public let summary: String
  /// The protocol that it is part of; nil for the contract's own.
  package let face: Face?

  /// The role that a call takes on the admin socket; on the games socket nobody is asked.
  public enum RequiredRole: Sendable, Hashable {
    /// Any peer that may connect.
    case anyone
    /// Any peer that may write about players.
    case tester
    /// Any peer that may push templates.
    case publisher
    /// Any peer that may do everything.
    case admin
    /// A tester where it is about one player, which the body or a stored line says; else an admin.
    case testerForPlayer
    /// The role that beginning the scenario took: an admin for a whole game, else a tester. Its author may always end it.
    case asBegun
    /// A tester with that query parameter, with which it may change something; else anyone.
    case testerWith(query: String)

    /// The users who may, in words; nil for anyone.
    /// - Parameter isAboutPlayer: whether it is about one player, where that decides.
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

  /// The thing that a call changes, which is what its revision, its precondition and its repeats are about.
  public enum Change: Sendable, Hashable {
    /// A game: `If-Match` takes the game's revision, `Idempotency-Key` makes repeats safe.
    case game
    /// A player: `If-Match` takes the player's revision, `Idempotency-Key` makes repeats safe.
    case player
    /// A game's template: `If-Match` takes the number of its newest version, 0 before the first; `Idempotency-Key` makes repeats safe.
    case template
    /// The same by Google's way: `If-Match` takes the ETag that its document was given out with, and nothing is remembered.
    case firebaseTemplate
    /// The state of a play: `If-Match` takes the tag of the stored state, `Idempotency-Key` makes repeats safe.
    case playState
    /// A player by RevenueCat's way: no precondition. A receipt's token names one purchase, however often it is sent.
    case subscriber
    /// The scenarios in force: no precondition, and `Idempotency-Key` makes repeats safe.
    case scenarios
    /// The daemon itself: no precondition, and done again when it is sent again.
    case daemon
  }

  /// A place of gameconfctl at which a call may be made.
  package enum Offer: Sendable, Hashable {
    /// The page of the panel.
    case panel
    /// A tool of assistants, at that place of the list.
    ///
    /// Deletions, clears, resets, restores, clock moves, pushes, rollbacks and imports are no tools.
    case tool(Int)
    /// A tool of assistants with `--all`.
    case furtherTool
  }

  /// The content of a body.
  public enum Content: Sendable, Hashable {
    /// No body.
    case none
    /// JSON after the component schema of that name.
    case json(schema: String, required: Bool = true)
    /// Bytes of that media type, as many as there are, or of the other for who accepts that.
    case bytes(mediaType: String, or: String? = nil, required: Bool = true)
  }

  /// A call.
  public init(
    _ id: String, _ method: Method, _ path: String, on sockets: Set<SocketKind>, needs: RequiredRole = .anyone, changes: Change? = nil,
    query: [QueryParameter] = [], request: Content = .none, answer: Content = .none, statuses: [Int] = [200],
    example: CallExample = CallExample(), summary: String
  ) {
    self.init(
      id, method, path, on: sockets, needs: needs, changes: changes, query: query, request: request, answer: answer, statuses: statuses,
      example: example, offers: [], face: nil, summary: summary)
  }

  /// A call of a protocol.
  package init(
    _ id: String, _ method: Method, _ path: String, on sockets: Set<SocketKind>, needs: RequiredRole, changes: Change?,
    query: [QueryParameter], request: Content, answer: Content, statuses: [Int], example: CallExample, offers: Set<Offer>, face: Face?,
    summary: String
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
    self.example = example
    self.offers = offers
    self.face = face
    self.summary = summary
  }

  /// True if `Idempotency-Key` makes it safe to send again.
  public var isRepeatable: Bool { hasPrecondition || changes == .scenarios }

  /// True if `If-Match` makes it conditional on a revision, or on the tag of a state.
  package var hasPrecondition: Bool {
    switch changes {
    case .game, .player, .template, .playState: true
    // Google's template has an ETag of its own, and no calls of ours; RevenueCat's clients send none.
    case .firebaseTemplate, .subscriber, .scenarios, .daemon, nil: false
    }
  }

  /// The names of the variable segments of ``path``, in order.
  public var pathParameters: [String] {
    path.split(separator: "/").compactMap { Self.variable(in: $0)?.name }
  }

  /// The variable of a segment and what follows it.
  private static func variable(in segment: Substring) -> (name: String, ending: Substring)? {
    guard segment.hasPrefix("{"), let close = segment.firstIndex(of: "}") else { return nil }
    return (String(segment[..<close].dropFirst()), segment[segment.index(after: close)...])
  }

  /// The target of a request: the path with its variables filled in, percent-encoded, and a query.
  ///
  /// Variables that are not given stay empty, which no route answers. So do `.` and `..`: a client would remove the segment before them too, and the
  /// path would be another call's.
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
