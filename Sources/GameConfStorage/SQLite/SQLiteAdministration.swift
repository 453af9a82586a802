// Checks, copies and restores the database while the daemon runs.
import Glibc

extension SQLiteStore {
  private static let findingsMax = 100
  private static let checkNiceness: Int32 = 19

  /// Reads the whole database on a thread and a connection of its own, and cancels the read when the write-ahead log has become too long.
  private func readingLong<Answer: Sendable>(
    logBytesMax: Int64, _ body: @escaping @Sendable (SQLiteConnection, WholeDatabaseRead) throws -> Answer
  ) async throws(StoreError) -> Answer {
    if let closed = shared.closed { throw closed }
    let read = WholeDatabaseRead(logBytesMax: logBytesMax)
    enqueueForWriter { $0.begins(read) }
    defer { enqueueForWriter { $0.ended(read) } }
    let outcome = await WorkerThread.run { [readers] () -> Result<Answer, DatabaseFailure> in
      do {
        let answer = try readers.withConnection { connection in
          read.reads(connection)
          return try body(connection, read)
        }
        return answer.map(Result.success) ?? .failure(.failing("the database is not open"))
      } catch { return .failure(DatabaseFailure(error)) }
    }
    switch outcome {
    case .none: throw .failed("no thread could be started to read the database")
    case .success(let answer): return answer
    case .failure where read.isGivenUp:
      throw .unavailable(
        "more than \(logBytesMax >> 20) MiB were written while the whole database was read; gameconfd reads it again when less is written")
    case .failure(let failure) where failure.kind == .damaged:
      _ = try await command { $0.meet(failure) }
      throw shared.closed ?? .failed("the database seemed damaged (\(failure.message)), but a second check found no fault")
    case .failure(let failure): throw failure.storeError
    }
  }

  /// Checks the file's header and length, and whether a failure is over.
  public func look() async throws(StoreError) { try await command { $0.checkRecovery() } }

  /// Runs SQLite's quick check on a connection of its own.
  public func check() async throws(StoreError) -> StoreCheck {
    let began = shared.now()
    let found = try await readingLong(logBytesMax: StoreLimits.logBytesDuringCheckMax) { connection, _ in
      // The check reads everything and no player waits for it, so it runs at the lowest priority.
      _ = nice(Self.checkNiceness)
      return try connection.texts("PRAGMA quick_check(\(Self.findingsMax))").map(\.onOneLine)
    }
    let ended = shared.now()
    let check = StoreCheck(
      at: ended, durationMilliseconds: ended.milliseconds - began.milliseconds, findings: found == ["ok"] ? [] : found)
    shared.noteCheck(check)
    if let first = check.findings.first { _ = try await command { $0.meet(.damaged(first)) } }
    return check
  }

  /// Copies the database with SQLite's online backup.
  public func backup() async throws(StoreError) -> StoreBackup {
    guard let path = DatabaseRestoration.passingPath(beside: file.path) else { throw DatabaseRestoration.failure(errno).storeError }
    do throws(StoreError) {
      try await readingLong(logBytesMax: StoreLimits.logBytesDuringBackupMax) { [file] connection, read in
        let copy = try file.connect(to: path)
        defer { copy.close() }
        try connection.backup(to: copy) { !read.isGivenUp }
      }
      guard let bytes = file.identity(of: path)?.bytesCount else { throw .failed("the copy was removed while it was made") }
      return StoreBackup(path: path, bytesCount: bytes)
    } catch {
      DatabaseRestoration.remove(path)
      throw error
    }
  }

  /// Copies the database into a file beside it, and removes the copies of this kind except the newest three.
  public func keepCopy(_ kind: StoreCopy.Kind) async throws(StoreError) -> StoreCopy {
    let made = try await backup()
    let now = shared.now()
    return try await copying { copies throws(StateFault) in
      do throws(StateFault) { return try copies.keep(made.path, as: kind, at: now) } catch {
        DatabaseRestoration.remove(made.path)
        throw error
      }
    }
  }

  /// Creates an empty file beside the database, for an incoming backup.
  public func makePlaceForBackup() throws(StoreError) -> String {
    guard let path = DatabaseRestoration.passingPath(beside: file.path) else { throw DatabaseRestoration.failure(errno).storeError }
    return path
  }

  /// Returns the copies beside the database.
  public func copies() async throws(StoreError) -> [StoreCopy] {
    try await copying { copies throws(StateFault) in try copies.list() }
  }

  /// Removes a copy and its log; false if no copy has the name.
  public func removeCopy(named name: String) async throws(StoreError) -> Bool {
    try await copying { copies throws(StateFault) in try copies.remove(name) }
  }

  /// Removes databases that restores have replaced, except the newest three of the last 30 days.
  public func dropReplacedCopies() async throws(StoreError) {
    try await copying { [shared] copies throws(StateFault) in try copies.dropReplaced(now: shared.now()) }
  }

  private func copying<Answer: Sendable>(
    _ body: @escaping @Sendable (DatabaseCopies) throws(StateFault) -> Answer
  ) async throws(StoreError) -> Answer {
    let outcome = await WorkerThread.run { [file] () -> Result<Answer, StateFault> in
      Result { () throws(StateFault) in try body(DatabaseCopies(file: file)) }
    }
    switch outcome {
    case .none: throw .failed("no thread could be started to look at the copies")
    case .success(let answer): return answer
    case .failure(let fault): throw fault.failure.storeError
    }
  }

  /// Replaces the database by a checked backup.
  public func restore(from path: String, by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement {
    try await replace(by: change, action: .storeRestored) { $0.prepare(from: path) }
  }

  /// Replaces a lost database by one built from the last good state.
  public func rebuild(by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement {
    guard shared.isLost else { throw .nothingLost }
    guard let state = shared.lastGood()?.state else { throw .noLastGood }
    return try await replace(by: change, action: .storeRebuilt) { $0.prepare(from: state) }
  }

  private func replace(
    by change: StoreRestoration, action: AuditAction, preparing prepare: @escaping @Sendable (DatabaseRestoration) -> RestoreRefusal?
  ) async throws(RestoreRefusal) -> StoreReplacement {
    guard beginReplacing() else { throw .store(.unavailable("another restore is running; wait until it ends")) }
    defer { endReplacing() }
    let restoration = DatabaseRestoration(file: file, shared: shared, change: change, action: action)
    guard let refusal = await WorkerThread.run({ prepare(restoration) }) else {
      throw .store(.failed("no thread could be started to restore"))
    }
    if let refusal { throw refusal }
    if change.isDryRun {
      let comparison = await WorkerThread.run { restoration.comparison() }
      restoration.discard()
      return StoreReplacement(contents: shared.contents, comparison: comparison)
    }
    let raisedBy = shared.isLost ? StoreLimits.revisionGapAfterLoss : nil
    let swapped: Result<StoreReplacement, RestoreRefusal>
    do throws(StoreError) {
      swapped = try await command { [keeper] writer in restoration.swap(writer, keeper) }
    } catch { throw .store(error) }
    var replacement = try swapped.get()
    replacement.revisionsRaisedBy = raisedBy
    return replacement
  }
}
