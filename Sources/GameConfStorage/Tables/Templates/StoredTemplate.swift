// The table of templates: every version of a game's remote values, and the active one.
public import GameConfCore

/// One version of a game's template, immutable once stored.
public struct StoredTemplate: Sendable, Hashable {
  /// The source of a version's document: a client, the catalog's file, gameconf-fetch or a rollback.
  public enum TemplateOrigin: String, Sendable, Hashable, CaseIterable {
    /// A client pushed the document.
    case pushed
    /// The document was read from the file that the catalog names.
    case file
    /// gameconf-fetch read the document from an HTTPS or Firebase source.
    case fetched
    /// An older version was made current again.
    case rollback
  }

  /// The id of the game that the template provides values for.
  public var game: String
  /// The version's number within the game, from 1.
  public var number: Int64
  /// The document as received, byte for byte.
  public var document: [UInt8]
  /// The way by which the document became this version.
  public var origin: TemplateOrigin
  /// The older version that a rollback made current again; nil for other origins.
  public var rollbackOf: Int64?
  /// The user, or the daemon, who stored the version.
  public var author: Author
  /// The instant at which the version was stored, by the host's clock.
  public var at: Instant
  /// The reason in the author's words; nil if there is no reason.
  public var reason: String?

  /// Creates a version of a document that was checked before.
  public init(
    game: String, number: Int64, document: [UInt8], origin: TemplateOrigin, rollbackOf: Int64? = nil, author: Author, at: Instant,
    reason: String? = nil
  ) {
    self.game = game
    self.number = number
    self.document = document
    self.origin = origin
    self.rollbackOf = rollbackOf
    self.author = author
    self.at = at
    self.reason = reason
  }
}

/// The active version of a game's template and the scheduled one.
public struct TemplateActivation: Sendable, Hashable {
  /// The active version; nil if there is none.
  public var active: Int64?
  /// The instant of the activation by the host's clock.
  public var since: Instant
  /// The scheduled version; nil if there is none.
  public var scheduled: Int64?
  /// The instant at which the scheduled version becomes active, by the host's clock.
  public var at: Instant?

  /// Creates an activation, by default without a scheduled version.
  public init(active: Int64?, since: Instant, scheduled: Int64? = nil, at: Instant? = nil) {
    self.active = active
    self.since = since
    self.scheduled = scheduled
    self.at = at
  }
}

/// The limits of a game's stored templates.
public enum TemplateLimits {
  /// The most bytes of a template's document: 1 MiB.
  public static let documentBytesMax = 1 << 20
  /// The number of newest versions retained regardless of their age.
  public static let versionsMax = 300
  /// The age up to which versions are retained regardless of their number: 90 days.
  public static let retentionMilliseconds: Int64 = 90 * 86_400_000
  /// The most bytes of all stored versions of a game's template: 64 MiB.
  public static let bytesMax = 64 << 20

  /// Returns the versions that are never removed: the newest, the active one, the one before it, and the scheduled one.
  /// - Parameter numbers: The numbers of all versions, newest first.
  public static func spared(_ activation: TemplateActivation?, _ numbers: [Int64]) -> Set<Int64> {
    var spared = Set(numbers.prefix(1))
    if let active = activation?.active {
      spared.insert(active)
      if let before = numbers.first(where: { $0 < active }) { spared.insert(before) }
    }
    if let scheduled = activation?.scheduled { spared.insert(scheduled) }
    return spared
  }

  /// Returns the numbers of the versions to remove.
  /// - Parameter versions: Every version, newest first.
  public static func dropped(
    _ versions: [(number: Int64, at: Instant, bytes: Int)], spared: Set<Int64>, now: Instant
  ) -> [Int64] {
    var bytes = 0
    var dropped: [Int64] = []
    for (place, version) in versions.enumerated() {
      bytes += version.bytes
      let isOld = place >= versionsMax && version.at.milliseconds < now.milliseconds - retentionMilliseconds
      if (isOld || bytes > bytesMax) && !spared.contains(version.number) { dropped.append(version.number) }
    }
    return dropped
  }
}
