// The contents of an image: the state of a game at one revision, as far as one caller may read it.

public import GameConfCore

/// The content of an image before it is encoded; the guide `ImageFormat` documents the layout.
public struct ImageContent: Sendable, Hashable {
  /// Bits of the header, at offset 64 of an image.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// The bits as they are in the header.
    public let rawValue: UInt32

    /// Creates flags from the header's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Added by the content's initializer if a player is named.
    public static let player = Flags(rawValue: 1 << 0)
    /// The content is a patch instead of a whole image.
    public static let patch = Flags(rawValue: 1 << 1)
    /// The image is made from a catalog alone, without a daemon.
    public static let defaults = Flags(rawValue: 1 << 2)
    /// A layer was unavailable during the evaluation.
    public static let degraded = Flags(rawValue: 1 << 3)
    /// The host's clock stands still at the image's instant.
    public static let frozen = Flags(rawValue: 1 << 4)
  }

  /// A theme of the game, unlocked or locked for the player.
  public struct Theme: Sendable, Hashable {
    /// The theme's id in the catalog.
    public var id: String
    /// True if the player has unlocked the theme.
    public var isUnlocked: Bool

    /// Creates a theme, which the catalog must declare.
    public init(id: String, isUnlocked: Bool) {
      self.id = id
      self.isUnlocked = isUnlocked
    }
  }

  /// An entitlement that the player has at the instant of the image.
  public struct Entitlement: Sendable, Hashable {
    /// The entitlement's id, as products of the catalog grant it.
    public var id: String
    /// Written as the lowest bit of the flags in section `ENTL`.
    public var endsAds: Bool
    /// The instant at which the entitlement ends, by the player's clock; nil if it never ends.
    public var until: Instant?

    /// Creates an entitlement that the player has at the instant of the image.
    public init(id: String, endsAds: Bool, until: Instant?) {
      self.id = id
      self.endsAds = endsAds
      self.until = until
    }
  }

  /// The game's id, the first text of section `CALL`.
  public var game: String
  /// The player; nil for an image without a player.
  public var player: String?
  /// The requested language; nil is written as an empty text.
  public var locale: String?
  /// The caller's other attributes.
  public var context: ObjectValue
  /// The epoch of the store, which a restore changes.
  public var epoch: UInt64
  /// The game's revision, at offset 40 of an image.
  public var revision: Int64
  /// The revision of the player's state; 0 by default.
  public var playerRevision: Int64
  /// The instant of the evaluation, by the host's clock.
  public var madeAt: Instant
  /// The game's clock: anchor, host's anchor, rate in thousandths.
  public var clock: SimulatedClock
  /// The difference between the player's clock and the game's.
  public var playerClock: PlayerClock
  /// The header's flags, to which the initializer adds that of a player.
  public var flags: Flags
  /// The values; in a patch the values that changed.
  public var entries: [ImageEntry]
  /// The values without a player, as far as they differ.
  public var base: [ImageEntry] = []
  /// In a patch, the removed keys, section `GONE`; empty by default.
  public var removed: [String] = []
  /// The player's themes; nil omits them, and leaves them unchanged in a patch.
  public var themes: [Theme]?
  /// The player's entitlements; nil as for ``themes``.
  public var entitlements: [Entitlement]?
  /// The ids of the products that the player has bought; nil as for ``themes``.
  public var products: [String]?

  /// Creates a content without the player's themes, entitlements and products.
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

/// One key's value in an image, with the layer and the reason that determined it.
public struct ImageEntry: Sendable, Hashable {
  /// Bits of an entry, at its offset 16.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// The bits as they are in the entry.
    public let rawValue: UInt32

    /// Creates flags from the entry's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Another caller may get a different value at the same revision.
    public static let variesByCaller = Flags(rawValue: 1 << 0)
    /// The value is from an admin's override.
    public static let overridden = Flags(rawValue: 1 << 1)
    /// A layer was unavailable during the evaluation.
    public static let degraded = Flags(rawValue: 1 << 2)
    /// The value may change with time, at an unknown instant.
    public static let timeDependent = Flags(rawValue: 1 << 3)
  }

  /// The layers of values, by their codes in the format.
  public enum EntrySource: UInt8, Sendable, Hashable {
    case playerOverride = 1, gameOverride, setting, remote, catalogDefault, play
  }

  /// The parameter's key in the game's catalog.
  public var key: String
  /// The type in the catalog, written as a code from 1 to 7.
  public var type: ParameterType
  /// The value in force at ``ImageContent/madeAt``.
  public var value: Value
  /// The layer that determined the value, by its code in the format.
  public var source: EntrySource
  /// The reason for the layer's value, such as STATIC.
  public var reason: EvaluationReason
  /// The name of the variant, if a flag or a rule selected one; nil otherwise.
  public var variant: String?
  /// The revision that last changed the value.
  public var revision: Int64
  /// The instant at which the value may change without a new revision.
  public var nextChangeAt: Instant?
  /// Empty for a value that changes only with the revision.
  public var flags: Flags

  /// Creates an entry, by default of a value that changes only with the revision.
  public init(
    key: String, type: ParameterType, value: Value, source: EntrySource, reason: EvaluationReason, variant: String? = nil, revision: Int64,
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

extension ImageEntry.EntrySource {
  /// Returns the code of a layer in the format, which later versions do not change.
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
