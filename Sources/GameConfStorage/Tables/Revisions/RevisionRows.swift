// The rows of the revisions of games, slots and players, and of named numbers.
package import GameConfCore

enum RevisionRows {
  static let tables = [
    "CREATE TABLE game_revisions (game TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID",
    """
    CREATE TABLE slot_revisions (
      game TEXT NOT NULL, player TEXT NOT NULL, key TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (game, player, key)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE player_revisions (game TEXT NOT NULL, player TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (game, player)) WITHOUT ROWID
    """,
    "CREATE TABLE numbers (name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID",
  ]

  /// Returns the name under which a forgotten player's revision is stored. It begins with a character that no player id has.
  static func forgottenName(of player: String) -> String { forgottenMark + SHA256.hex(of: player) }
  static let forgottenMark = "\u{1}"

  static let ofGame = Statement(.query, "SELECT revision FROM game_revisions WHERE game = ?", locks: .game)
  static let ofGames = Statement(.query, "SELECT game, revision FROM game_revisions", locks: .noRow)
  /// Raises a game's revision but never lowers it, so that a revision that another daemon created in the meantime is not created twice.
  static let raiseGame = Statement(
    .decisiveInsert,
    """
    INSERT INTO game_revisions (game, revision) VALUES (?, ?)
    ON CONFLICT (game) DO UPDATE SET revision = excluded.revision WHERE game_revisions.revision < excluded.revision
    """)

  static let atSlot = Statement(
    .query,
    """
    SELECT max(revision) FROM (
      SELECT revision FROM slot_revisions WHERE game = ?1 AND player = ?2 AND key = ?3
      UNION ALL SELECT revision FROM overrides WHERE game = ?1 AND player = ?2 AND key = ?3
    ) AS part
    """)
  static let ofKeys = Statement(.query, "SELECT key, revision FROM slot_revisions WHERE game = ? AND player = ''")
  static let ofPlayerSlots = Statement(.query, "SELECT game, player, key, revision FROM slot_revisions WHERE player > ''")
  static let changedSlots = Statement(
    .query, "SELECT player, key, revision FROM slot_revisions WHERE game = ? AND revision > ? ORDER BY revision, player, key")
  static let putSlot = Statement(
    .insert,
    """
    INSERT INTO slot_revisions (game, player, key, revision) VALUES (?, ?, ?, ?)
    ON CONFLICT (game, player, key) DO UPDATE SET revision = excluded.revision
    """)
  static let setSlots = Statement(.change, "UPDATE slot_revisions SET revision = ? WHERE game = ?")
  static let removeSlots = Statement(.change, "DELETE FROM slot_revisions WHERE game = ? AND player = ?")
  /// Deletes the oldest revisions of players' keys without overrides: at most `?2`, and only until the game has `?3` revisions of players'
  /// keys.
  static let removeOldSlots = Statement(.change, sqlite: removeOldSlots("max", "min"), postgres: removeOldSlots("greatest", "least"))

  private static func removeOldSlots(_ greatest: String, _ least: String) -> String {
    """
    DELETE FROM slot_revisions WHERE (game, player, key) IN (
      SELECT game, player, key FROM slot_revisions AS bare WHERE game = ?1 AND player > ''
        AND NOT EXISTS (SELECT 1 FROM overrides WHERE game = bare.game AND player = bare.player AND key = bare.key)
      ORDER BY revision LIMIT \(greatest)(0, \(least)(?2, (SELECT count(*) FROM slot_revisions WHERE game = ?1 AND player > '') - ?3))
    )
    """
  }

