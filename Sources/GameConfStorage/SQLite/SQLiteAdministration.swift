// Checking, copying and bringing back the database beside the running daemon.
public import GameConfEngine
import Glibc

extension SQLiteStore {
  private static let findingsMax = 100
  private static let checkNiceness: Int32 = 19

  /// Reads the whole database on a thread of its own.
  private func readingLong<Answer: Sendable>(_ body: @escaping @Sendable () -> Answer) async -> Answer? {
    tellWriter { $0.longReadBegins() }
    defer { tellWriter { $0.longReadEnded() } }
    return await WorkerThread.run(body)
  }

  /// Looks at the file's beginning and length.
  public func look() async throws(StoreError) { try await command { $0.look() } }

  /// Runs SQLite's quick check over a connection of its own.
  public func check() async throws(StoreError) -> StoreCheck {
    if let closed = shared.closed { throw closed }
    let outcome = await readingLong { [readers, shared] () -> Result<StoreCheck, Trouble> in
      // It reads everything, and nobody waits for it: whoever plays goes first.
      _ = nice(Self.checkNiceness)
      let began = shared.now()
      do {
        let found = try readers.withConnection { connection in
          try connection.texts("PRAGMA quick_check(\(Self.findingsMax))")
        }
        guard let found else { return .failure(.failing("the database is not open")) }
        let ended = shared.now()
        return .success(
          StoreCheck(at: ended, durationMilliseconds: ended.milliseconds - began.milliseconds, findings: found == ["ok"] ? [] : found))
      } catch { return .failure(Trouble(error)) }
    }
    switch outcome {
    case .none: throw .failed("no thread could be started to check")
    case .failure(.damaged(let words)):
      _ = try await command { $0.meet(.damaged(words)) }
      throw shared.error
    case .failure(let trouble): throw trouble.storeError
    case .success(let check):
      shared.noteCheck(check)
      if let first = check.findings.first { _ = try await command { $0.meet(.damaged(first)) } }
      return check
    }
  }

  /// Copies the database by SQLite's online backup.
  public func backup() async throws(StoreError) -> StoreBackup {
    if let closed = shared.closed { throw closed }
    let outcome = await readingLong { [readers, file] () -> Result<StoreBackup, Trouble> in
      guard let path = Restoration.backupPath(beside: file.path) else { return .failure(Restoration.trouble(errno)) }
      do {
        let isDone: Void? = try readers.withConnection { connection in
          let copy = try file.connect(to: path)
          defer { copy.close() }
          try connection.backup(to: copy)
        }
        guard isDone != nil, let bytes = file.identity(of: path)?.bytesCount else { throw Trouble.failing("the database is not open") }
        return .success(StoreBackup(path: path, bytesCount: bytes))
      } catch {
        Restoration.remove(path)
        return .failure(Trouble(error))
      }
    }
    switch outcome {
    case .none: throw .failed("no thread could be started to copy")
    case .failure(let trouble): throw trouble.storeError
    case .success(let backup): return backup
    }
  }

  /// Makes a file like those of copies on their way out.
  public func makePlaceForBackup() throws(StoreError) -> String {
    guard let path = Restoration.backupPath(beside: file.path) else { throw Restoration.trouble(errno).storeError }
    return path
  }

  /// Puts a checked backup in the database's place.
  public func restore(from path: String, by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement {
    try await replace(by: change, action: .storeRestored) { $0.prepare(from: path) }
  }

  /// Puts a database made of the last good state in the lost one's place.
  public func rebuild(by change: StoreRestoration) async throws(RestoreRefusal) -> StoreReplacement {
    guard shared.isLost else { throw .nothingLost }
    guard let state = shared.lastGood() else { throw .noLastGood }
    return try await replace(by: change, action: .storeRebuilt) { $0.prepare(from: state) }
  }

  private func replace(
    by change: StoreRestoration, action: AuditAction, preparing prepare: @escaping @Sendable (Restoration) -> RestoreRefusal?
  ) async throws(RestoreRefusal) -> StoreReplacement {
    guard beginReplacing() else { throw .store(.unavailable("another restore is under way; wait for its end")) }
    defer { endReplacing() }
    let restoration = Restoration(file: file, shared: shared, change: change, action: action)
    guard let refusal = await WorkerThread.run({ prepare(restoration) }) else {
      throw .store(.failed("no thread could be started to restore"))
    }
    if let refusal { throw refusal }
    if change.isDryRun {
      restoration.discard()
      return StoreReplacement(contents: shared.contents)
    }
    let swapped: Result<StoreReplacement, RestoreRefusal>
    do throws(StoreError) {
      swapped = try await command { [keeper] writer in restoration.swap(writer, keeper) }
    } catch { throw .store(error) }
    return try swapped.get()
  }
}
