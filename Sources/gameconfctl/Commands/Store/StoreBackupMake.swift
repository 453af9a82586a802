// gameconfctl store backup

import ArgumentParser
import GameConfAPI
import GameConfTransport
import Glibc

struct StoreBackupMake: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the database, consistent as of one moment, into a file that only you may read.")

  @Argument(help: "The new file; it must not exist yet.", completion: .file()) var file: String
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let partial = file + ".partial"
    if access(file, F_OK) == 0 { throw CtlFailure.file(path: file, detail: "exists already; a backup never overwrites a file") }
    let stream = try await console.daemon.download(Calls.storeBackup)
    let descriptor = try FileBytes.create(partial)
    let progress = Progress("backing up", total: stream.length, on: console.screen)
    defer { progress.stop() }
    var bytes = 0
    do throws(CtlFailure) {
      defer { close(descriptor) }
      while let piece = try await next(of: stream.body, stream.path, console) {
        try FileBytes.write(piece, to: descriptor, path: partial)
        progress.advance(by: piece.count)
        bytes += piece.count
      }
      guard fsync(descriptor) == 0 else { throw FileBytes.failure(partial) }
      // A hard link, unlike a rename, never replaces what has come there meanwhile.
      guard link(partial, file) == 0 else { throw FileBytes.failure(file) }
    } catch {
      unlink(partial)
      throw error
    }
    unlink(partial)
    progress.stop()
    let answer: (file: String, bytes: Int) = (file, bytes)
    console.show(["file": .string(answer.file), "bytes": .integer(Int64(answer.bytes))]) {
      console.screen.say("\(answer.file): \(answer.bytes) bytes")
    }
  }

  private func next(of body: ResponseBody, _ path: String, _ console: Console) async throws(CtlFailure) -> [UInt8]? {
    do throws(TransportError) {
      return try await body.next(timeoutSeconds: console.daemon.timeoutSeconds)
    } catch {
      throw .transport(error, path: path)
    }
  }
}