  /// Selects the revision in a player's row of `players`.
  static let ofRow = Statement(
    .query, "SELECT revision FROM players WHERE game = ? AND player = ?", locks: .player, prefetched: .revision)
  static let setRow = Statement(.change, "UPDATE players SET revision = ? WHERE game = ? AND player = ?")
  /// Selects the revision of a player without a row in `players`.
  static let besideRows = Statement(
    .query, "SELECT revision FROM player_revisions WHERE game = ? AND player = ?", prefetched: .revisionBeside)
  static let putBeside = Statement(
    .insert,
    """
    INSERT INTO player_revisions (game, player, revision) VALUES (?, ?, ?)
    ON CONFLICT (game, player) DO UPDATE SET revision = excluded.revision
    """)
  static let renameBeside = Statement(
    .change, sqlite: "UPDATE OR REPLACE player_revisions SET player = ? WHERE game = ? AND player = ?",
    postgres: """
      WITH known AS (DELETE FROM player_revisions WHERE game = ?2 AND player = ?3 RETURNING revision)
      INSERT INTO player_revisions (game, player, revision) SELECT ?2, ?1, revision FROM known
      ON CONFLICT (game, player) DO UPDATE SET revision = excluded.revision
      """)
  static let removeOneBeside = Statement(.change, "DELETE FROM player_revisions WHERE game = ? AND player = ?")
  static let removeBeside = Statement(.uncountedChange, "DELETE FROM player_revisions WHERE game = ? AND player IN (?, ?)")
  static let anyForgotten = Statement(
    .query, "SELECT 1 FROM player_revisions WHERE game = ? AND player >= ? AND player < ? LIMIT 1")

  static let number = Statement(.query, "SELECT number FROM numbers WHERE name = ?")
  static let numbers = Statement(.query, "SELECT name, number FROM numbers WHERE name >= ? AND name < ?")
  static let putNumber = Statement(
    .insert, "INSERT INTO numbers (name, number) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET number = excluded.number")
  static let removeNumber = Statement(.change, "DELETE FROM numbers WHERE name = ?")

  static let statements = [
    ofGame, ofGames, raiseGame, atSlot, ofKeys, ofPlayerSlots, changedSlots, putSlot, setSlots, removeSlots, removeOldSlots, ofRow,
    setRow, besideRows, putBeside, renameBeside, removeOneBeside, removeBeside, anyForgotten, number, numbers, putNumber, removeNumber,
    ofSlots.one, ofSlots.many, ofPlayers.one, ofPlayers.many, known, withRow, raising, raisingRows, ofLines,
  ]

  /// The upper bound of the names of forgotten players in `player_revisions`, in the order of the primary key.
  static let afterForgotten = "\u{2}"
  /// With fewer players than this, each player is looked up among the forgotten players.
  static let fewPlayers = 8

  /// Inserts the revisions of keys, game-wide or of players. All rows share the game and the revision.
  static let ofSlots = BulkInsert(
    "INSERT OR REPLACE INTO slot_revisions (game, player, key, revision)", shared: 2, row: ["?1", "?", "?", "?2"])
  static let ofPlayers = BulkInsert("INSERT OR REPLACE INTO player_revisions (game, player, revision)", shared: 1, row: ["?1", "?", "?"])
  /// Selects the known revisions of many players. The third column is 1 for a revision from `players`, otherwise 0.
  static let known = Statement(
    .query,
    sqlite: """
      SELECT player, revision, 1 FROM players WHERE game = ?1 AND player IN (\(manyNames))
      UNION ALL SELECT player, revision, 0 FROM player_revisions WHERE game = ?1 AND player IN (\(manyNames))
      """, postgres: nil, locks: .noRow)
  /// Selects those of many players who have rows in `players`.
  static let withRow = Statement(
    .query, sqlite: "SELECT player FROM players WHERE game = ?1 AND player IN (\(manyNames))", postgres: nil, locks: .noRow)
  private static let manyNames = (0..<BulkInsert.count).map { "?\($0 + 2)" }.joined(separator: ", ")
  /// Raises the revisions of many players without rows in `players`. A known revision becomes at least `?3` + 1; a new one is `?2`.
  static let raising = raising(in: "player_revisions")
  /// Raises the revisions of many players who all have rows in `players`.
  static let raisingRows = raising(in: "players")

  private static func raising(in table: String) -> Statement {
    let rows = (0..<BulkInsert.count).map { "(?1, ?\($0 + 4), ?2)" }.joined(separator: ", ")
    return Statement(
      .query,
      sqlite: """
        INSERT INTO \(table) (game, player, revision) VALUES \(rows)
        ON CONFLICT (game, player) DO UPDATE SET revision = max(revision, ?3) + 1 RETURNING player, revision
        """, postgres: nil, locks: table == "players" ? .noRow : nil)
  }

