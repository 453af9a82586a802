// The rows of plays: their owners, their pinned values, and the bytes that each user's plays take.
package import GameConfCore

enum PlayRows {
  /// An owner is a player with plays, with or without a row in `players`. An owner without an id was forgotten; a job deletes the plays of
  /// such an owner, some at a time. Equal pinned values are stored once, with a count of references.
  static let tables = [
    """
    CREATE TABLE play_owners (
      number INTEGER PRIMARY KEY, game TEXT, player TEXT, open INTEGER NOT NULL, closed INTEGER NOT NULL, bytes INTEGER NOT NULL,
      UNIQUE (game, player)
    )
    """,
    """
    CREATE TABLE plays (
      number INTEGER PRIMARY KEY, owner INTEGER NOT NULL, id TEXT NOT NULL, opened_ms INTEGER NOT NULL, closed_ms INTEGER,
      closed_host_ms INTEGER, revision INTEGER NOT NULL, keys INTEGER NOT NULL, digest TEXT NOT NULL, bytes INTEGER NOT NULL,
      uid INTEGER NOT NULL, context TEXT, UNIQUE (owner, id)
    )
    """,
    "CREATE INDEX plays_by_owner ON plays (owner)",
    "CREATE INDEX plays_closed ON plays (owner, closed_host_ms)",
    "CREATE INDEX play_owners_gone ON play_owners (number) WHERE game IS NULL",
    "CREATE TABLE play_values (digest TEXT PRIMARY KEY, uid INTEGER NOT NULL, uses INTEGER NOT NULL, bytes INTEGER NOT NULL, content TEXT NOT NULL)",
    "CREATE TABLE play_users (uid INTEGER PRIMARY KEY, bytes INTEGER NOT NULL)",
  ]

  static let storedTables = [
    StoredTable(
      "play_owners",
      [
        "number": .number(.ordinal), "game": .text, "player": .text, "open": .number(.count), "closed": .number(.count),
        "bytes": .number(.count),
      ]),
    StoredTable(
      "plays", of: .row,
      [
        "number": .number(.ordinal), "owner": .number(.ordinal), "id": .text, "opened_ms": .number(.instant),
        "closed_ms": .optional(.instant), "closed_host_ms": .optional(.instant), "revision": .number(.revision), "keys": .number(.count),
        "digest": .text, "bytes": .number(.count), "uid": .number(.uid), "context": .text,
        "state": .text, "state_bytes": .number(.count),
      ]),
    StoredTable(
      "play_values",
      ["digest": .text, "uid": .number(.uid), "uses": .number(.count), "bytes": .number(.count), "content": .text]),
    StoredTable("play_users", ["uid": .number(.uid), "bytes": .number(.count)]),
  ]

  /// Adds the state that the game stores with a play, and the state's length, which is charged in addition to the play's own bytes.
  static let stateColumns = StoreSchema.SchemaMigration(
    sqlite: [
      "ALTER TABLE plays ADD COLUMN state TEXT",
      "ALTER TABLE plays ADD COLUMN state_bytes INTEGER NOT NULL DEFAULT 0",
    ],
    postgres: [
      "ALTER TABLE plays ADD COLUMN state TEXT COLLATE \"C\"",
      "ALTER TABLE plays ADD COLUMN state_bytes BIGINT NOT NULL DEFAULT 0",
    ])

  private static let columns = "id, opened_ms, closed_ms, closed_host_ms, revision, keys, digest, plays.bytes, uid, context"
  private static let ofPlayer = "FROM play_owners JOIN plays ON owner = play_owners.number WHERE game = ? AND player = ?"

  static let one = Statement(.query, "SELECT \(columns) \(ofPlayer) AND id = ?")
  static let number = Statement(.query, "SELECT plays.number \(ofPlayer) AND id = ?")
  static let before = Statement(.query, "SELECT \(columns) \(ofPlayer) AND plays.number < ? ORDER BY plays.number DESC LIMIT ?")
  static let state = Statement(.query, "SELECT state \(ofPlayer) AND id = ?")
  static let stored = Statement(.query, "SELECT plays.* \(ofPlayer)")
  static let add = Statement(
    .answeringInsert(number: "number"),
    """
    INSERT INTO plays (owner, id, opened_ms, closed_ms, closed_host_ms, revision, keys, digest, bytes, uid, context)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """)
  static let close = Statement(
    .change, "UPDATE plays SET closed_ms = ?, closed_host_ms = ? WHERE owner = ? AND id = ? AND closed_ms IS NULL")
  static let stateSize = Statement(.query, "SELECT number, state_bytes, uid FROM plays WHERE owner = ? AND id = ?")
  static let setState = Statement(.certainChange, "UPDATE plays SET state = ?, state_bytes = ? WHERE number = ?")
  static let after = Statement(
    .query,
    "SELECT \(columns), plays.number FROM plays WHERE owner = ? AND (opened_ms > ? OR closed_ms > ?) ORDER BY plays.number")
  static let redate = Statement(.change, "UPDATE plays SET opened_ms = ?, closed_ms = ? WHERE number = ?")
  static let firstClosed = Statement(
    .query,
    """
    SELECT \(columns), plays.number, state_bytes FROM plays WHERE owner = ? AND closed_host_ms IS NOT NULL
    ORDER BY closed_host_ms, number LIMIT 1
    """)
  static let some = Statement(.query, "SELECT \(columns), plays.number, state_bytes FROM plays WHERE owner = ? LIMIT ?")
  static let remove = Statement(.change, "DELETE FROM plays WHERE number = ?")

