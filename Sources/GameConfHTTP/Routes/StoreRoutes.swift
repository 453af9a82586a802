// The routes that check, back up and restore the database while the daemon runs.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer
internal import Glibc

struct StoreRoutes {
  /// The maximum size of a backup to restore, in bytes: 16 GiB.
  static let restoreBytesMax = 16 << 30
  let services: DaemonServices
  let administration: any StoreAdministration

  var routes: [CallRoute] {
    [
      CallRoute(Calls.storeCheck) { _ in
        .task { () async throws(Problem) in
          do throws(StoreError) {
            let check = try await administration.check()
            return .ok(StoreCheckAnswer(isWhole: check.isGood, faults: check.findings))
          } catch { throw Problem(error) }
        }
      },
      CallRoute(streaming: Calls.storeBackup) { _ in
        .streamTask { () async throws(Problem) in
          do throws(StoreError) {
            let copy = BackupFile(try await administration.backup())
            let head = Answer(contentType: "application/vnd.sqlite3", body: [])
            return StreamedAnswer(head, contentLength: Int(copy.bytesCount), produce: { try await copy.send(to: $0) })
          } catch { throw Problem(error) }
        }
      },
      CallRoute(Calls.storeCopies) { _ in
        .task { () async throws(Problem) in
          do throws(StoreError) { return .ok(StoreCopiesAnswer(copies: try await administration.copies().map(\.wire))) } catch {
            throw Problem(error)
          }
        }
      },
      CallRoute(Calls.storeCopyRemove) { call in
        let (name, isDryRun) = (call.path("name"), call.flag(.dryRun))
        return .task { () async throws(Problem) in
          do throws(StoreError) {
            if isDryRun {
              return .ok(StoreCopiesAnswer(copies: try await administration.copies().filter { $0.name == name }.map(\.wire)))
            }
            _ = try await administration.removeCopy(named: name)
            return .noContent()
          } catch { throw Problem(error) }
        }
      },
      CallRoute(Calls.storeRestore, streamedBytesMax: Self.restoreBytesMax) { call, body async throws(Problem) in
        try await restore(call, body)
      },
    ]
  }

  private func restore(_ call: CallContext<NoBody>, _ body: IncomingBody) async throws(Problem) -> TypedAnswer<StoreRestoreAnswer> {
    let context = try call.change(about: nil, reason: nil, now: services.clock.now)
    var change = StoreRestoration(
      author: context.author, reason: context.reason, at: context.now, isDryRun: context.isDryRun, file: call.text(.file))
    if call.flag(.rebuild) {
      guard try await body.next() == nil else {
        throw .query(.malformedQueryParameter, "rebuild", "rebuild makes a database from last-good.json; leave out the body.")
      }
      return try await restore(nil, change, call.request)
    }
    if let name = call.text(.copy) {
      guard try await body.next() == nil else {
        throw .query(
          .malformedQueryParameter, "copy",
          "copy names a database beside the one in use; leave out the body.")
      }
      change.file = name
      return try await restore(try await copy(name), change, call.request)
    }
    let path: String
    do throws(StoreError) { path = try administration.makePlaceForBackup() } catch { throw Problem(error) }
    defer { for suffix in ["", "-wal"] { unlink(path + suffix) } }
    try await receive(body, into: path)
    if let count = call.number(.logBytes) { try splitLog(path, String(count)) }
    return try await restore(path, change, call.request)
  }

  /// Returns the path of the copy of the database with this name.
  private func copy(_ name: String) async throws(Problem) -> String {
    let copies: [StoreCopy]
    do throws(StoreError) { copies = try await administration.copies() } catch { throw Problem(error) }
    guard let copy = copies.first(where: { $0.name == name }) else {
      throw Problem(.unknownID, "No copy beside the database is called “\(name)”. GET /v1/store/copies lists them.")
    }
    return copy.path
  }

