// gameconfctl store restore

import ArgumentParser
import GameConfAPI
import GameConfTransport
import Glibc

struct StoreRestore: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace the database with a backup; the previous database is moved aside.",
    discussion: """
      FILE is a backup, or a name that “gameconfctl store copies” lists, to undo a wrong restore. --dry-run checks it and prints its age \
      and what would be lost.
      Without a backup, --rebuild makes a database from last-good.json: it has every override, and an empty audit log.
      Revisions go on above those that were served. If the database was lost they jump by 100000, because the last served one may be unknown.
      """)

  @Argument(help: "The backup, or the name of a copy; leave it out with --rebuild.", completion: .file()) var file: String?
  @Flag(help: "Rebuild a lost database from last-good.json.") var rebuild = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (file == nil) == rebuild else { throw ValidationError("Give either a backup or --rebuild.") }
  }

  func run(on console: Console) async throws {
    let source = try await source(console)
    if !change.dryRun {
      try console.screen.confirm(
        "Put \(source.words) in place of the database, with every override and the audit log?", isAgreed: change.agreement.yes)
    }
    let progress = Progress("restoring", total: source.upload?.length, on: console.screen)
    defer { progress.stop() }
    let reply = try await console.daemon.upload(
      Calls.storeRestore, query: source.query, body: source.upload?.body(progress) ?? .none, change: change,
      timeoutSeconds: max(console.daemon.timeoutSeconds, StoreGroup.patienceSeconds))
    progress.stop()
    console.show(reply.value) {
      for line in Self.lines(reply.answer, rebuilt: rebuild) { console.screen.say(line) }
      // A dry run leaves the games unchanged, so their list is not shown.
      if !change.dryRun { console.screen.show(GamesList.table(GamesAnswer(games: reply.answer.games))) }
    }
  }

  /// The data that replaces the daemon's database.
  private struct RestoreSource {
    let words: String
    let query: [(String, String)]
    var upload: DatabaseUpload?
  }

  /// Returns the source that the command line names: a file, a copy that the daemon has stored beside its database, or `last-good.json`.
  private func source(_ console: Console) async throws -> RestoreSource {
    guard let file else { return RestoreSource(words: "a database made of last-good.json", query: [("rebuild", "true")]) }
    do throws(CtlFailure) {
      let upload = try DatabaseUpload(file)
      let name = file.split(separator: "/").last.map(String.init) ?? file
      let log = upload.logBytes > 0 ? [("log_bytes", String(upload.logBytes))] : []
      return RestoreSource(words: file, query: [("file", name)] + log, upload: upload)
    } catch {
      let copies = try? await console.daemon.ask(Calls.storeCopies).answer.copies
      guard let copy = copies?.first(where: { $0.name == file || $0.path == file }) else { throw error }
      return RestoreSource(words: copy.name, query: [("copy", copy.name)])
    }
  }

  /// Returns the sentences that the command prints about the restored data, or in a dry run about the data that would be lost.
  static func lines(_ answer: StoreRestoreAnswer, rebuilt: Bool) -> [Sentence] {
    let what = rebuilt ? "what last-good.json holds" : "the backup"
    if answer.isDryRun {
      let newest: Sentence = answer.newestAt.map { "its newest change is from \(time: $0)" } ?? "it has no changes"
      let lost: Sentence =
        switch (answer.lostAuditLines, answer.lostPlayers) {
        case (0, 0): "nothing that was changed here since would be lost"
        case (let lines?, let players?):
          "\(lines, "line") of the audit log and the latest of \(players, "player") would be lost"
        default: "the database in its place cannot be read, so what would be lost is unknown"
        }
      return ["nothing was changed; without --dry-run: \(what) is in force", "\(newest); \(lost)"]
    }
    var lines: [Sentence] = ["\(what) is in force"]
    if let aside = answer.putAside {
      let name = aside.split(separator: "/").last.map(String.init) ?? aside
      lines.append("to go back to the database before: gameconfctl store restore \(name)")
    }
    if let raised = answer.revisionsRaisedBy {
      lines.append("revisions were raised by \(raised), since what was served in the lost database's last second may be unknown")
    }
    return lines
  }
}

/// A database file that is sent in pieces. If a write-ahead log is beside it, the log follows, because the newest writes may be only there.
final class DatabaseUpload: Sendable {
  private static let pieceBytes = 256 << 10

  private let parts: [OpenFile]
  /// The size in bytes of the write-ahead log, which follows the database in the upload; 0 without a log.
  let logBytes: Int

  init(_ path: String) throws(CtlFailure) {
    if let journal = try OpenFile(path + "-journal", mayBeAbsent: true), journal.length > 0 {
      throw .file(
        path: path, detail: "has a journal beside it that undoes its last change; make a whole copy with sqlite3 and VACUUM INTO")
    }
    let log = try OpenFile(path + "-wal", mayBeAbsent: true)
    parts = [try OpenFile(path, mayBeAbsent: false), log].compactMap { $0 }
    logBytes = log?.length ?? 0
  }

  var length: Int64 { Int64(parts.reduce(0) { $0 + $1.length }) }

  /// Returns a request body that reads the files piece by piece.
  /// - Parameter progress: Receives the number of bytes sent.
  func body(_ progress: Progress) -> OutgoingRequest.Body {
    .pieces(mediaType: "application/vnd.sqlite3", length: parts.reduce(0) { $0 + $1.length }) { [parts] in
      for part in parts {
        if let piece = try part.next(bytesMax: Self.pieceBytes) {
          progress.advance(by: piece.count)
          return piece
        }
      }
      return nil
    }
  }
}

/// A file that is read once from its beginning to its end.
private final class OpenFile: Sendable {
  private let path: String
  private let descriptor: Int32
  let length: Int

  init?(_ path: String, mayBeAbsent: Bool) throws(CtlFailure) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, mayBeAbsent, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw FileBytes.failure(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .file(path: path, detail: "is not a file")
    }
    length = Int(status.st_size)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func next(bytesMax: Int) throws(CtlFailure) -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: bytesMax)
    let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count < 0 { throw FileBytes.failure(path) }
    return count == 0 ? nil : Array(piece[..<count])
  }
}
