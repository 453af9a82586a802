// Opens the database at the start, after a restore, and after a temporary failure.
import GameConfCore
import Glibc

/// The result of opening the database.
enum OpenOutcome {
  case open(SQLiteConnection, StoredState, playerFloor: Int64, unreadable: [UnreadableRow])
  /// The database cannot be used. A damaged one is renamed.
  case lost(String, isDamaged: Bool)
  /// A newer gameconfd wrote the database. The file is intact and is not renamed, so that the newer version can use it.
  case newer(String)
  /// The database cannot be used now, but possibly later.
  case later(DatabaseFailure)
}

struct DatabaseOpening {
  let file: DatabaseFile
  /// The minimum state that the database must have: the last good state, or its state when it was last open; nil if there is neither.
  var known: StoredState?
  /// True if a last good state exists but cannot be read.
  let isKnownDamaged: Bool
  /// True if this process had a database open, so that a missing one is a loss even without a last good state.
  var wasOpen = false
  var schema = StoreSchema.current
  var migrating: @Sendable (StoreMigration) -> Void = { _ in }
  /// Waits between the attempt that finds damage and the one that confirms it.
  var pauses = Self.pausing(StoreTiming().secondLook)

  static let advice =
    "restore a backup with “gameconfctl store restore”, or rebuild it from last-good.json, without players, with “gameconfctl store restore --rebuild”"

  /// Returns a closure that sleeps for a time.
  static func pausing(_ milliseconds: Int) -> @Sendable () -> Void {
    { StoreTiming.pause(milliseconds: milliseconds) }
  }

  /// Opens the database. If it has just replaced another database and cannot be opened, the other one is put back.
  /// - Parameter isChecked: True to check the whole database at the first attempt too.
  func open(isChecked: Bool = false) -> OpenOutcome { openOrUndo(isChecked: isChecked).opened }

  /// Opens the database, or swaps back the one that it has replaced.
  /// - Parameter undoesLater: True to swap back after a temporary failure too.
  /// - Returns: The outcome, and the failure for which the databases were swapped back.
  func openOrUndo(isChecked: Bool = false, undoesLater: Bool = false) -> (opened: OpenOutcome, undoneFor: String?) {
    let swap = DatabaseSwap(file: file)
    let opened = openLookingTwice(isChecked: isChecked)
    do throws(StateFault) {
      switch opened {
      case .open(let connection, _, _, _):
        do throws(StateFault) { try swap.confirm() } catch {
          connection.close()
          throw error
        }
      case .lost(let words, _), .newer(let words):
        if try swap.undo() { return (openLookingTwice(isChecked: isChecked), words) }
      case .later(let failure):
        if undoesLater, try swap.undo() { return (openLookingTwice(isChecked: isChecked), "\(failure.storeError)") }
      }
    } catch { return (.later(error.failure), nil) }
    return (opened, nil)
  }

  /// Opens the database. Apparent damage is only reported if a second attempt after a pause, with a check of the whole file, confirms it.
  private func openLookingTwice(isChecked: Bool) -> OpenOutcome {
    let first = openOnce(isChecked: isChecked)
    guard case .lost(_, isDamaged: true) = first else { return first }
    if let failure = file.unreadable() { return .later(failure) }
    pauses()
    let second = openOnce(isChecked: true)
    if case .lost(_, isDamaged: true) = second, let failure = file.unreadable() { return .later(failure) }
    return second
  }

  private func openOnce(isChecked: Bool) -> OpenOutcome {
    if let failure = file.unreachable() { return .later(failure) }
    do {
      try DatabaseSwap(file: file).finish()
      if (file.identity()?.bytesCount ?? 0) == 0 {
        if let loss = lossWithoutFile() { return .lost(loss, isDamaged: true) }
        if file.identity() == nil { try file.create() }
      }
      file.mendRights()
      return try openFile(isChecked: isChecked)
    } catch {
      let failure = DatabaseFailure(error)
      switch failure.kind {
      case .damaged: return .lost("the database is damaged (\(failure.message)); \(Self.advice)", isDamaged: true)
      case .noSpace: return .later(failure)
      default: return .later(file.unwritable() ?? failure)
      }
    }
  }

