// gameconfctl store restore

import ArgumentParser
import GameConfAPI
import GameConfTransport
import Glibc

struct StoreRestore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put a backup in the place of the database; the one before is put aside.",
    discussion: "Without a backup, --rebuild goes on from last-good.json: every override is there, the audit log begins anew.")

  @Argument(help: "The backup; absent with --rebuild.", completion: .file()) var file: String?
  @Flag(help: "Make a database of last-good.json in the place of a lost one.") var rebuild = false
  @OptionGroup var agreement: YesOption
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard (file == nil) == rebuild else { throw ValidationError("Say which backup, or --rebuild, and not both.") }
  }

  func run() async throws {
    let desk = connection.desk()
    let source = try file.map { file throws(CtlFailure) in try UploadedFile(file) }
    if !change.dryRun {
      let what = file.map { "\(SafeText.escaped($0))" } ?? "a database made of last-good.json"
      try desk.screen.confirm("Put \(what) in the place of the database, with every override and the audit log?", isAgreed: agreement.yes)
    }
    var query = rebuild ? [("rebuild", "true")] : []
    if let log = source?.logBytes, log > 0 { query.append(("log_bytes", String(log))) }
    let progress = Progress("restoring", total: source?.length, on: desk.screen)
    defer { progress.stop() }
    let reply = try await desk.daemon.upload(
      Calls.storeRestore, query: query, body: source?.body(progress) ?? .none, change: change,
      timeoutSeconds: max(connection.timeout, StoreGroup.patienceSeconds))
    progress.stop()
    desk.show(reply.value, asJSON: connection.json) {
      let aside = reply.answer.putAside.map { "; the database before is at \(SafeText.escaped($0))" } ?? ""
      let what = rebuild ? "what last-good.json holds is in force" : "the backup is in force"
      desk.screen.say(change.told(what + aside))
      // A dry run leaves the games as they are: there is nothing new to show of them.
      if !change.dryRun { desk.screen.show(GamesList.table(GamesAnswer(games: reply.answer.games))) }
    }
  }
}

/// A database that is sent piece by piece, and behind it its write-ahead log where one lies beside it: what was written last may be in that alone.
final class UploadedFile: Sendable {
  private static let pieceBytes = 256 << 10

  private let parts: [OpenFile]
  /// How many bytes at the end are the log's.
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

  /// - Parameter progress: is told what was sent.
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

/// A file that is read once.
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
