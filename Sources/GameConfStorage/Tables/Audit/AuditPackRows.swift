// The rows of packed audit lines.
import GameConfCore

/// The table of packed audit lines. Most of the bytes that a large change writes are audit lines.
///
/// A large change writes its lines packed, up to 128 to a row. A later job gives each line its own row and its index entries, after all
/// callers have their answers. Until then, every read of the audit log reads the packs too. A line has its number from the beginning and is
/// equal in both forms.
enum AuditPackRows {
  static let tables = [
    """
    CREATE TABLE audit_packs (
      first INTEGER PRIMARY KEY, last INTEGER NOT NULL, at_ms INTEGER NOT NULL, author_uid INTEGER NOT NULL, author_name TEXT NOT NULL,
      author_pid INTEGER, action TEXT NOT NULL, game TEXT, reason TEXT, revision INTEGER, lines BLOB NOT NULL
    )
    """
  ]

  static let storedTables = [
    StoredTable(
      "audit_packs",
      [
        "first": .number(.ordinal), "last": .number(.ordinal), "at_ms": .number(.instant), "author_uid": .number(.uid),
        "author_name": .text, "author_pid": .optional(.pid), "action": .text, "game": .text, "reason": .text,
        "revision": .optional(.revision), "lines": .blob, "session": .text,
      ])
  ]

  private static let columns = "first, last, at_ms, author_uid, author_name, author_pid, action, game, reason, revision, session, lines"

  /// Selects the packs of a game that have a later revision and contain certain bytes, newest first.
  static let naming = Statement(
    .query, sqlite: "SELECT \(columns) FROM audit_packs WHERE game = ? AND revision > ? AND instr(lines, ?) > 0 ORDER BY first DESC",
    postgres: nil)
  /// Selects the newest pack whose first line's number is at most the parameter: the only pack that can contain the line with that number.
  static let upTo = Statement(
    .query, sqlite: "SELECT \(columns) FROM audit_packs WHERE first <= ? ORDER BY first DESC LIMIT 1", postgres: nil)
  static let next = Statement(
    .query,
    sqlite: "SELECT \(columns) FROM audit_packs WHERE first > ?1 AND (?2 IS NULL OR game = ?2) ORDER BY first ASC LIMIT ?3", postgres: nil)
  static let prior = Statement(
    .query,
    sqlite: "SELECT \(columns) FROM audit_packs WHERE first < ?1 AND (?2 IS NULL OR game = ?2) ORDER BY first DESC LIMIT ?3", postgres: nil)
  static let insertion = Statement(
    .insert, sqlite: "INSERT INTO audit_packs (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", postgres: nil)
  static let removal = Statement(.change, sqlite: "DELETE FROM audit_packs WHERE first = ?", postgres: nil)
  /// Selects the number of the last audit line, packed or not.
  static let lastLine = Statement(.query, sqlite: "SELECT seq FROM sqlite_sequence WHERE name = 'audit'", postgres: nil)
  static let addLastLine = Statement(.insert, sqlite: "INSERT INTO sqlite_sequence (name, seq) VALUES ('audit', ?)", postgres: nil)
  static let setLastLine = Statement(.change, sqlite: "UPDATE sqlite_sequence SET seq = ? WHERE name = 'audit'", postgres: nil)

  static let statements = [
    naming, upTo, next, prior, insertion, removal, lastLine, addLastLine, setLastLine, ofChange.one, ofChange.many,
  ]

  /// A row of `audit_packs`: up to ``AuditPack/linesMax`` packed lines of one change.
  struct PackedAuditLines {
    let first: Int64
    let last: Int64
    let game: String?
    /// The fields that the lines share; nil if they cannot be read.
    let shared: AuditRecord?
    /// The texts of each line; nil if they cannot be read.
    let texts: [[[UInt8]?]]?

    init(_ row: RawRow) throws {
      first = try row.integer(0)
      // A column of the wrong type makes one pack unreadable; it does not mean that the database is damaged.
      last = row.optionalInteger(1) ?? first
      func text(_ column: Int32) -> String? { row.bytes(column).map { String(decoding: $0, as: UTF8.self) } }
      game = text(7)
      var shared: AuditRecord?
      if let at = row.optionalInstant(2), let uid = row.optionalInteger(3).flatMap(UInt32.init(exactly:)), let name = text(4),
        let action = text(6)
      {
        let author = Author(uid: uid, name: name, pid: row.optionalInteger(5).flatMap(Int32.init(exactly:)))
        shared = AuditRecord(
          at: at, author: author, action: AuditAction(rawValue: action), game: game, reason: text(8))
        shared?.revision = row.optionalInteger(9)
        shared?.session = text(10)
      }
      self.shared = shared
      let count = last >= first && last - first < AuditPack.linesMax ? Int(last - first) + 1 : 0
      texts = count > 0 ? row.bytes(11).flatMap { AuditPack.texts(in: $0, count: count) } : nil
    }

