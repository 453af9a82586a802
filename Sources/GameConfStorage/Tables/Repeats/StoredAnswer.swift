// The table of stored answers: a repeated request gets the same answer again.
public import GameConfCore

/// The identity of a repeatable request: the client's id within a game, a player and a route.
public struct RepeatID: Sendable {
  /// The id of the game in the request's path.
  public var game: String
  /// The id of the player in the request's path; nil if the route has no player.
  public var player: String?
  /// The route: its method and path pattern.
  public var route: String
  /// The client's id: `Idempotency-Key` or `event_id`.
  public var id: String

  /// Creates an id, by default for a route without a player.
  public init(game: String, player: String? = nil, route: String, id: String) {
    self.game = game
    self.player = player
    self.route = route
    self.id = id
  }
}

/// Ids are equal if all their bytes are. Swift's strings are equal even if accented letters are encoded differently.
extension RepeatID: Hashable {
  /// True if every byte is the same.
  public static func == (left: RepeatID, right: RepeatID) -> Bool {
    ByteText.areSame(left.id, right.id) && ByteText.areSame(left.route, right.route) && ByteText.areSame(left.game, right.game)
      && left.player.map(ByteText.init) == right.player.map(ByteText.init)
  }

  /// Hashes the UTF-8 bytes, because ids with the same bytes are equal.
  public func hash(into hasher: inout Hasher) {
    for text in [game, route, id] { hasher.combine(ByteText(text)) }
    hasher.combine(player.map(ByteText.init))
  }
}

/// The answer that a repeat of the request gets again.
public struct StoredAnswer: Sendable, Hashable {
  /// A digest of the request's content. A repeat with another digest is refused.
  public var contentDigest: String
  /// The HTTP status of the first answer.
  public var status: Int
  /// The headers to send again, such as the revisions.
  public var headers: [String: String]
  /// The text of the response body.
  public var body: String
  /// The instant of the answer by the host's clock.
  public var at: Instant

  /// Creates an answer, by default without headers.
  public init(contentDigest: String, status: Int, headers: [String: String] = [:], body: String, at: Instant) {
    self.contentDigest = contentDigest
    self.status = status
    self.headers = headers
    self.body = body
    self.at = at
  }

  /// An estimate of the bytes that the answer takes in the store, including its name and the index.
  public var storedBytes: Int64 {
    Int64(512 + body.utf8.count + headers.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 8 })
  }
}

/// The choice of the stored answers to evict when a limit is exceeded.
public enum AnswerEviction {
  /// Returns the user whose oldest answer is evicted next; nil if no limit is exceeded. The requesting user comes first if over the limit
  /// per user, then the user with the most bytes, so that small users keep their answers.
  /// - Parameters:
  ///   - bytes: The bytes of each user's answers.
  ///   - uid: The user whose answer was just stored.
  public static func giver<UserBuckets: Hashable & Comparable>(_ bytes: [UserBuckets: Int64], by uid: UserBuckets) -> UserBuckets? {
    if bytes[uid, default: 0] > StoreLimits.repeatsBytesPerUserMax { return uid }
    guard bytes.values.reduce(0, +) > StoreLimits.repeatsBytesMax else { return nil }
    return bytes.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }
}