  static let owner = Statement(.query, "SELECT number FROM play_owners WHERE game = ? AND player = ?")
  static let counts = Statement(.query, "SELECT open, closed, bytes FROM play_owners WHERE game = ? AND player = ?")
  static let addOwner = Statement(
    .answeringInsert(number: "number"), "INSERT INTO play_owners (game, player, open, closed, bytes) VALUES (?, ?, 1, 0, ?)")
  static let countOpened = Statement(.change, "UPDATE play_owners SET open = open + 1, bytes = bytes + ? WHERE number = ?")
  static let countClosed = Statement(.change, "UPDATE play_owners SET open = open - 1, closed = closed + 1 WHERE number = ?")
  static let countRemoved = Statement(.change, "UPDATE play_owners SET closed = closed - 1, bytes = bytes - ? WHERE number = ?")
  static let grow = Statement(.change, "UPDATE play_owners SET bytes = bytes + ? WHERE number = ?")
  static let hide = Statement(.change, "UPDATE play_owners SET game = NULL, player = NULL WHERE number = ?")
  static let hidden = Statement(.query, "SELECT number FROM play_owners WHERE game IS NULL LIMIT 1")
  static let removeOwner = Statement(.change, "DELETE FROM play_owners WHERE number = ?")

  static let content = Statement(.query, "SELECT content FROM play_values WHERE digest = ?")
  static let addValues = Statement(.insert, "INSERT INTO play_values (digest, uid, uses, bytes, content) VALUES (?, ?, 1, ?, ?)")
  static let use = Statement(.change, "UPDATE play_values SET uses = uses + 1 WHERE digest = ?")
  static let release = Statement(.change, "UPDATE play_values SET uses = uses - 1 WHERE digest = ?")
  static let unused = Statement(.query, "SELECT uid, bytes FROM play_values WHERE digest = ? AND uses <= 0")
  static let removeValues = Statement(.change, "DELETE FROM play_values WHERE digest = ?")

  static let userBytes = Statement(.query, "SELECT bytes FROM play_users WHERE uid = ?")
  static let charge = Statement(.change, "UPDATE play_users SET bytes = bytes + ? WHERE uid = ?")
  static let addUser = Statement(.insert, "INSERT INTO play_users (uid, bytes) VALUES (?, ?)")

  static let statements = [
    one, number, before, state, stored, add, close, stateSize, setState, after, redate, firstClosed, some, remove, owner, counts,
    addOwner, countOpened, countClosed, countRemoved, grow, hide, hidden, removeOwner, content, addValues, use, release, unused,
    removeValues, userBytes, charge, addUser,
  ]

  fileprivate static func play(_ row: Row) throws(DatabaseFailure) -> StoredPlay {
    StoredPlay(
      id: try row.text(0), openedAt: try row.instant(1),
      closedAt: row.optionalInstant(2),
      closedAtHost: row.optionalInstant(3), revision: try row.integer(4),
      keysCount: Int(try row.integer(5)), digest: try row.text(6), bytesCount: Int(try row.integer(7)),
      uid: UInt32(clamping: try row.integer(8)), context: try row.optionalValue(9)?.objectValue ?? ObjectValue())
  }
}

extension ReadTransaction {
  /// Returns the play with an id; nil if this player has no such play.
  package func play(_ id: String, of player: PlayerID) throws(StoreError) -> StoredPlay? {
    let row = try row(PlayRows.one, [player.game, player.player, id])
    guard let row else { return nil }
    return try reading(UnreadableRow(.play, game: player.game, player: player.player, name: id)) { try PlayRows.play(row) }
  }

  /// Returns a page of a player's plays, newest first.
  /// - Parameter before: only plays opened before this one; the page is empty if the player has no such play.
  package func plays(of player: PlayerID, before: String?, limit: Int) throws(StoreError) -> [StoredPlay] {
    var last = Int64.max
    if let before {
      let row = try row(PlayRows.number, [player.game, player.player, before])
      guard let row else { return [] }
      last = try attempting { try row.integer(0) }
    }
    let rows = try rows(PlayRows.before, [player.game, player.player, last, max(limit, 0)])
    var plays: [StoredPlay] = []
    for row in rows {
      let name = UnreadableRow(.play, game: player.game, player: player.player, name: row.optionalText(0))
      if let play = try readable(name, { try PlayRows.play(row) }) { plays.append(play) }
    }
    return plays
  }

