// The content of an image file: the state of a game at one revision, as far as one caller may read it.

public import GameConfCore

/// The content of an image file before it is encoded. The guide `ImageFormat` documents the file's layout.
public struct ImageContent: Sendable, Hashable {
  /// The flags in the header of an image file, at offset 64.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// The 32 bits of the flags as the header has them.
    public let rawValue: UInt32

    /// Creates flags from the header's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The image is for one player. The initializer of ``ImageContent`` sets this flag if a player is named.
    public static let player = Flags(rawValue: 1 << 0)
    /// The file is a patch: it has only the differences from an earlier image.
    public static let patch = Flags(rawValue: 1 << 1)
    /// The image was made from a catalog alone, without a daemon.
    public static let defaults = Flags(rawValue: 1 << 2)
    /// A layer, such as the player's settings, could not be read for the evaluation.
    public static let degraded = Flags(rawValue: 1 << 3)
    /// The host's clock was frozen at the instant of the image.
    public static let frozen = Flags(rawValue: 1 << 4)
  }

  /// A theme of the game, unlocked or locked for the player.
  public struct Theme: Sendable, Hashable {
    /// The theme's id in the catalog.
    public var id: String
    /// True if the player has unlocked the theme.
    public var isUnlocked: Bool

    /// Creates a theme of an image. The catalog must declare its id.
    public init(id: String, isUnlocked: Bool) {
      self.id = id
      self.isUnlocked = isUnlocked
    }
  }

  /// An entitlement that the player has at the instant of the image.
  public struct Entitlement: Sendable, Hashable {
    /// The entitlement's id, as products of the catalog grant it.
    public var id: String
    /// True if the player sees no ads while the entitlement is active; the lowest bit of the flags in section `ENTL`.
    public var endsAds: Bool
    /// The instant at which the entitlement ends, by the player's clock; nil if it never ends.
    public var until: Instant?

    /// Creates an entitlement of an image; with `until` nil it never ends.
    public init(id: String, endsAds: Bool, until: Instant?) {
      self.id = id
      self.endsAds = endsAds
      self.until = until
    }
  }

  /// The game's id, the first text of the image section `CALL`.
  public var game: String
  /// The player's id; nil for an image without a player.
  public var player: String?
  /// The requested language; nil if the caller requests no language.
  public var locale: String?
  /// The caller's attributes other than player and language, such as the platform.
  public var context: ObjectValue
  /// The epoch of the store, a number that changes when a backup is restored.
  public var epoch: UInt64
  /// The game's revision, at offset 40 of an image file.
  public var revision: Int64
  /// The revision of the player's state; 0 by default.
  public var playerRevision: Int64
  /// The instant for which the values were evaluated, by the host's clock.
  public var madeAt: Instant
  /// The game's simulated clock; by default it shows the host's time.
  public var clock: SimulatedClock
  /// The player's simulated clock; by default it shows the game's time.
  public var playerClock: PlayerClock
  /// The flags of the image's header. The initializer adds ``Flags/player`` if a player is named.
  public var flags: Flags
  /// The values in force. A patch has only the values that changed.
  public var entries: [ImageEntry]
  /// The values that a caller without a player gets, for each key whose value is different for the player.
  public var base: [ImageEntry] = []
  /// The keys that a patch removes, in section `GONE`; empty for an image.
  public var removed: [String] = []
  /// The themes and their state for the player; nil omits the section. A patch without it leaves the themes unchanged.
  public var themes: [Theme]?
  /// The player's entitlements; nil omits the section. A patch without it leaves the entitlements unchanged.
  public var entitlements: [Entitlement]?
  /// The ids of the products that the player has bought; nil omits the section. A patch without it leaves the products unchanged.
  public var products: [String]?

  /// Creates the content of an image with values only. Themes, entitlements and products can be set afterwards.
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
  /// The flags of an entry of an image, at offset 16 of the entry.
  public struct Flags: OptionSet, Sendable, Hashable {
    /// The 32 bits of the flags as the entry has them.
    public let rawValue: UInt32

    /// Creates flags from the entry's bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The value may differ between callers at the same revision.
    public static let variesByCaller = Flags(rawValue: 1 << 0)
    /// The value is from an admin's override.
    public static let overridden = Flags(rawValue: 1 << 1)
    /// A layer that might give another value could not be read.
    public static let degraded = Flags(rawValue: 1 << 2)
    /// The value may change with time, at an instant that cannot be predicted.
    public static let timeDependent = Flags(rawValue: 1 << 3)
  }

  /// The layer that gave a value, as a code of the image format.
  public enum EntrySource: UInt8, Sendable, Hashable {
    case playerOverride = 1, gameOverride, setting, remote, catalogDefault, play
  }

  /// The parameter's key in the game's catalog.
  public var key: String
  /// The parameter's type in the catalog; a code from 1 to 7 in the image file.
  public var type: ParameterType
  /// The value in force at the instant ``ImageContent/madeAt``.
  public var value: Value
  /// The layer that gave the value.
  public var source: EntrySource
  /// The reason for the value in OpenFeature's words, such as STATIC.
  public var reason: EvaluationReason
  /// The name of the variant, if a flag or a rule selected one; nil otherwise.
  public var variant: String?
  /// The game's revision that last changed the value for this caller.
  public var revision: Int64
  /// The instant at which the value may change without a new revision; nil if there is no such instant.
  public var nextChangeAt: Instant?
  /// The entry's flags; empty for a value that changes only with the revision.
  public var flags: Flags

  /// Creates an entry; by default its value changes only with the revision.
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
  /// Creates the code of a layer. Codes are the same in all versions of the image format.
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
