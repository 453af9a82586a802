// The copies beside the database: damaged ones, ones replaced by a restore, and those made before a migration.
import GameConfCore
import Glibc

/// The copies of a database beside it, found by their names, which begin with the database's name.
struct DatabaseCopies: Sendable {
  /// The retention time of a copy that a restore replaced.
  static let replacedMilliseconds: Int64 = 30 * 86_400_000

  let file: DatabaseFile

  private var prefix: String { (file.path.split(separator: "/").last.map(String.init) ?? file.path) + "." }

  /// Returns every copy, newest first; copies without a date in their names come last.
  func list() throws(StateFault) -> [StoreCopy] {
    try Files.names(in: file.folder).compactMap(copy).sorted { ($0.at ?? .distantPast, $0.name) > ($1.at ?? .distantPast, $1.name) }
  }

  /// Returns an unused name for a copy, as the suffix of the database's path.
  func freeSuffix(_ kind: StoreCopy.Kind, at now: Instant) -> String {
    let date = now.text.replacing(":", with: "-")
    var suffix = ".\(kind.rawValue)-\(date)"
    var count = 1
    while file.identity(of: file.path + suffix) != nil || file.identity(of: file.path + suffix + "-wal") != nil {
      count += 1
      suffix = ".\(kind.rawValue)-\(date)-\(count)"
    }
    return suffix
  }

  /// Renames the database with its log and shared memory files.
  /// - Returns: The new path; nil if the database could not be renamed or did not exist.
  func putAside(_ kind: StoreCopy.Kind, at now: Instant) -> String? {
    let aside = file.path + freeSuffix(kind, at: now)
    let isThere = file.identity() != nil
    guard rename(file.path, aside) == 0 || !isThere else { return nil }
    for suffix in ["-wal", "-shm"] { rename(file.path + suffix, aside + suffix) }
    try? Files.syncDirectory(of: file.path)
    return isThere ? aside : nil
  }

  /// Renames a finished copy, and removes the oldest copies of its kind beyond ``StoreLimits/copiesMax``.
  func keep(_ path: String, as kind: StoreCopy.Kind, at now: Instant) throws(StateFault) -> StoreCopy {
    let target = file.path + freeSuffix(kind, at: now)
    guard rename(path, target) == 0 else { throw Files.fault(errno, target, "cannot be written") }
    try Files.syncDirectory(of: file.path)
    let all = try list().filter { $0.kind == kind }
    for old in all.dropFirst(StoreLimits.copiesMax) { try remove(old) }
    guard let renamed = all.first(where: { $0.path == target }) else { throw Files.fault(ENOENT, target, "was removed while it was made") }
    return renamed
  }

  /// Removes a copy with its log and shared memory files.
  /// - Returns: True if a copy had that name.
  func remove(_ name: String) throws(StateFault) -> Bool {
    guard let copy = try list().first(where: { $0.name == name }) else { return false }
    try remove(copy)
    return true
  }

  /// Removes databases that restores have replaced, except the newest three of the last 30 days.
  func dropReplaced(now: Instant) throws(StateFault) {
    let replaced = try list().filter { $0.kind == .replaced && $0.at != nil }
    for (number, copy) in replaced.enumerated() {
      let age = now.milliseconds - (copy.at?.milliseconds ?? now.milliseconds)
      if number >= StoreLimits.copiesMax || age > Self.replacedMilliseconds { try remove(copy) }
    }
  }

  private func remove(_ copy: StoreCopy) throws(StateFault) {
    for suffix in ["-wal", "-shm", ""] {
      let path = file.folder + "/" + copy.name + suffix
      // A directory at the database's path is renamed like a database, so a copy may be a directory.
      guard unlink(path) == 0 || errno == ENOENT || rmdir(path) == 0 else { throw Files.fault(errno, path, "cannot be removed") }
    }
    try Files.syncDirectory(of: file.path)
  }

  private func copy(_ name: String) -> StoreCopy? {
    guard name.hasPrefix(prefix), !["-wal", "-shm"].contains(where: name.hasSuffix) else { return nil }
    let rest = name.dropFirst(prefix.count)
    guard let kind = StoreCopy.Kind.allCases.first(where: { rest.hasPrefix($0.rawValue + "-") }) else { return nil }
    let path = file.folder + "/" + name
    guard let identity = file.identity(of: path) else { return nil }
    let log = file.identity(of: path + "-wal")?.bytesCount ?? 0
    let at = kind == .beforeVersion ? identity.modifiedAt : Self.instant(String(rest.dropFirst(kind.rawValue.count + 1)))
    return StoreCopy(name: name, path: path, kind: kind, at: at, bytesCount: identity.bytesCount + log)
  }

  /// Parses the instant in a name, in which dashes replace colons: `2026-11-22T08-10-31.052Z`, possibly followed by a number.
  private static func instant(_ text: String) -> Instant? {
    guard let end = text.firstIndex(of: "Z"), let middle = text.firstIndex(of: "T"), middle < end else { return nil }
    return try? Instant(parsing: String(text[..<middle]) + String(text[middle...end]).replacing("-", with: ":"))
  }
}

extension Instant {
  fileprivate static var distantPast: Instant { Instant(milliseconds: .min) }
}