  /// Copies the revisions of players' keys from audit lines that were just unpacked, unless an override already has the revision.
  static let ofLines = Statement(
    .change,
    sqlite: """
      INSERT INTO slot_revisions (game, player, key, revision)
      SELECT game, player, key, max(revision) FROM audit AS line
      WHERE id BETWEEN ?1 AND ?2 AND game IS NOT NULL AND player IS NOT NULL AND key IS NOT NULL AND revision IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM overrides WHERE game = line.game AND player = line.player AND key = line.key AND revision >= line.revision
      )
      GROUP BY game, player, key
      ON CONFLICT (game, player, key) DO UPDATE SET revision = max(revision, excluded.revision)
      """, postgres: nil)

  /// The name, in the table `numbers`, of the highest revision of any player.
  static let playerMax = "player_revision_max"
  /// The name, in the table `numbers`, of the instant of the last attempt to write to the database again, in ms.
  static let lookedAt = "looked_at_ms"
  /// The name, in the table `numbers`, of the lower bound of players' revisions.
  static let playerFloor = "player_revision_floor"
  /// The name, in the table `numbers`, of the store's epoch, which is stored as a signed number with the same bits.
  static let epoch = "epoch"
  /// The prefix of a name in the table `numbers`, for the digest of a game's accepted catalog. The game's id follows the prefix.
  static let catalogDigest = "catalog_digest:"
  /// The upper bound of the names that begin with ``catalogDigest``, in the order of the primary key.
  static let afterCatalogDigests = "catalog_digest;"
}

extension ReadTransaction {
  package func revision(of game: String) throws(StoreError) -> Int64 {
    let row = try row(RevisionRows.ofGame, [game])
    return max(try attempting { try row?.integer(0) ?? 0 }, floors.revisions[game] ?? 0)
  }

  package func revisions() throws(StoreError) -> [String: Int64] {
    let rows = try rows(RevisionRows.ofGames)
    let stored = try attempting { try rows.map { (try $0.text(0), try $0.integer(1)) } }
    return floors.revisions.merging(stored, uniquingKeysWith: max)
  }

  package func revision(at slot: OverrideSlot) throws(StoreError) -> Int64? {
    // The overrides of one large change have no rows in `slot_revisions` while they exist, because each contains its own revision.
    let row = try row(RevisionRows.atSlot, [slot.game, slot.player ?? "", slot.key])
    let known = row?.optionalInteger(0)
    return try slot.player == nil ? known : [known, packedRevision(at: slot, after: known)].compactMap { $0 }.max()
  }

  package func keyRevisions(of game: String) throws(StoreError) -> [String: Int64] {
    let rows = try rows(RevisionRows.ofKeys, [game])
    return try attempting { try Dictionary(rows.map { (try $0.text(0), try $0.integer(1)) }, uniquingKeysWith: max) }
  }

  package func playerRevision(_ player: String, in game: String) throws(StoreError) -> Int64 {
    if let known = try revisionOfRow(of: player, in: game) { return max(known, floors.players) }
    if let known = try storedPlayerRevision(player, in: game) { return max(known, floors.players) }
    return max(try storedPlayerRevision(RevisionRows.forgottenName(of: player), in: game) ?? 0, floors.players)
  }

  /// Returns the revision in the player's row; nil if there is no row.
  fileprivate func revisionOfRow(of player: String, in game: String) throws(StoreError) -> Int64? {
    let row = try row(RevisionRows.ofRow, [game, player])
    return try reading(UnreadableRow(.player, game: game, player: player)) { try row?.integer(0) }
  }

  /// Returns the revision of a player without a row in `players`, who only had overrides or was forgotten.
  fileprivate func storedPlayerRevision(_ name: String, in game: String) throws(StoreError) -> Int64? {
    let row = try row(RevisionRows.besideRows, [game, name])
    return try attempting { try row?.integer(0) }
  }

  /// Returns the last revision of each key of each player, in every game.
  func playerSlotRevisions() throws(StoreError) -> [OverrideSlot: Int64] {
    let rows = try rows(RevisionRows.ofPlayerSlots)
    let stored = try attempting {
      try rows.map { (OverrideSlot(game: try $0.text(0), player: try $0.text(1), key: try $0.text(2)), try $0.integer(3)) }
    }
    return Dictionary(stored + (try packedRevisions()), uniquingKeysWith: max)
  }

