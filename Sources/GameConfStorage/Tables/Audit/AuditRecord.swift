// The audit log: each line records the author, the instant, the act, the values before and after, and the reason.
public import GameConfCore

/// A line of the audit log: one act with its author, instant, values and reason.
public struct AuditRecord: Sendable, Hashable {
  /// The line's id, assigned by the store in rising order; 0 before the line is stored.
  public var id: Int64 = 0
  /// The instant of the act by the host's clock. For an opened or closed time window, it is the window's beginning or end.
  public var at: Instant
  /// The author of the act; the daemon itself for opened and closed time windows and for accepted catalogs.
  public var author: Author
  /// The act as a word, such as `override.set`; the set is open.
  public var action: AuditAction
  /// The id of the game; nil for an act on the whole store or on several games.
  public var game: String?
  /// The id of the player; nil for an act that is not about one player.
  public var player: String?
  /// The key of a parameter; nil for an act that is not about one key.
  public var key: String?
  /// The id of an override's time window; nil for an act that is not about one window.
  public var window: String?
  /// The value before the act; nil if there was no value.
  public var before: Value?
  /// The value after the act; nil if there is no value.
  public var after: Value?
  /// The reason in the author's words; nil if there is no reason.
  public var reason: String?
  /// The game's revision of the change; nil if the act did not raise it.
  public var revision: Int64?
  /// Further details of the act, by name.
  public var detail: Value?
  /// The session named by the author's client; not verified.
  public var session: String?
  /// The states before and after the act, for a revert; nil for an act that cannot be reverted.
  public var undo: AuditUndo?
  /// The id of the reverted line; nil unless this act is a revert.
  public var reverts: Int64?
  /// The id of the later line that reverted this one; nil if not reverted.
  public var revertedBy: Int64?

  /// Creates a line without an id, which the store assigns later.
  public init(at: Instant, author: Author, action: AuditAction, game: String? = nil, reason: String? = nil) {
    self.at = at
    self.author = author
    self.action = action
    self.game = game
    self.reason = reason
  }
}

/// An act, as a word in the audit log. The set is open, because other versions of the daemon may have written other words.
public struct AuditAction: Sendable, Hashable {
  private static let shopPrefix = "iap."

  /// The act's word, such as `override.set`.
  public let rawValue: String

  /// Creates an act from the word in a stored line, which another version may have written.
  init(rawValue: String) { self.rawValue = rawValue }

  /// Creates an act that this version of gameconfd records.
  package init(_ act: AuditAct) { rawValue = act.rawValue }

  /// Creates an act at the simulated store, by its word: `iap.purchase`, `iap.refund`, …
  package init(shop word: String) { rawValue = Self.shopPrefix + word }

  /// The act as a case of this version; nil for an act at the simulated store or of another version.
  package var act: AuditAct? { AuditAct(rawValue: rawValue) }

  /// True for an act at the simulated store.
  package var isOfShop: Bool { rawValue.hasPrefix(Self.shopPrefix) }

  /// A permanent override was set.
  public static let overrideSet = AuditAction(.overrideSet)
  /// A time window was added to the overrides of a key, or set again with a new end.
  public static let windowAdded = AuditAction(.windowAdded)
  /// An override's time window got another value.
  public static let windowChanged = AuditAction(.windowChanged)
  /// The clock reached the beginning of a time window, and the window's value came into force.
  public static let windowOpened = AuditAction(.windowOpened)
  /// An open time window reached its end and closed.
  public static let windowEnded = AuditAction(.windowEnded)
  /// The clock stepped back to before the beginning of an open time window.
  public static let windowPostponed = AuditAction(.windowPostponed)
  /// All overrides of one key for the game or for one player were removed, or one time window of them.
  public static let overrideRemoved = AuditAction(.overrideRemoved)
  /// The overrides of a key, for the game or for one player, were removed by a call that clears overrides.
  public static let overrideCleared = AuditAction(.overrideCleared)
  /// The overrides of a key, for the game or for one player, were changed by an import.
  public static let overrideImported = AuditAction(.overrideImported)
  /// Overrides were quarantined, because the catalog or template no longer permits them.
  public static let overrideQuarantined = AuditAction(.overrideQuarantined)
  /// Overrides were released from quarantine.
  public static let overrideReleased = AuditAction(.overrideReleased)
  /// A revert restored the overrides from before an earlier line of the audit log.
  public static let overrideReverted = AuditAction(.overrideReverted)
  /// A database was replaced by a backup.
  public static let storeRestored = AuditAction(.storeRestored)
  /// A lost database was replaced by the last good state.
  public static let storeRebuilt = AuditAction(.storeRebuilt)
}

/// The state that a revert restores, and the state that must still be present for the revert to be safe.
public struct AuditUndo: Sendable, Hashable {
  /// The state before the change, which a revert restores.
  public var before: Value
  /// The state after the change, which must still be present for a revert.
  public var after: Value

