// Putting a finished database in the place of the one that is there, whole or not at all.
import GameConfCore
import Glibc

/// A swap that a crash at any step leaves either undone or to be finished at the next start.
///
/// The finished database is renamed to a name that says where the old one goes; from then on it is what counts. Everything after that can be done
/// again: a start that finds such a name goes on with it. Until the new database was opened, a mark says where the old one is: when it cannot be opened,
/// the old one is put back.
struct DatabaseSwap: Sendable {
  let file: DatabaseFile

  private static let mark = ".next"
  private static let trialMark = ".trial"

  private func names(_ mark: String) throws(StateFault) -> [(name: String, suffix: String)] {
    let prefix = (file.path.split(separator: "/").last.map(String.init) ?? file.path) + mark
    return try Files.names(in: file.folder).filter { $0.hasPrefix(prefix + ".") }.map { ($0, String($0.dropFirst(prefix.count))) }
  }

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

  /// The steps that follow; none when nothing was decided.
  func steps() throws(StateFault) -> [Step] {
    guard let (name, suffix) = try names(Self.mark).first else { return [] }
    let aside = file.path + suffix
    // Where nothing was there, nothing can be put back.
    let wasThere = file.identity() != nil || file.identity(of: aside) != nil
    // The log first: SQLite would take that of the old one for the new one's.
    return ["-wal", "-shm", ""].map { .move(file.path + $0, to: aside + $0) } + [.syncFolder(of: file.path)]
      + (wasThere ? [.make(file.path + Self.trialMark + suffix)] : [])
      + [.move(file.folder + "/" + name, to: file.path), .syncFolder(of: file.path)]
  }

  /// Does them.
  func finish() throws(StateFault) { for step in try steps() { try step.run() } }

  /// The database is open: the old one stays where it is.
  func confirm() throws(StateFault) {
    let trials = try names(Self.trialMark)
    for trial in trials { try Step.remove(file.folder + "/" + trial.name).run() }
    if !trials.isEmpty { try Files.syncDirectory(of: file.path) }
  }

  /// The steps that put the old database back; none where the one that is there was open once.
  func undoing() throws(StateFault) -> [Step] {
    if let decided = try names(Self.mark).first { return undoing(decided.name, decided.suffix) }
    guard let (name, suffix) = try names(Self.trialMark).first else { return [] }
    let aside = file.path + suffix
    // As long as the old one lies aside, what lies beside the new one is the new one's.
    let isAside = file.identity(of: aside) != nil
    let clearing: [Step] = isAside ? ["-wal", "-shm"].map { .remove(file.path + $0) } + [.move(aside, to: file.path)] : []
    return clearing + [
      .move(aside + "-wal", to: file.path + "-wal"), .remove(aside + "-shm"), .syncFolder(of: file.path), .remove(file.folder + "/" + name),
      .syncFolder(of: file.path),
    ]
  }

  /// The steps where the new database is not in its place yet. Until the last one, a start still finishes the swap.
  private func undoing(_ name: String, _ suffix: String) -> [Step] {
    let aside = file.path + suffix
    let back: [Step] = file.identity() == nil ? [.move(aside, to: file.path)] : []
    return back + [
      .move(aside + "-wal", to: file.path + "-wal"), .remove(aside + "-shm"), .syncFolder(of: file.path),
      .remove(file.path + Self.trialMark + suffix),
      .remove(file.folder + "/" + name), .syncFolder(of: file.path),
    ]
  }

  /// Puts the old database back where the new one was never open.
  /// - Returns: whether it did.
  func undo() throws(StateFault) -> Bool {
    let steps = try undoing()
    for step in steps { try step.run() }
    return !steps.isEmpty
  }
}
