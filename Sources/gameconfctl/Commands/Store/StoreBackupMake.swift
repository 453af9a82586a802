// gameconfctl store backup

import ArgumentParser
import GameConfAPI
import GameConfTransport
import Glibc

struct StoreBackupMake: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the database, consistent as of one moment, into a file that only you may read.")

  @Argument(help: "The new file, which must not exist yet; - for standard output.", completion: .file()) var file: String
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if file == "-", connection.json { throw ValidationError("--json and - both write to standard output; name a file.") }
  }

  func run(on console: Console) async throws {
    if file == "-", console.screen.isTerminal { throw CtlFailure.usage("standard output is a terminal; redirect it, or name a file") }
    if file != "-", access(file, F_OK) == 0 {
      throw CtlFailure.file(path: file, detail: "exists already; a backup never overwrites a file")
    }
    let stream = try await console.daemon.download(Calls.storeBackup)
    if file == "-" {
      let bytes = try await copy(stream, to: STDOUT_FILENO, "standard output", console)
      return console.screen.note("standard output: \(bytes) bytes")
    }
    let partial = file + ".partial"
    let descriptor = try FileBytes.create(partial)
    let bytes: Int
    do throws(CtlFailure) {
      defer { close(descriptor) }
      bytes = try await copy(stream, to: descriptor, partial, console)
      guard fsync(descriptor) == 0 else { throw FileBytes.failure(partial) }
      // Unlike rename(), link() fails if the file exists, so it never replaces a file that was created meanwhile.
      guard link(partial, file) == 0 else { throw FileBytes.failure(file) }
    } catch {
      unlink(partial)
      throw error
    }
    unlink(partial)
    console.show(["file": .string(file), "bytes": .integer(Int64(bytes))]) { console.screen.say("\(file): \(bytes) bytes") }
  }

  /// Receives the backup from the daemon and writes it to a file.
  /// - Returns: The number of bytes.
  private func copy(
    _ stream: (body: ResponseBody, path: String, length: Int64?), to descriptor: Int32, _ path: String, _ console: Console
  ) async throws(CtlFailure) -> Int {
    let progress = Progress("backing up", total: stream.length, on: console.screen)
    defer { progress.stop() }
    var bytes = 0
    while let piece = try await next(of: stream.body, stream.path, console) {
      try FileBytes.write(piece, to: descriptor, path: path)
      progress.advance(by: piece.count)
      bytes += piece.count
    }
    return bytes
  }

  private func next(of body: ResponseBody, _ path: String, _ console: Console) async throws(CtlFailure) -> [UInt8]? {
    do throws(TransportError) {
      return try await body.next(timeoutSeconds: console.daemon.timeoutSeconds)
    } catch {
      throw .transport(error, path: path)
    }
  }
}