  /// Returns the reason why a missing file means a loss; nil if a new database is fine.
  private func lossWithoutFile() -> String? {
    let isMissing = file.identity() == nil
    let what = isMissing ? "is missing" : "is empty"
    if wasOpen { return "the database \(what); \(Self.advice)" }
    if let known, !known.overrides.isEmpty || known.playerRevisionMax > 0 || known.revisions.values.contains(where: { $0 > 0 }) {
      return "the database \(what), and last-good.json was written from one; \(Self.advice)"
    }
    if isKnownDamaged {
      return "the database \(what), and last-good.json cannot be read; to begin with an empty store, move last-good.json away and restart"
    }
    return nil
  }

  private func openFile(isChecked: Bool) throws -> OpenOutcome {
    let database = try file.connect()
    switch try StoreSchema.kind(of: database) {
    case .foreign: return .lost("the database file is not gameconfd's; move it away, then \(Self.advice)", isDamaged: false)
    case .ours(let version) where version > schema.version:
      return .newer(
        "the database was written by a newer gameconfd (version \(version), this one knows \(schema.version)); run that version. Nothing was moved"
      )
    case .ours(let version):
      if let words = try SchemaComparison(schema: schema).difference(database, version: version) {
        return .lost("the database was changed by another program: \(words); \(Self.advice)", isDamaged: false)
      }
      if version < schema.version { try copyBeforeMigration(of: database, version: version) }
      try database.execute("PRAGMA journal_mode = WAL")
      try schema.migrate(database, from: version) { migrating(StoreMigration(from: version, to: schema.version, step: $0)) }
    case .empty:
      try database.execute("PRAGMA journal_mode = WAL")
      try schema.migrate(database, from: 0)
    }
    if isChecked, let finding = try database.texts("PRAGMA quick_check(1)").first, finding != "ok" {
      throw DatabaseFailure.damaged(finding)
    }
    // Each database gets an epoch once; a restored one has already got a new one.
    if try database.integer("SELECT count(*) FROM numbers WHERE name = '\(RevisionRows.epoch)'") == 0 {
      try database.execute("INSERT INTO numbers (name, number) VALUES ('\(RevisionRows.epoch)', \(Int64.random(in: .min ... .max)))")
    }
    var unreadable: [UnreadableRow] = []
    var (state, playerFloor) = try StoredState.loaded(from: database) { unreadable.append($0) }
    if let behind = behind(state) { return .lost(behind, isDamaged: false) }
    // Override windows that began or ended while the database could not be written raised players' revisions, which only the last good
    // state has.
    if let known, known.playerRevisionMax > state.playerRevisionMax {
      playerFloor = known.playerRevisionMax
      state.playerRevisionMax = playerFloor
    }
    return .open(database, state, playerFloor: playerFloor, unreadable: unreadable)
  }

  /// Returns why the database is stale; nil if it is not. A database that has less than was served lacks acknowledged writes.
  private func behind(_ state: StoredState) -> String? {
    for (game, revision) in (known?.revisions ?? [:]).sorted(by: { $0.key < $1.key }) where (state.revisions[game] ?? 0) < revision {
      return """
        the database knows '\(game)' up to revision \(state.revisions[game] ?? 0), and \(revision) was served: changes are lost; put back the \
        newer database if you have it, else \(Self.advice). The present file stays on disk
        """
    }
    return nil
  }

  private func copyBeforeMigration(of database: SQLiteConnection, version: Int) throws {
    migrating(StoreMigration(from: version, to: schema.version, step: 0))
    let copy = "\(file.path).\(StoreCopy.Kind.beforeVersion.rawValue)-\(schema.version)"
    unlink(copy)
    try file.create(copy)
    let target = try file.connect(to: copy)
    defer { target.close() }
    try database.backup(to: target)
  }
}
