// Overrides of one large change in the form in which a store keeps them, made before the change's transaction.
public import GameConfCore

/// The overrides of many slots of one game, sorted by how they are written.
public struct OverrideRowBatch: Sendable {
  /// The texts of a permanent override's row.
  public enum Text: Int, CaseIterable, Sendable {
    /// The player of the slot: empty for the game's own.
    case player
    /// At which key.
    case key
    /// JSON, as a store keeps it.
    case value
    /// The reason.
    case reason
  }

  /// The overrides of each slot.
  public private(set) var slots: [KeyOverrides] = []
  /// The number of the slots that are players'.
  public private(set) var playerSlotsCount = 0
  /// A permanent override that all rows share author, instant and revision with.
  public private(set) var shared: OverrideRecord?
  /// The number of slots that have a row: nothing is to be there but a permanent override of this change.
  public private(set) var rowsCount = 0
  /// The rows' texts, one behind the other.
  public private(set) var bytes: [UInt8] = []
  /// The end of each text in the bytes; a text that is not there ends before it begins.
  public private(set) var ends: [Int32] = []
  /// The slots that are written one by one: all that have no row.
  public private(set) var others: [KeyOverrides] = []
  /// The slots of which a revision must be kept apart: no override there says it.
  public private(set) var unsaid: [OverrideSlot] = []
  /// True if packed lines of the audit log follow in the same transaction, one for each slot: a store that keeps packs reads the revisions of
  /// players' slots there until it unpacks them.
  public package(set) var isToldByLines = false

  private static let absent: Int32 = -1

  /// Nothing yet.
  public init() {}

  /// The slots of a change.
  public init(_ slots: [KeyOverrides], revision: Int64, isToldByLines: Bool = false) {
    self.isToldByLines = isToldByLines
    for each in slots { add(each, revision: revision) }
  }

  /// Adds a slot.
  /// - Parameter revision: the change's.
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

  /// The text of a row; nil for one that is not there.
  public func text(_ text: Text, ofRow row: Int, in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let at = row * Text.allCases.count + text.rawValue
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