    /// The slots (a key for one player) that the lines are about.
    var slots: [OverrideSlot] {
      guard let game, let texts else { return [] }
      return texts.compactMap { own in
        guard let player = own[AuditPack.PackedField.player.rawValue], let key = own[AuditPack.PackedField.key.rawValue] else { return nil }
        return OverrideSlot(game: game, player: String(decoding: player, as: UTF8.self), key: String(decoding: key, as: UTF8.self))
      }
    }

    /// Decodes the lines, oldest first.
    func lines() throws(DatabaseFailure) -> [AuditRecord] {
      guard let shared, let texts else { throw .damaged("packed lines are not what was written") }
      var lines: [AuditRecord] = []
      for (number, own) in texts.enumerated() {
        func text(_ name: AuditPack.PackedField) -> String? { own[name.rawValue].map { String(decoding: $0, as: UTF8.self) } }
        func value(_ name: AuditPack.PackedField) throws(DatabaseFailure) -> Value? {
          guard let json = own[name.rawValue] else { return nil }
          return try json.withUnsafeBytes { bytes in Result { () throws(DatabaseFailure) in try Row.value(bytes) } }.get()
        }
        var line = shared
        line.id = first + Int64(number)
        (line.player, line.key, line.window) = (text(.player), text(.key), text(.window))
        (line.before, line.after, line.detail) = (try value(.before), try value(.after), try value(.detail))
        if let before = try value(.undoBefore), let after = try value(.undoAfter) { line.undo = AuditUndo(before: before, after: after) }
        line.reverts = text(.reverts).flatMap { Int64($0) }
        lines.append(line)
      }
      return lines
    }

    var name: UnreadableRow { UnreadableRow(.audit, game: game, name: String(first)) }
  }

  /// Inserts unpacked lines of one change, with the numbers that they had in the pack.
  static let ofChange = BulkInsert(
    "INSERT INTO audit (id, \(AuditRows.columns))", shared: AuditRows.sharedCount, row: ["?"] + AuditRows.rowOfChange)
}

extension ReadTransaction {
  /// Returns the pack that contains a line; nil if no pack does.
  fileprivate func auditPack(of id: Int64) throws(StoreError) -> AuditPackRows.PackedAuditLines? {
    guard database.writesManyRows else { return nil }
    return try rawRows(AuditPackRows.upTo, { $0.bind(id) }, AuditPackRows.PackedAuditLines.init).first { $0.last >= id }
  }

  /// Returns a page of packs in the order of their lines' numbers, ascending with `upward`.
  /// - Parameters:
  ///   - number: the number of the first line in the last pack of the previous page.
  ///   - game: the game of the packs; nil for any game.
  ///   - count: the most packs to return.
  fileprivate func auditPacks(
    upward: Bool, from number: Int64, of game: String?, count: Int64
  ) throws(StoreError) -> [AuditPackRows.PackedAuditLines] {
    try rawRows(
      upward ? AuditPackRows.next : AuditPackRows.prior,
      {
        $0.bind(number)
        $0.bind(optional: game)
        $0.bind(count)
      }, AuditPackRows.PackedAuditLines.init)
  }

  /// Returns a line that is still packed; nil if no pack contains the line.
  func packedAudit(_ id: Int64) throws(StoreError) -> AuditRecord? {
    guard let pack = try auditPack(of: id) else { return nil }
    return try reading(pack.name) { try pack.lines() }.first { $0.id == id }
  }

  /// Returns the revision of a player's override slot from packed lines, if it is later than the known revision.
  func packedRevision(at slot: OverrideSlot, after known: Int64?) throws(StoreError) -> Int64? {
    guard database.writesManyRows, let player = slot.player else { return nil }
    let packs = try auditPacks(of: slot.game, naming: AuditPack.bytes([player, slot.key]), after: known ?? 0)
    return packs.first { pack in pack.slots.contains { $0 == slot } }?.shared?.revision
  }

  /// Returns the packs of a game that have a later revision and contain certain bytes, newest first.
  fileprivate func auditPacks(of game: String, naming bytes: [UInt8], after revision: Int64) throws(StoreError) -> [AuditPackRows
    .PackedAuditLines]
  {
    try rawRows(AuditPackRows.naming) {
      $0.bind(game)
      $0.bind(revision)
      $0.bind(blob: bytes)
    } _: {
      try AuditPackRows.PackedAuditLines($0)
    }
  }

