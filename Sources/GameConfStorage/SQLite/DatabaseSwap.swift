// Putting a finished database in the place of the one that is there, whole or not at all.
import GameConfCore
import GameConfEngine
import Glibc

/// A swap that a crash at any step leaves either undone or to be finished at the next start.
///
/// The finished database is renamed to a name that says where the old one goes; from then on it is what counts. Everything after that can be done
/// again: a start that finds such a name goes on with it.
struct DatabaseSwap: Sendable {
  let file: DatabaseFile

  private static let mark = ".next"

  private var prefix: String { (file.path.split(separator: "/").last.map(String.init) ?? file.path) + Self.mark + "." }

  /// Decides that a database takes the place of the one that is there.
  /// - Parameters:
  ///   - path: a finished database in one file, synced.
  ///   - suffix: what follows the database's path where the old one goes.
  func decide(_ path: String, puttingAside suffix: String) throws(StateFault) {
    guard rename(path, file.path + Self.mark + suffix) == 0 else { throw Files.fault(errno, path, "cannot be renamed") }
    try Files.syncDirectory(of: file.path)
  }

  /// One step; doing it again does nothing.
  enum Step: Hashable {
    case move(String, to: String)
    case syncFolder(of: String)

    func run() throws(StateFault) {
      switch self {
      case .move(let path, let target):
        guard rename(path, target) == 0 || errno == ENOENT else { throw Files.fault(errno, path, "cannot be renamed") }
      case .syncFolder(let path): try Files.syncDirectory(of: path)
      }
    }
  }

  /// The steps that follow; none when nothing was decided.
  func steps() throws(StateFault) -> [Step] {
    guard let name = try Files.names(in: file.folder).first(where: { $0.hasPrefix(prefix) }) else { return [] }
    let aside = file.path + "." + name.dropFirst(prefix.count)
    // The log first: SQLite would take that of the old one for the new one's.
    return ["-wal", "-shm", ""].map { .move(file.path + $0, to: aside + $0) } + [
      .syncFolder(of: file.path), .move(file.folder + "/" + name, to: file.path), .syncFolder(of: file.path),
    ]
  }

  /// Does them.
  func finish() throws(StateFault) { for step in try steps() { try step.run() } }
}