  /// Returns the counts of a player's open and closed plays, and the bytes charged for them.
  package func playCounts(of player: PlayerID) throws(StoreError) -> PlayCounts {
    let row = try row(PlayRows.counts, [player.game, player.player])
    return try reading(UnreadableRow(.play, game: player.game, player: player.player)) {
      guard let row else { return PlayCounts() }
      return PlayCounts(open: Int(try row.integer(0)), closed: Int(try row.integer(1)), bytes: try row.integer(2))
    }
  }

  /// Returns the pinned values with a digest, in stored form; nil if no play has them.
  package func pinnedValues(_ digest: String) throws(StoreError) -> [UInt8]? {
    let row = try row(PlayRows.content, [digest])
    return try attempting { try row.map { Array(try $0.text(0).utf8) } }
  }

  /// Returns the state that the game stored with a play, as JSON; nil if there is none.
  package func playState(_ id: String, of player: PlayerID) throws(StoreError) -> [UInt8]? {
    let row = try row(PlayRows.state, [player.game, player.player, id])
    return row?.optionalText(0).map { Array($0.utf8) }
  }

  /// Returns the bytes charged to a user for plays: those of each play that the user opened, and those of the pinned values that the user
  /// was the first to store.
  package func playBytes(of uid: UInt32) throws(StoreError) -> Int64 {
    let row = try row(PlayRows.userBytes, [uid])
    return try attempting { try row?.integer(0) ?? 0 }
  }
}

extension WriteTransaction {
  /// Adds a play, and publishes it.
  /// - Parameters:
  ///   - values: The stored form of the values; equal values are stored once.
  ///   - pinned: The same values, decoded.
  package func add(_ play: StoredPlay, of player: PlayerID, values: [UInt8], pinning pinned: PinnedValues) throws(StoreError) {
    publish(.play(player, .opened(play, pinned)))
    let owner: Int64
    if let known = try ownerNumber(player) {
      owner = known
      try run(PlayRows.countOpened, [play.chargedBytes, owner])
    } else {
      try run(PlayRows.addOwner, [player.game, player.player, play.chargedBytes])
      owner = database.lastInsertedRowID
    }
    try run(
      PlayRows.add,
      [
        owner, play.id, play.openedAt.milliseconds, play.closedAt?.milliseconds, play.closedAtHost?.milliseconds, play.revision,
        play.keysCount, play.digest, play.bytesCount, play.uid, play.context.isEmpty ? nil : Value.object(play.context).stored,
      ])
    try charge(play.ownBytes, to: play.uid)
    if try run(PlayRows.use, [play.digest]) == 1 { return }
    try runRaw(PlayRows.addValues) { statement in
      statement.bind(play.digest)
      statement.bind(Int64(play.uid))
      statement.bind(Int64(values.count))
      statement.bind(text: values)
    }
    try charge(Int64(values.count), to: play.uid)
  }

  /// Closes an open play, and publishes it.
  /// - Parameter closed: The play with the instants of its closing.
  package func close(_ closed: StoredPlay, of player: PlayerID) throws(StoreError) {
    guard let owner = try ownerNumber(player), let at = closed.closedAt, let host = closed.closedAtHost else { return }
    guard try run(PlayRows.close, [at.milliseconds, host.milliseconds, owner, closed.id]) == 1 else { return }
    try run(PlayRows.countClosed, [owner])
    publish(.play(player, .closed(closed)))
  }

  /// Stores the state of a play, and charges its length in addition to the play's own bytes.
  package func set(state: [UInt8], ofPlay id: String, player: PlayerID) throws(StoreError) {
    guard let owner = try ownerNumber(player) else { return }
    let row = try row(PlayRows.stateSize, [owner, id])
    guard let row else { return }
    let (number, before, uid) = try attempting { (try row.integer(0), try row.integer(1), UInt32(clamping: try row.integer(2))) }
    try runRaw(PlayRows.setState) { statement in
      statement.bind(text: state)
      statement.bind(Int64(state.count))
      statement.bind(number)
    }
    let growth = Int64(state.count) - before
    if growth == 0 { return }
    try run(PlayRows.grow, [growth, owner])
    try charge(growth, to: uid)
  }

