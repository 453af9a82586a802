// The contents of an image: everything one caller may know of a game at one revision.

public import GameConfCore

/// The content of an image, before it is bytes; `ImageFormat` of the documentation has the layout.
public struct ImageContent: Sendable, Hashable {
  /// The flags of an image as a whole.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// The bits as they stand in the header.
    public let rawValue: UInt32

    /// These bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Made for a player.
    public static let player = Flags(rawValue: 1 << 0)
    /// Changes of an image rather than an image.
    public static let patch = Flags(rawValue: 1 << 1)
    /// Made from a catalog alone, without a daemon.
    public static let defaults = Flags(rawValue: 1 << 2)
    /// Resolved without a layer that could not be asked.
    public static let degraded = Flags(rawValue: 1 << 3)
    /// The host's clock stands still at the instant the image was made.
    public static let frozen = Flags(rawValue: 1 << 4)
  }

  /// A theme of the player.
  public struct Theme: Sendable, Hashable {
    /// The theme's id.
    public var id: String
    /// True if the player has it.
    public var isUnlocked: Bool

    /// A theme.
    public init(id: String, isUnlocked: Bool) {
      self.id = id
      self.isUnlocked = isUnlocked
    }
  }

  /// An entitlement of the player.
  public struct Entitlement: Sendable, Hashable {
    /// The entitlement's id.
    public var id: String
    /// True if it ends ads.
    public var endsAds: Bool
    /// The instant when it ends, by the player's clock; nil means never.
    public var until: Instant?

    /// An entitlement.
    public init(id: String, endsAds: Bool, until: Instant?) {
      self.id = id
      self.endsAds = endsAds
      self.until = until
    }
  }

  /// The game.
  public var game: String
  /// The player; nil when it is for everybody.
  public var player: String?
  /// The language asked for.
  public var locale: String?
  /// The rest of the caller's attributes.
  public var context: ObjectValue
  /// The store's epoch.
  public var epoch: UInt64
  /// The game's revision.
  public var revision: Int64
  /// The player's.
  public var playerRevision: Int64
  /// The instant of the evaluation, by the host's clock.
  public var madeAt: Instant
  /// The game's simulated clock.
  public var clock: SimulatedClock
  /// The time by which the player is ahead of it.
  public var playerClock: PlayerClock
  /// The flags of it as a whole.
  public var flags: Flags
  /// The values; in a patch those that changed.
  public var entries: [ImageEntry]
  /// The values that somebody without a player would get instead, of those that differ.
  public var base: [ImageEntry] = []
  /// Of a patch: the keys that are gone.
  public var removed: [String] = []
  /// The player's themes; nil leaves them out, in a patch as they were.
  public var themes: [Theme]?
  /// The player's entitlements.
  public var entitlements: [Entitlement]?
  /// The products the player has bought.
  public var products: [String]?

  /// A content without a player's part.
  public init(
    game: String, player: String? = nil, locale: String? = nil, context: ObjectValue = ObjectValue(), epoch: UInt64, revision: Int64,
    playerRevision: Int64 = 0, madeAt: Instant, clock: SimulatedClock = .host, playerClock: PlayerClock = .game, flags: Flags = [],
    entries: [ImageEntry]
  ) {
    self.game = game
    self.player = player
    self.locale = locale
    self.context = context
    self.epoch = epoch
    self.revision = revision
    self.playerRevision = playerRevision
    self.madeAt = madeAt
    self.clock = clock
    self.playerClock = playerClock
    self.flags = player == nil ? flags : flags.union(.player)
    self.entries = entries
  }
}

/// One key's value in an image.
public struct ImageEntry: Sendable, Hashable {
  /// The flags of a value.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// The bits as they stand in the entry.
    public let rawValue: UInt32

    /// These bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Another caller may get another value at the same revision.
    public static let variesByCaller = Flags(rawValue: 1 << 0)
    /// An admin's override gave it.
    public static let overridden = Flags(rawValue: 1 << 1)
    /// Resolved without a layer that could not be asked.
    public static let degraded = Flags(rawValue: 1 << 2)
    /// It may change with the time, and nobody knows when.
    public static let timeDependent = Flags(rawValue: 1 << 3)
  }

  /// The layer that gave it.
  public enum Source: UInt8, Sendable, Hashable {
    case playerOverride = 1, gameOverride, setting, remote, catalogDefault, play
  }

  /// The key.
  public var key: String
  /// The type it is declared with.
  public var type: ParameterType
  /// Its value.
  public var value: Value
  /// The layer that gave it.
  public var source: Source
  /// The reason.
  public var reason: EvaluationReason
  /// The variant's name.
  public var variant: String?
  /// The revision that last changed it.
  public var revision: Int64
  /// The instant when it may change by itself.
  public var nextChangeAt: Instant?
  /// The flags of it.
  public var flags: Flags

  /// A value.
  public init(
    key: String, type: ParameterType, value: Value, source: Source, reason: EvaluationReason, variant: String? = nil, revision: Int64,
    nextChangeAt: Instant? = nil, flags: Flags = []
  ) {
    self.key = key
    self.type = type
    self.value = value
    self.source = source
    self.reason = reason
    self.variant = variant
    self.revision = revision
    self.nextChangeAt = nextChangeAt
    self.flags = flags
  }
}

extension ImageEntry.Source {
  /// The code of a layer.
  public init(_ layer: Layer) {
    switch layer {
    case .play: self = .play
    case .playerOverride: self = .playerOverride
    case .gameOverride: self = .gameOverride
    case .setting: self = .setting
    case .remote: self = .remote
    case .catalogDefault: self = .catalogDefault
    }
  }
}
