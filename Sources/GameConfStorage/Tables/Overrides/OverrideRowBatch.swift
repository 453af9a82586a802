// The overrides of one large change in their stored form, encoded before the transaction.
public import GameConfCore

/// The overrides that one large change of a game writes, grouped by the way they are written.
public struct OverrideRowBatch: Sendable {
  /// The text columns of a permanent override's row.
  public enum TextColumn: Int, CaseIterable, Sendable {
    /// The player's id; empty for a game-wide override.
    case player
    case key
    /// The value as JSON.
    case value
    /// The author's reason for the change.
    case reason
  }

  /// The overrides of every changed key, for the game or for one player, whether they are written in bulk or alone.
  public private(set) var slots: [KeyOverrides] = []
  /// The number of elements of ``slots`` that are for a player instead of the whole game.
  public private(set) var playerSlotsCount = 0
  /// A permanent override whose author, instant and revision all rows share.
  public private(set) var shared: OverrideRecord?
  /// The number of elements of ``slots`` that are written as a row: their only override is a permanent one of this change.
  public private(set) var rowsCount = 0
  /// The rows' texts, concatenated.
  public private(set) var bytes: [UInt8] = []
  /// The end offset of each text in ``bytes``; −1 if the text is missing.
  public private(set) var ends: [Int32] = []
  /// The elements of ``slots`` that are not written as one of the batch's rows but one by one, such as overrides with windows.
  public private(set) var others: [KeyOverrides] = []
  /// The game-wide targets, and those of players for which no override has the revision of the change. Their revision needs a row in
  /// `slot_revisions`.
  public private(set) var unsaid: [OverrideSlot] = []
  /// True if packed audit lines, one for each changed key of the game or of a player, follow in the same transaction. A store that packs
  /// audit lines reads the revisions of players' keys from these lines until it unpacks them.
  public package(set) var hasPackedLines = false

  private static let absent: Int32 = -1

  /// Creates an empty batch, to which ``add(_:revision:)`` adds overrides.
  public init() {}

  /// Creates a batch of the overrides of a change, grouped by the way they are written.
  public init(_ slots: [KeyOverrides], revision: Int64, hasPackedLines: Bool = false) {
    self.hasPackedLines = hasPackedLines
    for each in slots { add(each, revision: revision) }
  }

  /// Adds the overrides of one key to the group that is written in the same way.
  /// - Parameter revision: the revision of the change.
  package mutating func add(_ overrides: KeyOverrides, revision: Int64) {
    let slot = overrides.slot
    slots.append(overrides)
    if slot.player != nil { playerSlotsCount += 1 }
    if slot.player == nil || !overrides.records.contains(where: { $0.revision == revision }) { unsaid.append(slot) }
    guard let record = overrides.permanent, overrides.windows.isEmpty, record.quarantined == nil, isShared(record) else {
      return others.append(overrides)
    }
    shared = shared ?? record
    rowsCount += 1
    append((slot.player ?? "").utf8)
    append(slot.key.utf8)
    append(JSONWriter.bytes(record.value))
    if let reason = record.reason { append(reason.utf8) } else { ends.append(Self.absent) }
  }

  /// Returns a text column of a row from the batch's bytes; nil if the text is missing.
  public func text(_ text: TextColumn, ofRow row: Int, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let at = row * TextColumn.allCases.count + text.rawValue
    guard ends[at] != Self.absent else { return nil }
    var before = at - 1
    while before >= 0, ends[before] == Self.absent { before -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[(before < 0 ? 0 : Int(ends[before]))..<Int(ends[at])])
  }

  private func isShared(_ record: OverrideRecord) -> Bool {
    guard let shared else { return true }
    return record.author == shared.author && record.at == shared.at && record.revision == shared.revision
  }

  private mutating func append(_ text: some Collection<UInt8>) {
    bytes.append(contentsOf: text)
    ends.append(Int32(truncatingIfNeeded: bytes.count))
  }
}