  /// Sets the instants of a player's plays that lie after `now` to `now`, and publishes the changed plays. A reset of a simulated clock
  /// needs this.
  /// - Returns: The changed plays.
  package func redatePlays(of player: PlayerID, to now: Instant) throws(StoreError) -> [StoredPlay] {
    guard let owner = try ownerNumber(player) else { return [] }
    let rows = try rows(PlayRows.after, [owner, now.milliseconds, now.milliseconds])
    var redated: [StoredPlay] = []
    for row in rows {
      let name = UnreadableRow(.play, game: player.game, player: player.player, name: row.optionalText(0))
      guard var play = try readable(name, { try PlayRows.play(row) }) else { continue }
      play.openedAt = min(play.openedAt, now)
      play.closedAt = play.closedAt.map { min($0, now) }
      let number = try attempting { try row.integer(10) }
      try run(
        PlayRows.redate, [play.openedAt.milliseconds, play.closedAt?.milliseconds, number])
      publish(.play(player, .redated(play)))
      redated.append(play)
    }
    return redated
  }

  /// Removes a player's oldest closed plays that are no longer retained. A closed play is retained up to the age
  /// ``PlayLimits/retentionMilliseconds`` or while it is among the newest ``PlayLimits/closedMax``, and only within
  /// ``PlayLimits/playerBytesMax``. Removes at most ``PlayLimits/droppedAtOnceMax``, and publishes them.
  /// - Returns: The ids of the removed plays.
  @discardableResult
  package func dropPlays(of player: PlayerID, host: Instant) throws(StoreError) -> [String] {
    guard let owner = try ownerNumber(player) else { return [] }
    var dropped: [String] = []
    while dropped.count < PlayLimits.droppedAtOnceMax {
      let counts = try playCounts(of: player)
      // Most players are below both limits, so no play is read for them.
      guard counts.bytes > PlayLimits.playerBytesMax || counts.closed > PlayLimits.closedMax else { break }
      let row = try row(PlayRows.firstClosed, [owner])
      guard let row else { break }
      let (number, stateBytes) = try attempting { (try row.integer(10), try row.integer(11)) }
      let name = UnreadableRow(.play, game: player.game, player: player.player, name: row.optionalText(0))
      guard let play = try readable(name, { try PlayRows.play(row) }), counts.lets(go: play, host: host) else { break }
      try run(PlayRows.countRemoved, [play.chargedBytes + stateBytes, owner])
      try remove(play, number, stateBytes: stateBytes)
      dropped.append(play.id)
    }
    if !dropped.isEmpty { publish(.play(player, .dropped(dropped))) }
    return dropped
  }

  /// Hides all plays of a player with one write: their owner loses its id. ``dropHiddenPlays(max:)`` removes the plays later.
  /// - Returns: The number of hidden plays.
  package func hidePlays(of player: PlayerID) throws(StoreError) -> Int {
    guard let owner = try ownerNumber(player) else { return 0 }
    let counts = try playCounts(of: player)
    try run(PlayRows.hide, [owner])
    return counts.open + counts.closed
  }

  /// Removes plays of forgotten players, at most `max`.
  /// - Returns: The number of removed plays; `max` if there may be more.
  package func dropHiddenPlays(max: Int) throws(StoreError) -> Int {
    var dropped = 0
    while dropped < max {
      guard let row = try row(PlayRows.hidden) else { break }
      let owner = try attempting { try row.integer(0) }
      let rows = try rows(PlayRows.some, [owner, max - dropped])
      if rows.isEmpty {
        try run(PlayRows.removeOwner, [owner])
        dropped += 1
      }
      for row in rows {
        let number = try attempting { try row.integer(10) }
        // An unreadable play is removed too, but the bytes charged for it are unknown and stay charged.
        if let play = try readable(UnreadableRow(.play), { try PlayRows.play(row) }) {
          try remove(play, number, stateBytes: try attempting { try row.integer(11) })
        } else {
          try run(PlayRows.remove, [number])
        }
      }
      dropped += rows.count
    }
    return dropped
  }

  private func ownerNumber(_ player: PlayerID) throws(StoreError) -> Int64? {
    let row = try row(PlayRows.owner, [player.game, player.player])
    return try attempting { try row?.integer(0) }
  }

  /// Removes a play's row, and its values if no other play refers to them.
  private func remove(_ play: StoredPlay, _ number: Int64, stateBytes: Int64) throws(StoreError) {
    try run(PlayRows.remove, [number])
    try charge(-play.ownBytes - stateBytes, to: play.uid)
    try run(PlayRows.release, [play.digest])
    guard let row = try row(PlayRows.unused, [play.digest]) else { return }
    let (uid, bytes) = try attempting { (UInt32(clamping: try row.integer(0)), try row.integer(1)) }
    try run(PlayRows.removeValues, [play.digest])
    try charge(-bytes, to: uid)
  }

  private func charge(_ bytes: Int64, to uid: UInt32) throws(StoreError) {
    if try run(PlayRows.charge, [bytes, uid]) == 1 { return }
    try run(PlayRows.addUser, [uid, bytes])
  }
}
