// The audit log: each line records the author, the instant, the act, the values before and after, and the reason.
public import GameConfCore

/// One line of the audit log.
public struct AuditRecord: Sendable, Hashable {
  /// The line's id, rising; given by the store.
  public var id: Int64 = 0
  /// The instant when it happened, by the host's clock: a window's edge is dated at the edge.
  public var at: Instant
  /// The author who did it; the daemon itself for window edges and accepted catalogs.
  public var author: Author
  /// The act; see ``AuditAction``.
  public var action: AuditAction
  /// The game, where there is one.
  public var game: String?
  /// The player, where there is one.
  public var player: String?
  /// The key, where there is one.
  public var key: String?
  /// The window's id, where there is one.
  public var window: String?
  /// The value before; nil when there was none.
  public var before: Value?
  /// The value after; nil when there is none.
  public var after: Value?
  /// The reason, in the author's words.
  public var reason: String?
  /// The game's revision that the change made; nil where it made none.
  public var revision: Int64?
  /// More about it, by name.
  public var detail: Value?
  /// The session that the author's client said the change was part of; a hint.
  public var session: String?
  /// The values for an undo; nil for what cannot be undone. See ``AuditUndo``.
  public var undo: AuditUndo?
  /// The line that this line reverts.
  public var reverts: Int64?
  /// The line that reverted this line.
  public var revertedBy: Int64?

  /// A line that is still without an id.
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

  /// The word.
  public let rawValue: String

  /// The act of a line that was written.
  init(rawValue: String) { self.rawValue = rawValue }

  /// An act of this version.
  package init(_ act: AuditAct) { rawValue = act.rawValue }

  /// An act at the simulated store, by its word: `iap.purchase`, `iap.refund`, …
  package init(shop word: String) { rawValue = Self.shopPrefix + word }

  /// The act; nil for one at the simulated store, and for one of another version.
  package var act: AuditAct? { AuditAct(rawValue: rawValue) }

  /// True if something was done at the simulated store.
  package var isOfShop: Bool { rawValue.hasPrefix(Self.shopPrefix) }

  /// A permanent override was set.
  public static let overrideSet = AuditAction(.overrideSet)
  /// A window was added to a slot.
  public static let windowAdded = AuditAction(.windowAdded)
  /// A window got another value.
  public static let windowChanged = AuditAction(.windowChanged)
  /// A window began.
  public static let windowOpened = AuditAction(.windowOpened)
  /// An open window closed at its end.
  public static let windowEnded = AuditAction(.windowEnded)
  /// The clock stepped back to before an open window's beginning.
  public static let windowPostponed = AuditAction(.windowPostponed)
  /// Overrides at a slot, or one window, were removed.
  public static let overrideRemoved = AuditAction(.overrideRemoved)
  /// A slot was emptied by a clear.
  public static let overrideCleared = AuditAction(.overrideCleared)
  /// A slot was changed by an import.
  public static let overrideImported = AuditAction(.overrideImported)
  /// Overrides were quarantined, because the catalog or template no longer permits them.
  public static let overrideQuarantined = AuditAction(.overrideQuarantined)
  /// Overrides were released from quarantine.
  public static let overrideReleased = AuditAction(.overrideReleased)
  /// A change of overrides was reverted.
  public static let overrideReverted = AuditAction(.overrideReverted)
  /// A database was replaced by a backup.
  public static let storeRestored = AuditAction(.storeRestored)
  /// A lost database was replaced by the last good state.
  public static let storeRebuilt = AuditAction(.storeRebuilt)
}

/// The values that an undo restores, and those that must still be there for it to be safe.
public struct AuditUndo: Sendable, Hashable {
  /// The state before the change.
  public var before: Value
  /// The state after it.
  public var after: Value

  /// An undo.
  public init(before: Value, after: Value) {
    self.before = before
    self.after = after
  }
}

/// A line with its values already encoded as JSON, so that a transaction that adds many lines does not encode them.
public struct EncodedAuditLine: Sendable {
  /// The line, still without an id.
  public let record: AuditRecord
  /// The JSON of ``AuditRecord/before``.
  public let before: [UInt8]?
  /// The JSON of ``AuditRecord/after``.
  public let after: [UInt8]?
  /// The JSON of ``AuditRecord/detail``.
  public let detail: [UInt8]?
  /// The JSON of the undo's state before.
  public let undoBefore: [UInt8]?
  /// The JSON of the undo's state after.
  public let undoAfter: [UInt8]?

  /// Encodes a line.
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

  /// Only of this game.
  public var game: String?
  /// Only about this player.
  public var player: String?
  /// Only about this key: the line's own key or one of its key list.
  public var key: String?
  /// Only by this user: a name, or a uid in digits.
  public var author: String?
  /// Only those of this session.
  public var session: String?
  /// Only of this action.
  public var action: AuditAction?
  /// Only those that happened at this instant or later.
  public var from: Instant?
  /// Only those that happened before this instant.
  public var until: Instant?
  /// Only those whose id is less: the next page.
  public var before: Int64?
  /// Only those whose id is greater: the lines since the last read.
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
    guard let told = detail else { return isAbout }
    let hidden = told.replacing(name, by: pseudonym)
    if hidden == told { return isAbout }
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