  /// Returns the digest of the files of each game's accepted catalog.
  func catalogDigests() throws(StoreError) -> [String: Int64] {
    let prefix = RevisionRows.catalogDigest
    let rows = try rows(RevisionRows.numbers, [prefix, RevisionRows.afterCatalogDigests])
    return try attempting {
      try Dictionary(rows.map { (String(try $0.text(0).dropFirst(prefix.count)), try $0.bits(1)) }, uniquingKeysWith: { $1 })
    }
  }

  /// Returns a number from the table `numbers` by its name; 0 if it is not stored.
  func number(_ name: String) throws(StoreError) -> Int64 {
    let row = try row(RevisionRows.number, [name])
    guard let row else { return 0 }
    return try attempting {
      let range = StoredNumber.named(name) == .bits ? StoredNumber.bits.range : ReadableNumber.range
      guard let number = row.anyInteger(0), range.contains(number) else {
        throw DatabaseFailure.damaged("the number “\(name)” is far out of range")
      }
      return number
    }
  }
}

extension WriteTransaction {
  package func nextRevision(of game: String) throws(StoreError) -> Int64 {
    // The revision is read and then written, because SQLite would build an ephemeral table for the rows of RETURNING.
    let revision = try revision(of: game) + 1
    try run(RevisionRows.raiseGame, [game, revision])
    publish(.revision(game: game, revision: revision))
    return revision
  }

  package func setRevision(_ revision: Int64, at keys: Set<String>, of game: String) throws(StoreError) {
    try setRevision(revision, at: keys.sorted().map { OverrideSlot(game: game, key: $0) })
    publish(.keys(keys, game: game, revision: revision))
  }

  /// Writes the revision of a key, for the game or for one player, without publishing it.
  func setRevision(_ revision: Int64, at slot: OverrideSlot) throws(StoreError) {
    try runRaw(RevisionRows.putSlot) {
      OverrideRows.bind(slot, to: &$0)
      $0.bind(revision)
    }
  }

  /// Writes the revision of keys, for the game or for players, without publishing it.
  func setRevision(_ revision: Int64, at slots: [OverrideSlot]) throws(StoreError) {
    guard database.writesManyRows, slots.count >= BulkInsert.count, let game = slots.first?.game, slots.allSatisfy({ $0.game == game })
    else {
      for slot in slots { try setRevision(revision, at: slot) }
      return
    }
    try runMany(RevisionRows.ofSlots, slots) {
      $0.bind(game)
      $0.bind(revision)
    } own: { slot, list in
      list.bind(slot.player ?? "")
      list.bind(slot.key)
    }
  }

  package func nextPlayerRevision(_ player: String, in game: String) throws(StoreError) -> Int64 {
    try nextPlayerRevision(player, in: game, mayBeForgotten: true)
  }

  package func nextPlayerRevisions(_ players: [String], in game: String) throws(StoreError) -> [Int64] {
    // One query finds out whether the game has forgotten players, because the lookup of a player among them costs a digest and a query.
    var mayBeForgotten = players.count < RevisionRows.fewPlayers
    if !mayBeForgotten {
      mayBeForgotten = try row(RevisionRows.anyForgotten, [game, RevisionRows.forgottenMark, RevisionRows.afterForgotten]) != nil
    }
    var revisions: [Int64] = []
    var next = 0
    while next < players.count {
      let some = players[next..<min(next + BulkInsert.count, players.count)]
      next = some.endIndex
      if database.writesManyRows, some.count == BulkInsert.count {
        revisions += try nextRevisions(ofMany: Array(some), in: game, mayBeForgotten: mayBeForgotten)
      } else {
        for player in some { revisions.append(try nextPlayerRevision(player, in: game, mayBeForgotten: mayBeForgotten)) }
      }
    }
    return revisions
  }