  /// Splits an uploaded backup into the database and the write-ahead log that follows it.
  private func splitLog(_ path: String, _ text: String) throws(Problem) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.unwritten(errno) }
    guard let bytes = Int(text), bytes >= 0, bytes < status.st_size else {
      throw .query(.malformedQueryParameter, "log_bytes", "log_bytes must be less than the body's length.")
    }
    let source = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard source >= 0 else { throw Self.unwritten(errno) }
    defer { close(source) }
    let log = open(path + "-wal", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard log >= 0 else { throw Self.unwritten(errno) }
    defer { close(log) }
    var at = off_t(status.st_size) - off_t(bytes)
    let end = at
    while at < off_t(status.st_size) {
      let count = sendfile(log, source, &at, status.st_size - Int(at))
      guard count > 0 else { throw Self.unwritten(count < 0 ? errno : EIO) }
    }
    guard ftruncate(source, end) == 0 else { throw Self.unwritten(errno) }
  }

  private func receive(_ body: IncomingBody, into path: String) async throws(Problem) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw Self.unwritten(errno) }
    defer { close(descriptor) }
    while let piece = try await body.next() {
      var rest = piece[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Self.unwritten(errno) }
        rest = rest.dropFirst(count)
      }
    }
  }

  private static func unwritten(_ code: Int32) -> Problem {
    switch code {
    case ENOSPC, EDQUOT:
      Problem(.noSpace, "The backup does not fit beside the database: it needs its own size twice in the state directory. Make space.")
    default: Problem(.storeUnavailable, "The backup cannot be written into the state directory: \(String(cString: strerror(code)))")
    }
  }

  private func restore(_ path: String?, _ change: StoreRestoration, _ request: Request) async throws(Problem) -> TypedAnswer<
    StoreRestoreAnswer
  > {
    do throws(RestoreRefusal) {
      let replacement = try await RestoreStore(store: services.store, administration: administration, checking: services.checking)
        .replace(from: path, by: change)
      // The database works again, so catalogs that could not be put in force are reloaded. The reload reports their faults itself.
      if !change.isDryRun, await services.reload.isIncomplete { _ = try? await services.reload(now: change.at, because: .again) }
      let games = request.served.world.games.map { game in
        GameSummary(game: game.game, title: game.catalog.title, revision: replacement.contents.state.revisions[game.game] ?? game.revision)
      }
      var answer = StoreRestoreAnswer(games: games, putAside: replacement.asidePath, isDryRun: change.isDryRun)
      answer.newestAt = replacement.comparison?.newestAt
      answer.lostAuditLines = replacement.comparison?.lostAuditLines
      answer.lostPlayers = replacement.comparison?.lostPlayers
      answer.revisionsRaisedBy = replacement.revisionsRaisedBy
      return .ok(answer)
    } catch {
      switch error {
      case .unfit(let words):
        throw Problem(.backupRefused, "The file cannot be restored: \(words). Nothing was changed.")
      case .newer(let version, let known):
        throw Problem(.backupRefused, "The backup is of version \(version), this daemon knows \(known); install the newer gameconfd first.")
      case .nothingLost: throw Problem(.backupRefused, "The database is not lost, so it is not rebuilt; restore a backup instead.")
      case .noLastGood: throw Problem(.backupRefused, "There is no last-good.json to rebuild the database from; restore a backup.")
      case .store(let error): throw Problem(error)
      }
    }
  }
}

extension StoreCopy {
  var wire: WireStoreCopy { WireStoreCopy(name: name, kind: kind.rawValue, at: at, bytes: bytesCount, path: path) }
}

/// A temporary copy of the database that is sent to a client. The file is removed when the object is deallocated.
private final class BackupFile: Sendable {
  private static let pieceBytes = 256 << 10
  private let path: String
  let bytesCount: Int64

  init(_ backup: StoreBackup) {
    path = backup.path
    bytesCount = backup.bytesCount
  }

  deinit { unlink(path) }

  func send(to writer: StreamWriter) async throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Problem(.storeUnavailable, "The copy cannot be read: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: Self.pieceBytes)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return }
      guard count > 0 else { throw Problem(.storeUnavailable, "The copy cannot be read: \(String(cString: strerror(errno)))") }
      try await writer.write(Array(buffer[..<count]))
    }
  }
}
