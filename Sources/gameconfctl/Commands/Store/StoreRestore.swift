// gameconfctl store restore

import ArgumentParser
import GameConfAPI
import GameConfTransport
import Glibc

struct StoreRestore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Put a backup in the place of the database; the one before is put aside.")

  @Argument(help: "The backup.", completion: .file()) var file: String
  @OptionGroup var agreement: YesOption
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let source = try UploadedFile(file)
    if !change.dryRun {
      try desk.screen.confirm(
        "Put \(SafeText.escaped(file)) in the place of the database, with every override and the audit log?", isAgreed: agreement.yes)
    }
    let query = change.query + (change.reason.map { [("reason", $0)] } ?? [])
    let reply = try await desk.daemon.upload(
      Endpoints.storeRestore, query: query, body: source.body, timeoutSeconds: max(connection.timeout, StoreGroup.patienceSeconds),
      as: StoreRestoreAnswer.self)
    desk.show(reply.value, asJSON: connection.json) {
      let aside = reply.answer.putAside.map { "; the database before is at \(SafeText.escaped($0))" } ?? ""
      desk.screen.write(change.told("the backup is in force\(aside)") + "\n")
      desk.screen.show(GamesList.table(GamesAnswer(games: reply.answer.games)))
    }
  }
}

/// A file that is sent piece by piece.
final class UploadedFile: Sendable {
  private static let pieceBytes = 256 << 10

  private let path: String
  private let descriptor: Int32
  private let length: Int

  init(_ path: String) throws(CtlFailure) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileBytes.failure(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .file(path: path, detail: "is not a file")
    }
    length = Int(status.st_size)
  }

  deinit { close(descriptor) }

  var body: Request.Body {
    .pieces(mediaType: "application/vnd.sqlite3", length: length) { [self] in
      var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
      let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0 { throw FileBytes.failure(path) }
      return count == 0 ? nil : Array(piece[..<count])
    }
  }
}