  /// Raises the revisions of one batch of players, in a few statements for all of them.
  private func nextRevisions(ofMany players: [String], in game: String, mayBeForgotten: Bool) throws(StoreError) -> [Int64] {
    if let raised = try raised(players, in: game, mayBeForgotten: mayBeForgotten) { return raised }
    var (known, withRow): ([ByteText: Int64], Set<ByteText>) = ([:], [])
    let rows = try rawRows(RevisionRows.known) { list in
      list.bind(game)
      for player in players { list.bind(player) }
    } _: { row in
      (ByteText(try row.text(0)), try row.integer(1), try row.integer(2) == 1)
    }
    for (name, revision, isOfRow) in rows where isOfRow || !withRow.contains(name) {
      known[name] = revision
      if isOfRow { withRow.insert(name) }
    }
    var revisions: [Int64] = []
    var fresh: [(player: String, revision: Int64)] = []
    for player in players {
      let name = ByteText(player)
      if withRow.contains(name) || (known[name] == nil && mayBeForgotten) {
        revisions.append(try nextPlayerRevision(player, in: game, mayBeForgotten: mayBeForgotten))
      } else {
        fresh.append((player, max(known[name] ?? 0, floors.players) + 1))
        revisions.append(fresh[fresh.count - 1].revision)
      }
    }
    try runMany(RevisionRows.ofPlayers, fresh) {
      $0.bind(game)
    } own: { each, list in
      list.bind(each.player)
      list.bind(each.revision)
    }
    notes.playerRevisionMax = max(notes.playerRevisionMax, fresh.map(\.revision).max() ?? 0)
    return revisions
  }

  /// Raises the revisions of players in one statement. Returns nil if only some players have rows, or if one without a row may have been
  /// forgotten.
  private func raised(_ players: [String], in game: String, mayBeForgotten: Bool) throws(StoreError) -> [Int64]? {
    let rows = try rawRows(RevisionRows.withRow) { list in
      list.bind(game)
      for player in players { list.bind(player) }
    } _: { _ in
      true
    }
    guard rows.count == players.count || (rows.isEmpty && !mayBeForgotten) else { return nil }
    let floor = floors.players
    let raised = try rawRows(rows.isEmpty ? RevisionRows.raising : RevisionRows.raisingRows) { list in
      list.bind(game)
      list.bind(floor + 1)
      list.bind(floor)
      for player in players { list.bind(player) }
    } _: { row in
      (player: try row.text(0), revision: try row.integer(1))
    }
    notes.playerRevisionMax = max(notes.playerRevisionMax, raised.map(\.revision).max() ?? 0)
    // SQLite returns the rows in the order of the values, but does not promise that order.
    if raised.count == players.count, zip(players, raised).allSatisfy({ ByteText.areSame($0, $1.player) }) { return raised.map(\.revision) }
    let known = Dictionary(raised.map { (ByteText($0.player), $0.revision) }, uniquingKeysWith: max)
    return players.map { known[ByteText($0)] ?? floor + 1 }
  }

  private func nextPlayerRevision(_ player: String, in game: String, mayBeForgotten: Bool) throws(StoreError) -> Int64 {
    let revision: Int64
    if let known = try revisionOfRow(of: player, in: game) {
      revision = max(known, floors.players) + 1
      try run(RevisionRows.setRow, [revision, game, player])
    } else {
      var known = try storedPlayerRevision(player, in: game)
      if known == nil, mayBeForgotten {
        let name = RevisionRows.forgottenName(of: player)
        known = try storedPlayerRevision(name, in: game)
        if known != nil { try run(RevisionRows.removeOneBeside, [game, name]) }
      }
      revision = max(known ?? 0, floors.players) + 1
      try runRaw(RevisionRows.putBeside) {
        $0.bind(game)
        $0.bind(player)
        $0.bind(revision)
      }
    }
    notes.playerRevisionMax = max(notes.playerRevisionMax, revision)
    return revision
  }

  func setNumber(_ number: Int64, _ name: String) throws(StoreError) {
    try run(RevisionRows.putNumber, [name, number])
  }

  /// Removes the oldest revisions of players' keys without overrides, beyond ``StoreLimits/revisionsOfRemovedMax`` per game.
  /// - Returns: The number of removed revisions.
  package func dropOldRevisions(max: Int) throws(StoreError) -> Int {
    let games = try rows(RevisionRows.ofGames)
    var dropped = 0
    for game in try attempting({ try games.map { try $0.text(0) } }) where dropped < max {
      dropped += try run(
        RevisionRows.removeOldSlots, [game, max - dropped, StoreLimits.revisionsOfRemovedMax + OverrideLimits.playerOverridesMax])
    }
    return dropped
  }
}
