// Replaces the database by a backup or by a database built from the last good state.
import CSQLite
import GameConfCore
import Glibc

/// One replacement of the database. A thread of its own prepares it, and the writer's thread swaps the databases.
struct DatabaseRestoration: Sendable {
  private static let findingsMax = 10

  let file: DatabaseFile
  let shared: StoreMonitor
  let change: StoreRestoration
  let action: AuditAction

  var incoming: String { file.path + ".incoming" }

  /// Copies a backup beside the database, migrates it, and checks that it can be served.
  func prepare(from path: String) -> RestoreRefusal? {
    Self.remove(incoming)
    do throws(StateFault) {
      try Files.copy(path, to: incoming)
      // The latest commits may only be in the log.
      if file.identity(of: path + "-wal") != nil { try Files.copy(path + "-wal", to: incoming + "-wal") }
    } catch {
      Self.remove(incoming)
      return .store(error.failure.storeError)
    }
    return prepared { database in
      switch try StoreSchema.kind(of: database) {
      case .empty, .foreign: return .unfit("it is not a database of gameconfd")
      case .ours(let version) where version > StoreSchema.current.version:
        return .newer(version: version, known: StoreSchema.current.version)
      case .ours(let version):
        if let words = try SchemaComparison(schema: .current).difference(database, version: version) { return .unfit(words) }
        let findings = try database.texts("PRAGMA integrity_check(\(Self.findingsMax))").map(\.onOneLine)
        if findings != ["ok"] { return .unfit("it is damaged: \(findings.joined(separator: "; "))") }
        try StoreSchema.current.migrate(database, from: version)
        return try DatabaseInspection(database: database).fault().map(RestoreRefusal.unfit)
      }
    }
  }

  /// Creates a database from a last good state.
  func prepare(from state: StoredState) -> RestoreRefusal? {
    Self.remove(incoming)
    return prepared { database in
      try StoreSchema.current.migrate(database, from: 0)
      try transaction(database) { transaction in
        for kind in StateKinds.all { try kind.rebuild(state, in: transaction) }
      }
      return nil
    }
  }

  func discard() { Self.remove(incoming) }

  /// Raises the revisions of the new database, closes the old one, replaces it, opens the new one, and reports the result.
  func swap(_ writer: SQLiteWriter, _ keeper: LastGoodKeeper) -> Result<StoreReplacement, RestoreRefusal> {
    var lines: [AuditRecord] = []
    do {
      let connection = try file.connect(to: incoming)
      defer { connection.close() }
      try transaction(connection) { transaction in lines = try continueRevisions(transaction) }
    } catch {
      Self.remove(incoming)
      return .failure(.store(DatabaseFailure(error).storeError))
    }
    // A lost database is renamed as damaged, since its data may still be needed. A good one is renamed as replaced, and removed after a
    // time.
    let suffix = DatabaseCopies(file: file).freeSuffix(shared.isLost ? .damaged : .replaced, at: change.at)
    let isThere = file.identity() != nil
    writer.close()
    let opening = DatabaseOpening(file: file, known: nil, isKnownDamaged: false)
    do throws(StateFault) { try DatabaseSwap(file: file).decide(incoming, puttingAside: suffix) } catch {
      Self.remove(incoming)
      writer.adopt(opening.open())
      return .failure(.store(error.failure.storeError))
    }
    let (opened, undoneFor) = opening.openOrUndo(undoesLater: true)
    writer.adopt(opened)
    if let undoneFor {
      return .failure(.store(.failed("the new database cannot be opened (\(undoneFor)), so the previous one is in its place again")))
    }
    if let closed = shared.closed { return .failure(.store(closed)) }
    try? DatabaseCopies(file: file).dropReplaced(now: change.at)
    let contents = shared.contents
    keeper.noteChange()
    keeper.save()
    writer.publish([.replaced(contents)] + lines.map(StoreChange.audited))
    return .success(StoreReplacement(contents: contents, asidePath: isThere ? file.path + suffix : nil))
  }

