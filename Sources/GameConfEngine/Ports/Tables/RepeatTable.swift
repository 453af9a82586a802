// The table of answers given, so that a repeated request gets the same one.
public import GameConfCore

/// Names a request that may be repeated: the client's id within a game, a player and a route.
public struct RepeatID: Sendable {
  /// The game.
  public var game: String
  /// The player; nil where the route has none.
  public var player: String?
  /// The route: its method and path pattern.
  public var route: String
  /// The client's id: `Idempotency-Key` or `event_id`.
  public var id: String

  /// A name.
  public init(game: String, player: String? = nil, route: String, id: String) {
    self.game = game
    self.player = player
    self.route = route
    self.id = id
  }
}

/// Two requests are the same when the bytes of their names are.
extension RepeatID: Hashable {
  /// Whether every byte is the same.
  public static func == (left: RepeatID, right: RepeatID) -> Bool {
    ByteText.areSame(left.id, right.id) && ByteText.areSame(left.route, right.route) && ByteText.areSame(left.game, right.game)
      && left.player.map(ByteText.init) == right.player.map(ByteText.init)
  }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    for text in [game, route, id] { hasher.combine(ByteText(text)) }
    hasher.combine(player.map(ByteText.init))
  }
}

/// The answer a request got.
public struct RememberedAnswer: Sendable, Hashable {
  /// A digest of what was asked; a repeat with another digest is refused.
  public var contentDigest: String
  /// The HTTP status.
  public var status: Int
  /// The headers that belong to the answer, such as the revisions.
  public var headers: [String: String]
  /// The body.
  public var body: String
  /// When it was given, by the host's clock.
  public var at: Instant

  /// An answer.
  public init(contentDigest: String, status: Int, headers: [String: String] = [:], body: String, at: Instant) {
    self.contentDigest = contentDigest
    self.status = status
    self.headers = headers
    self.body = body
    self.at = at
  }
}

/// Reads remembered answers.
public protocol RepeatReading {
  /// What was answered; nil when the request is new.
  func remembered(_ id: RepeatID) throws(StoreError) -> RememberedAnswer?
}

/// Remembers answers.
public protocol RepeatWriting: RepeatReading {
  /// Remembers an answer; beyond ``StoreLimits/repeatsMax`` the oldest are forgotten.
  func remember(_ answer: RememberedAnswer, for id: RepeatID) throws(StoreError)
  /// Forgets every answer about a player.
  /// - Returns: how many were forgotten.
  func forgetAnswers(of id: PlayerID) throws(StoreError) -> Int
  /// Forgets answers older than that, the oldest first.
  /// - Returns: how many were forgotten.
  func dropRemembered(before: Instant, max: Int) throws(StoreError) -> Int
}
