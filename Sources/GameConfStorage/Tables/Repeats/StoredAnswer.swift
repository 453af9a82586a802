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
  /// True if every byte is the same.
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
public struct StoredAnswer: Sendable, Hashable {
  /// A digest of what was asked; a repeat with another digest is refused.
  public var contentDigest: String
  /// The HTTP status.
  public var status: Int
  /// The headers that belong to the answer, such as the revisions.
  public var headers: [String: String]
  /// The body.
  public var body: String
  /// The instant when it was given, by the host's clock.
  public var at: Instant

  /// An answer.
  public init(contentDigest: String, status: Int, headers: [String: String] = [:], body: String, at: Instant) {
    self.contentDigest = contentDigest
    self.status = status
    self.headers = headers
    self.body = body
    self.at = at
  }

  /// About how many bytes it takes where it is kept, its name and the index on it included.
  public var storedBytes: Int64 {
    Int64(512 + body.utf8.count + headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 8 })
  }
}

/// Chooses the answers to evict when remembered ones take too much.
public enum AnswerEviction {
  /// The user whose oldest answer goes next; nil when nobody has too much. Whoever asks gives first, then whoever has most, so that nobody who has
  /// little loses anything to others.
  /// - Parameters:
  ///   - bytes: how many bytes each user's answers take.
  ///   - uid: the user whose answer was just remembered.
  public static func giver<User: Hashable & Comparable>(_ bytes: [User: Int64], by uid: User) -> User? {
    if bytes[uid, default: 0] > StoreLimits.repeatsBytesPerUserMax { return uid }
    guard bytes.values.reduce(0, +) > StoreLimits.repeatsBytesMax else { return nil }
    return bytes.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