  /// Raises every revision above the served ones: those of games, override slots and players. If the database was lost, the revisions of
  /// its last second may be unknown, so the new ones leave a gap.
  /// - Returns: The audit lines of the replacement.
  private func continueRevisions(_ transaction: WriteTransaction) throws -> [AuditRecord] {
    let served = shared.served
    let gap = shared.isLost ? StoreLimits.revisionGapAfterLoss : 0
    let stored = try transaction.revisions()
    var revisions: [String: Int64] = [:]
    for game in Set(served.revisions.keys).union(stored.keys) {
      let revision = max(served.revisions[game] ?? 0, stored[game] ?? 0) + gap + 1
      revisions[game] = revision
      try transaction.run(RevisionRows.raiseGame, [game, revision])
      try transaction.run(RevisionRows.setSlots, [revision, game])
    }
    for slot in served.slots {
      try transaction.setRevision(revisions[slot.game] ?? gap + 1, at: slot)
    }
    for overrides in try transaction.overrides() {
      try transaction.setRevision(revisions[overrides.slot.game] ?? gap + 1, at: overrides.slot)
    }
    let players =
      max(served.playerRevisionMax, try transaction.number(RevisionRows.playerMax), try transaction.number(RevisionRows.playerFloor)) + gap
      + 1
    try transaction.setNumber(players, RevisionRows.playerFloor)
    try transaction.setNumber(Int64.random(in: .min ... .max), RevisionRows.epoch)
    // The time of another host's clock does not apply to this host.
    try transaction.see(host: nil)
    // Each game's audit log gets a line.
    return try revisions.sorted { $0.key < $1.key }.map { game, revision in
      var line = AuditRecord(at: change.at, author: change.author, action: action, game: game, reason: change.reason)
      line.revision = revision
      line.detail = change.file.map { ["file": .string($0)] }
      return try transaction.append(line)
    }
  }

  private func prepared(_ body: (SQLiteConnection) throws -> RestoreRefusal?) -> RestoreRefusal? {
    do {
      let connection = try file.connect(to: incoming)
      defer { connection.close() }
      try connection.execute("PRAGMA journal_mode = DELETE")
      let refusal = try body(connection)
      if refusal != nil { Self.remove(incoming) }
      return refusal
    } catch {
      Self.remove(incoming)
      let failure = DatabaseFailure(error)
      if failure.kind == .damaged { return .unfit("it is damaged: \(failure.message)") }
      return Self.isOfContents(failure) ? .unfit("its rows cannot be read: \(failure.storeError)") : .store(failure.storeError)
    }
  }

  /// True if a statement failed because of the rows, such as a violated constraint or an overflow of a sum.
  private static func isOfContents(_ failure: DatabaseFailure) -> Bool {
    guard let code = failure.primaryCode else { return false }
    return [SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG].contains(code)
  }

  private func transaction(_ database: SQLiteConnection, _ body: (WriteTransaction) throws -> Void) throws {
    try database.execute("BEGIN IMMEDIATE")
    let transaction = WriteTransaction(database, floors: ReadTransaction.RevisionFloors())
    do {
      try body(transaction)
      try database.execute("COMMIT")
    } catch {
      if database.isInsideTransaction { try? database.execute("ROLLBACK") }
      throw transaction.failure ?? error
    }
  }

  static func failure(_ code: Int32) -> DatabaseFailure { Files.fault(code, "", "cannot be written").failure }

  /// The prefix of the names of temporary copies, unlike any name that a person chooses.
  private static let passing = ".gameconfd-passing-"

  /// Creates an empty file, which only this user can read, for a temporary copy of the database; nil with `errno` if that fails.
  static func passingPath(beside path: String) -> String? {
    var template = Array("\(Files.parent(of: path) ?? ".")/\(passing)XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return nil }
    close(descriptor)
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Removes an unused database with its log and shared memory files.
  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// Removes temporary copies that a killed daemon left.
  static func removeLeftovers(in directory: String, database: String) {
    remove(database + ".incoming")
    for name in (try? Files.names(in: directory)) ?? [] where name.hasPrefix(passing) { unlink(directory + "/" + name) }
  }
}
