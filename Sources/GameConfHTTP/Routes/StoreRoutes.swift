// The database: checked, copied out and brought back while the daemon runs.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import Glibc

/// The calls about the database.
struct StoreRoutes {
  /// How many bytes a backup that is brought back may have: 16 GiB.
  static let restoreBytesMax = 16 << 30
  private static let pieceBytes = 256 << 10

  let services: DaemonServices
  let administration: any StoreAdministration

  var routes: [Route] {
    [
      Route(Endpoints.storeCheck.id) { request throws(Problem) in
        try request.role.require(.admin, to: "check the database")
        return .task { () async throws(Problem) in
          do throws(StoreError) {
            let check = try await administration.check()
            return .json(StoreCheckAnswer(isWhole: check.isGood, faults: check.findings).wire)
          } catch { throw Problem(error) }
        }
      },
      Route(Endpoints.storeBackup.id) { request throws(Problem) in
        try request.role.require(.admin, to: "copy the database: it holds secrets and players")
        let head = Answer(contentType: "application/vnd.sqlite3", body: [])
        return .stream(StreamedAnswer(head, produce: { try await backup(to: $0) }))
      },
      Route(Endpoints.storeRestore.id, streamedBytesMax: Self.restoreBytesMax) { request, body async throws(Problem) in
        try await restore(request, body)
      },
    ]
  }

  private func backup(to writer: StreamWriter) async throws {
    let copy = try await administration.backup()
    defer { unlink(copy.path) }
    let descriptor = open(copy.path, O_RDONLY | O_CLOEXEC)
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

  private func restore(_ request: Request, _ body: IncomingBody) async throws(Problem) -> Answer {
    try request.role.require(.admin, to: "bring the database back")
    if try request.flag("dry_run") {
      throw Problem(
        .malformedQueryParameter, "A restore cannot be tried without doing it; the backup is checked before anything is replaced.",
        pointer: "dry_run")
    }
    var template = Array("/tmp/gameconfd-restore.XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Problem(.noSpace, "There is no place for the backup in /tmp: \(String(cString: strerror(errno)))") }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer {
      close(descriptor)
      unlink(path)
    }
    while let piece = try await body.next() {
      var rest = piece[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 else { throw Problem(.noSpace, "The backup does not fit into /tmp: \(String(cString: strerror(errno)))") }
        rest = rest.dropFirst(count)
      }
    }
    let change = StoreRestoration(author: request.author, reason: request.query("reason"), at: services.clock.now)
    do throws(RestoreRefusal) {
      let contents = try await administration.restore(from: path, by: change)
      let games = request.served.world.games.map { game in
        GameSummary(game: game.game, title: game.catalog.title, revision: contents.revisions[game.game] ?? game.revision)
      }
      return .json(StoreRestoreAnswer(games: games, putAside: services.store.health.asidePath).wire)
    } catch {
      switch error {
      case .unfit(let words):
        throw Problem(.backupRefused, "The file is no backup that can be brought back: \(words). Nothing has changed.")
      case .newer(let version, let known):
        throw Problem(.backupRefused, "The backup is of version \(version), this daemon knows \(known); install the newer gameconfd first.")
      case .nothingLost, .noLastGood: throw Problem(.backupRefused, "There is nothing to rebuild from.")
      case .store(let error): throw Problem(error)
      }
    }
  }
}