  /// Returns the revisions of players' override slots in packed lines.
  func packedRevisions() throws(StoreError) -> [(OverrideSlot, Int64)] {
    guard database.writesManyRows else { return [] }
    var (found, number): ([(OverrideSlot, Int64)], Int64) = ([], .min)
    while let pack = try auditPacks(upward: true, from: number, of: nil, count: 1).first {
      number = pack.first
      if let revision = pack.shared?.revision { found += pack.slots.map { ($0, revision) } }
    }
    return found
  }

  /// Returns the selected lines that are still packed, up to the selection's limit: oldest first with `upward`, otherwise newest first.
  func packedAudits(_ selection: AuditSelection, upward: Bool) throws(StoreError) -> [AuditRecord] {
    guard database.writesManyRows else { return [] }
    var found: [AuditRecord] = []
    var number = upward ? Int64.min : Int64.max
    while found.count < selection.limit {
      let packs = try auditPacks(upward: upward, from: number, of: selection.game, count: 4)
      guard let last = packs.last else { break }
      number = last.first
      for pack in packs {
        // Skips whole packs outside the page without decoding them.
        if let after = selection.after, pack.last <= after { continue }
        if let before = selection.before, pack.first >= before { continue }
        guard let lines = try readable(pack.name, { try pack.lines() }) else { continue }
        let selected = lines.filter { selection.contains($0, about: []) }
        found += upward ? selected : selected.reversed()
      }
    }
    return Array(found.prefix(selection.limit))
  }
}

extension WriteTransaction {
  /// Inserts packed audit lines, numbered after the last line of the log.
  /// - Returns: the number of the first line.
  func append(_ packs: [AuditPack], sharing shared: AuditRecord) throws(StoreError) -> Int64 {
    // Advances the table's AUTOINCREMENT sequence past the packed lines, so that later lines get higher numbers.
    let lines = Int64(packs.reduce(0) { $0 + $1.count })
    let known = try row(AuditPackRows.lastLine)
    let last = try attempting { try known?.integer(0) ?? 0 }
    if known == nil {
      try run(AuditPackRows.addLastLine, [lines])
    } else {
      try run(AuditPackRows.setLastLine, [last + lines])
    }
    var next = last + 1
    for pack in packs {
      try runRaw(AuditPackRows.insertion) {
        $0.bind(next)
        $0.bind(next + Int64(pack.count) - 1)
        AuditRows.bind(shared: shared, to: &$0)
        $0.bind(blob: pack.bytes)
      }
      next += Int64(pack.count)
    }
    notes.hasPacked = true
    return last + 1
  }

  /// Gives each line of a pack a row of its own. The pack is the oldest one that begins after a line's number.
  /// - Returns: the number of its first line; nil if there is no such pack.
  func unpackAudits(after number: Int64) throws(StoreError) -> Int64? {
    guard let pack = try auditPacks(upward: true, from: number, of: nil, count: 1).first else { return nil }
    try unpack(pack)
    return pack.first
  }

  /// Gives each line of the pack that contains a line a row of its own.
  /// - Returns: true if the line was packed.
  func unpackAudit(_ id: Int64) throws(StoreError) -> Bool {
    guard let pack = try auditPack(of: id) else { return false }
    try unpack(pack)
    return true
  }

  /// Unpacks each pack of a game in which at least one line satisfies the predicate.
  func unpackAudits(of game: String, where changes: (AuditRecord) -> Bool) throws(StoreError) {
    guard database.writesManyRows else { return }
    var number = Int64.min
    while let pack = try auditPacks(upward: true, from: number, of: game, count: 1).first {
      number = pack.first
      guard let lines = try readable(pack.name, { try pack.lines() }), lines.contains(where: changes) else { continue }
      try unpack(pack)
    }
  }

  /// Unpacks each pack of a game in which at least one line is about a player.
  func unpackAudits(about id: PlayerID) throws(StoreError) {
    guard database.writesManyRows else { return }
    let packs = try auditPacks(of: id.game, naming: AuditPack.bytes([id.player]), after: 0)
    for pack in packs where pack.slots.contains(where: { $0.isOf(player: id.player) }) { try unpack(pack) }
  }

  private func unpack(_ pack: AuditPackRows.PackedAuditLines) throws(StoreError) {
    // An unreadable pack keeps its row; `readable` reports it.
    guard let shared = pack.shared, let texts = pack.texts else { return _ = try readable(pack.name, { try pack.lines() }) }
    try runMany(AuditPackRows.ofChange, Array(texts.enumerated())) {
      AuditRows.bind(shared: shared, to: &$0)
    } own: { line, list in
      list.bind(pack.first + Int64(line.offset))
      for text in line.element.dropLast() { list.bind(text: text) }
      list.bind(line.element.last.flatMap { $0 }.flatMap { Int64(String(decoding: $0, as: UTF8.self)) })
    }
    try run(RevisionRows.ofLines, [pack.first, pack.last])
    try run(AuditPackRows.removal, [pack.first])
  }
}
