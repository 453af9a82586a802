// The atomic replacement of the database by a finished one, such as a restored backup.
import GameConfCore
import Glibc

/// A swap of databases that survives a crash at any step: the next start either finishes it or finds it undone.
///
/// The swap is committed when the finished database is renamed to the database's path with `.next` and a suffix. The old database gets a
/// name with the same suffix. All later steps are idempotent, and a start of the daemon that finds the name with `.next` continues with
/// them. Until the new database has been opened, there is an empty file whose name has `.trial` and the same suffix. If the new database
/// cannot be opened, the daemon finds the old one by that suffix and puts it back.
struct DatabaseSwap: Sendable {
  let file: DatabaseFile

  private static let mark = ".next"
  private static let trialMark = ".trial"

  private func names(_ mark: String) throws(StateFault) -> [(name: String, suffix: String)] {
    let prefix = (file.path.split(separator: "/").last.map(String.init) ?? file.path) + mark
    return try Files.names(in: file.folder).filter { $0.hasPrefix(prefix + ".") }.map { ($0, String($0.dropFirst(prefix.count))) }
  }

  /// Commits the swap.
  /// - Parameters:
  ///   - path: A finished database in one file, synced.
  ///   - suffix: The suffix of the old database's new name.
  func decide(_ path: String, puttingAside suffix: String) throws(StateFault) {
    guard rename(path, file.path + Self.mark + suffix) == 0 else { throw Files.fault(errno, path, "cannot be renamed") }
    try Files.syncDirectory(of: file.path)
  }

  /// An idempotent step of the swap.
  enum FileOperation: Hashable {
    case move(String, to: String)
    case make(String)
    case remove(String)
    case syncFolder(of: String)

    func run() throws(StateFault) {
      switch self {
      case .move(let path, let target):
        guard rename(path, target) == 0 || errno == ENOENT else { throw Files.fault(errno, path, "cannot be renamed") }
      case .make(let path):
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Files.fault(errno, path, "cannot be written") }
        close(descriptor)
      case .remove(let path):
        guard unlink(path) == 0 || errno == ENOENT else { throw Files.fault(errno, path, "cannot be removed") }
      case .syncFolder(let path): try Files.syncDirectory(of: path)
      }
    }
  }

  /// Returns the remaining steps of a committed swap; empty if no swap was committed.
  func steps() throws(StateFault) -> [FileOperation] {
    guard let (name, suffix) = try names(Self.mark).first else { return [] }
    let aside = file.path + suffix
    // Without an old database there is nothing to put back.
    let wasThere = file.identity() != nil || file.identity(of: aside) != nil
    // The log moves first, because SQLite would apply the old database's log to the new database.
    return ["-wal", "-shm", ""].map { .move(file.path + $0, to: aside + $0) } + [.syncFolder(of: file.path)]
      + (wasThere ? [.make(file.path + Self.trialMark + suffix)] : [])
      + [.move(file.folder + "/" + name, to: file.path), .syncFolder(of: file.path)]
  }

  func finish() throws(StateFault) { for step in try steps() { try step.run() } }

  /// Ends the trial: the new database is open, and the old one keeps its new name.
  func confirm() throws(StateFault) {
    let trials = try names(Self.trialMark)
    for trial in trials { try FileOperation.remove(file.folder + "/" + trial.name).run() }
    if !trials.isEmpty { try Files.syncDirectory(of: file.path) }
  }

  /// Returns the steps that put the old database back; empty if the present database was opened once.
  func undoing() throws(StateFault) -> [FileOperation] {
    if let decided = try names(Self.mark).first { return undoing(decided.name, decided.suffix) }
    guard let (name, suffix) = try names(Self.trialMark).first else { return [] }
    let aside = file.path + suffix
    // While the old database has its new name, the log and shared memory files belong to the new database.
    let isAside = file.identity(of: aside) != nil
    let clearing: [FileOperation] = isAside ? ["-wal", "-shm"].map { .remove(file.path + $0) } + [.move(aside, to: file.path)] : []
    return clearing + [
      .move(aside + "-wal", to: file.path + "-wal"), .remove(aside + "-shm"), .syncFolder(of: file.path), .remove(file.folder + "/" + name),
      .syncFolder(of: file.path),
    ]
  }

  /// Returns the steps that put the old database back if the new one is not at its final path yet. Until the new one is removed near the
  /// end, a start of the daemon would still finish the swap.
  private func undoing(_ name: String, _ suffix: String) -> [FileOperation] {
    let aside = file.path + suffix
    let back: [FileOperation] = file.identity() == nil ? [.move(aside, to: file.path)] : []
    return back + [
      .move(aside + "-wal", to: file.path + "-wal"), .remove(aside + "-shm"), .syncFolder(of: file.path),
      .remove(file.path + Self.trialMark + suffix),
      .remove(file.folder + "/" + name), .syncFolder(of: file.path),
    ]
  }

  /// Puts the old database back if the new one was never opened successfully.
  /// - Returns: True if the old database was put back.
  func undo() throws(StateFault) -> Bool {
    let steps = try undoing()
    for step in steps { try step.run() }
    return !steps.isEmpty
  }
}
