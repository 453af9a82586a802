// Inspects a state directory as a start of the daemon would find it, without locking or changing it.
import Glibc

/// The faults, warnings and games that a start of the daemon would find in a state directory.
public struct StateInspection: Sendable {
  /// The reasons why a daemon could not use the directory, or would accept no writes.
  public private(set) var faults: [String] = []
  /// The warnings of a daemon that would start nevertheless.
  public private(set) var warnings: [String] = []
  /// The games with an accepted catalog.
  public private(set) var games: [String] = []

  /// Inspects a directory. A missing one is fine, because a start creates it.
  public init(path: String) {
    if let fault = Self.unwritable(path) {
      faults.append("the state directory \(fault)")
      return
    }
    let accepted = AcceptedCatalogFiles(at: path + "/accepted").load()
    games = accepted.catalogs.map(\.game)
    warnings += accepted.faults.map { "\($0.path): \($0.message)" }
    inspect(database: path + "/gameconfd.db")
    var status = stat()
    if stat(path, &status) == 0 {
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      defer { if descriptor >= 0 { close(descriptor) } }
      if descriptor >= 0 {
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 {
          flock(descriptor, LOCK_UN)
        } else if errno == EWOULDBLOCK {
          warnings.append("the state directory \(path) is in use by a running gameconfd")
        }
      }
    }
  }

  /// Checks that the database is accessible, and by its header that it is gameconfd's and not of a newer version.
  private mutating func inspect(database path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_size > 0 else { return }
    // The latest header may still be in the write-ahead log.
    var log = stat()
    let isLogged = stat(path + "-wal", &log) == 0 && log.st_size > 0
    if access(path, R_OK | W_OK) != 0 {
      faults.append("\(path): \(String(cString: strerror(errno))); give it back to the user of gameconfd (chown)")
      return
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return faults.append("\(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 100)
    guard read(descriptor, &header, header.count) == header.count else { return faults.append("\(path): is not a database") }
    func number(at offset: Int) -> Int { header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
    if isLogged, number(at: 68) == 0 { return }
    if number(at: 68) != Int(StoreSchema.applicationID) {
      faults.append("\(path): is not a database of gameconfd")
    } else if number(at: 60) > StoreSchema.current.version {
      faults.append("\(path): was written by a newer gameconfd (version \(number(at: 60)), this one knows \(StoreSchema.current.version))")
    }
  }

  /// Returns the reason why a folder cannot be used or created; nil if it can. To try, a missing folder is created and removed again.
  public static func unwritable(_ path: String) -> String? {
    var status = stat()
    var folder = path
    var missing: String?
    while stat(folder, &status) != 0 {
      guard errno == ENOENT else { return "\(folder): \(String(cString: strerror(errno)))" }
      let parent = Files.parent(of: folder) ?? "."
      if parent == folder { break }
      missing = folder
      folder = parent
    }
    if status.st_mode & S_IFMT != S_IFDIR { return "\(folder): is not a folder" }
    guard access(folder, R_OK | W_OK | X_OK) == 0 else {
      let words = String(cString: strerror(errno))
      return folder == path ? "\(path): \(words)" : "\(path): cannot be made in \(folder): \(words)"
    }
    // Permissions do not suffice: some file systems, such as /proc, do not allow new folders at all, which only an attempt shows.
    guard let missing else { return nil }
    if mkdir(missing, 0o700) == 0 {
      rmdir(missing)
    } else if errno != EEXIST {
      return "\(path): cannot be made in \(folder): \(String(cString: strerror(errno)))"
    }
    return nil
  }
}
