// The model of an override: its slot, its window, its value and its audit data.

/// The target of an override: a key of a game, for the whole game or for one player.
public struct OverrideSlot: Sendable {
  /// The id of the game that declares the key.
  public var game: String
  /// The player's id; nil for a game-wide override.
  public var player: String?
  /// The key of the overridden parameter.
  public var key: String

  /// Creates the target of an override. It is the whole game if `player` is nil.
  public init(game: String, player: String? = nil, key: String) {
    self.game = game
    self.player = player
    self.key = key
  }
}

/// Targets of overrides are compared by the UTF-8 bytes of their parts, as in the database. Swift's own comparison would treat canonically
/// equivalent texts as equal.
extension OverrideSlot: Hashable {
  /// True if game, player and key have the same bytes in both targets.
  public static func == (left: OverrideSlot, right: OverrideSlot) -> Bool {
    ByteText.areSame(left.key, right.key) && left.isOf(player: right.player) && ByteText.areSame(left.game, right.game)
  }

  /// Hashes the bytes of game, player and key.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ByteText(game))
    hasher.combine(player.map(ByteText.init))
    hasher.combine(ByteText(key))
  }

  /// True if the override is for this player. If the argument is nil, true if the override is for the whole game.
  public func isOf(player other: String?) -> Bool { player.map(ByteText.init) == other.map(ByteText.init) }
}

extension OverrideSlot: Comparable {
  /// Orders targets of overrides by game. Within a game, game-wide targets are first, and those of players are ordered by player and key.
  public static func < (left: OverrideSlot, right: OverrideSlot) -> Bool {
    (ByteText(left.game), ByteText(left.player ?? ""), ByteText(left.key))
      < (ByteText(right.game), ByteText(right.player ?? ""), ByteText(right.key))
  }
}

/// The period `[from, until)` in which an override is effective.
public struct OverrideWindow: Sendable, Hashable {
  /// The window's id, unique among the windows of its key and scope. It is derived from the revision that added the window.
  public var id: String
  /// The first instant at which the override is effective.
  public var from: Instant
  /// The first instant at which the override is no longer effective; always after ``from``.
  public var until: Instant
  /// True if the window's beginning has been applied, so that its override is effective.
  public var isOpen: Bool

  /// Creates a window, which is closed by default.
  public init(id: String, from: Instant, until: Instant, isOpen: Bool = false) {
    self.id = id
    self.from = from
    self.until = until
    self.isOpen = isOpen
  }

  /// True if the instant is in the half-open interval from ``from`` to ``until``.
  public func contains(_ instant: Instant) -> Bool { from <= instant && instant < until }

  /// True if there is an instant that both windows contain.
  public func overlaps(_ other: OverrideWindow) -> Bool { from < other.until && other.from < until }
}

/// An override with its audit data. It is permanent or limited to a window.
public struct OverrideRecord: Sendable, Hashable {
  /// The key and the scope of the override.
  public var slot: OverrideSlot
  /// The period in which the override is effective; nil for a permanent override.
  public var window: OverrideWindow?
  /// The overriding value, converted to the parameter's type.
  public var value: Value
  /// The user who set the override.
  public var author: Author
  /// The author's reason for the override; nil if the author gave none.
  public var reason: String?
  /// The instant at which the author set the override, by the host's clock.
  public var at: Instant
  /// The revision of the game at which the override was set. The beginning and the end of its window do not change this number.
  public var revision: Int64
  /// The reason for which the override is stored but not served; nil while it is served.
  public var quarantined: String?

  /// Creates an override, by default a permanent one that is served.
  public init(
    slot: OverrideSlot, window: OverrideWindow? = nil, value: Value, author: Author, reason: String? = nil, at: Instant, revision: Int64,
    quarantined: String? = nil
  ) {
    self.slot = slot
    self.window = window
    self.value = value
    self.author = author
    self.reason = reason
    self.at = at
    self.revision = revision
    self.quarantined = quarantined
  }
}