  /// Creates the data for reverting one change. The two states have the same form.
  public init(before: Value, after: Value) {
    self.before = before
    self.after = after
  }
}

/// An audit line with its values already encoded as JSON, so that a transaction that adds many lines does not encode them.
public struct EncodedAuditLine: Sendable {
  /// The audit line, without an id.
  public let record: AuditRecord
  /// The JSON of ``AuditRecord/before``.
  public let before: [UInt8]?
  /// The JSON of ``AuditRecord/after``.
  public let after: [UInt8]?
  /// The JSON of ``AuditRecord/detail``.
  public let detail: [UInt8]?
  /// The JSON of ``AuditUndo/before``; nil if the line cannot be reverted.
  public let undoBefore: [UInt8]?
  /// The JSON of ``AuditUndo/after``; nil if the line cannot be reverted.
  public let undoAfter: [UInt8]?

  /// Encodes the values of a line, before the transaction that adds it.
  public init(_ record: AuditRecord) {
    self.record = record
    before = record.before.map(JSONWriter.bytes)
    after = record.after.map(JSONWriter.bytes)
    detail = record.detail.map(JSONWriter.bytes)
    undoBefore = (record.undo?.before).map(JSONWriter.bytes)
    undoAfter = (record.undo?.after).map(JSONWriter.bytes)
  }
}

/// A selection of lines of the audit log; the newest come first.
public struct AuditSelection: Sendable, Hashable {
  /// The most lines that one read returns.
  public static let linesMax = 1_000

  /// The game of the selected audit lines; nil for lines of any game.
  public var game: String?
  /// The player of the selected audit lines; nil for all lines, about a player or not.
  public var player: String?
  /// The key of the selected audit lines, as their own key or in their key list; nil for lines about any key.
  public var key: String?
  /// The author of the selected audit lines, by name or by uid in digits; nil for lines of any author.
  public var author: String?
  /// The session of the selected audit lines, as the authors' clients named it; nil for lines of any session.
  public var session: String?
  /// The act of the selected audit lines; nil for lines of any act.
  public var action: AuditAction?
  /// The instant from which on audit lines are selected; nil for no limit.
  public var from: Instant?
  /// The instant before which audit lines are selected; nil for no limit.
  public var until: Instant?
  /// The id below which audit lines are selected, for the next page; nil for no limit.
  public var before: Int64?
  /// The id above which audit lines are selected, those since the last read; nil for no limit.
  public var after: Int64?
  /// The most lines to return; never more than ``linesMax``.
  public var limit: Int

  /// Selects the newest hundred lines of all games by default.
  public init(
    game: String? = nil, player: String? = nil, key: String? = nil, author: String? = nil, before: Int64? = nil, after: Int64? = nil,
    limit: Int = 100
  ) {
    self.game = game
    self.player = player
    self.key = key
    self.author = author
    self.before = before
    self.after = after
    self.limit = min(max(limit, 0), Self.linesMax)
  }

  /// True if the selection contains a line; the line's id is not compared.
  /// - Parameter keys: the keys in the line's key list.
  public func contains(_ record: AuditRecord, about keys: Set<String>) -> Bool {
    let isAbout = player == nil || player.map(ByteText.init) == record.player.map(ByteText.init)
    let hasKey = key.map { $0 == record.key || keys.contains($0) } ?? true
    return (game == nil || game == record.game) && isAbout && hasKey
      && (author == nil || author == record.author.name || author == String(record.author.uid))
      && (session == nil || session == record.session) && (action == nil || action == record.action)
      && (from.map { record.at >= $0 } ?? true) && (until.map { record.at < $0 } ?? true)
      && (before.map { record.id < $0 } ?? true) && (after.map { record.id > $0 } ?? true)
  }
}

extension AuditRecord {
  /// Replaces a player's id by a pseudonym wherever the line names the player.
  /// - Returns: true if the line named the player.
  public mutating func pseudonymise(_ name: String, as pseudonym: String) -> Bool {
    let isAbout = player.map(ByteText.init) == ByteText(name)
    if isAbout {
      player = pseudonym
      undo = nil
    }
    guard let original = detail else { return isAbout }
    let hidden = original.replacing(name, by: pseudonym)
    if hidden == original { return isAbout }
    detail = hidden
    return true
  }
}

extension Value {
  /// Returns the value with each occurrence of a string in lists and objects replaced by another.
  fileprivate func replacing(_ text: String, by other: String) -> Value {
    switch self {
    case .string(let own): ByteText.areSame(own, text) ? .string(other) : self
    case .list(let elements): .list(elements.map { $0.replacing(text, by: other) })
    case .object(let object): .object(ObjectValue(object.members.map { ($0.name, $0.value.replacing(text, by: other)) }))
    default: self
    }
  }
}
