// One override of an admin, with its author, reason and instant.

/// The slot of an override: a key of a game, for everybody or for one player.
public struct OverrideSlot: Sendable {
  /// The game's id.
  public var game: String
  /// The player's id; nil for the override that holds for the whole game.
  public var player: String?
  /// The parameter's key.
  public var key: String

  /// A place for overrides.
  public init(game: String, player: String? = nil, key: String) {
    self.game = game
    self.player = player
    self.key = key
  }
}

/// Slots are distinguished, and ordered, by the bytes of their parts, as the store does.
extension OverrideSlot: Hashable {
  /// True if every byte is the same.
  public static func == (left: OverrideSlot, right: OverrideSlot) -> Bool {
    ByteText.areSame(left.key, right.key) && left.isOf(player: right.player) && ByteText.areSame(left.game, right.game)
  }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ByteText(game))
    hasher.combine(player.map(ByteText.init))
    hasher.combine(ByteText(key))
  }

  /// True if it is that player's; for nil, whether it is the whole game's.
  public func isOf(player other: String?) -> Bool { player.map(ByteText.init) == other.map(ByteText.init) }
}

extension OverrideSlot: Comparable {
  /// By game, then the game-wide one before players, then by player and key.
  public static func < (left: OverrideSlot, right: OverrideSlot) -> Bool {
    (ByteText(left.game), ByteText(left.player ?? ""), ByteText(left.key))
      < (ByteText(right.game), ByteText(right.player ?? ""), ByteText(right.key))
  }
}

/// A time `[from, until)` in which an override holds.
public struct OverrideWindow: Sendable, Hashable {
  /// Unique at its slot; made of the revision that added it.
  public var id: String
  /// The first instant at which it holds.
  public var from: Instant
  /// The first instant at which it holds no more; always after `from`.
  public var until: Instant
  /// True if the edge at `from` has been applied: the window holds.
  public var isOpen: Bool

  /// A window; not open yet unless said otherwise.
  public init(id: String, from: Instant, until: Instant, isOpen: Bool = false) {
    self.id = id
    self.from = from
    self.until = until
    self.isOpen = isOpen
  }

  /// True if the instant lies in `[from, until)`.
  public func contains(_ instant: Instant) -> Bool { from <= instant && instant < until }

  /// True if the two have an instant in common.
  public func overlaps(_ other: OverrideWindow) -> Bool { from < other.until && other.from < until }
}

/// An override at one slot, with its author: the permanent one, or one within a window.
public struct OverrideRecord: Sendable, Hashable {
  /// The slot of the override.
  public var slot: OverrideSlot
  /// The window in which it holds; nil for the permanent override.
  public var window: OverrideWindow?
  /// The overriding value, as the catalog admitted it.
  public var value: Value
  /// The author who set it.
  public var author: Author
  /// The reason, in the author's words.
  public var reason: String?
  /// The instant when it was set, by the host's clock.
  public var at: Instant
  /// The game's revision that set it; edges of its window do not change it.
  public var revision: Int64
  /// The reason why it is kept but not served; nil while it is served.
  public var quarantined: String?

  /// An override.
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
