// Databases that lie beside the one in use: put aside because of damage, replaced by a restore, copied before a migration.
import GameConfCore
import Glibc

/// The copies by their names, which begin with the database's.
struct DatabaseCopies: Sendable {
  /// The time for which a copy is stored that was replaced by a restore.
  static let replacedMilliseconds: Int64 = 30 * 86_400_000

  let file: DatabaseFile

  private var prefix: String { (file.path.split(separator: "/").last.map(String.init) ?? file.path) + "." }

  /// Every copy, the newest first; those whose names do not say when they were made come last.
  func list() throws(StateFault) -> [StoreCopy] {
    try Files.names(in: file.folder).compactMap(copy).sorted { ($0.at ?? .distantPast, $0.name) > ($1.at ?? .distantPast, $1.name) }
  }

  /// A name that is free, as what follows the database's path.
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

  /// Renames the database and what lies beside it.
  /// - Returns: where the database is now; nil when it could not be renamed or was not there.
  func putAside(_ kind: StoreCopy.Kind, at now: Instant) -> String? {
    let aside = file.path + freeSuffix(kind, at: now)
    let isThere = file.identity() != nil
    guard rename(file.path, aside) == 0 || !isThere else { return nil }
    for suffix in ["-wal", "-shm"] { rename(file.path + suffix, aside + suffix) }
    try? Files.syncDirectory(of: file.path)
    return isThere ? aside : nil
  }

  /// Gives a copy on its way its name, and lets the oldest of its kind go that are too many.
  func keep(_ path: String, as kind: StoreCopy.Kind, at now: Instant) throws(StateFault) -> StoreCopy {
    let target = file.path + freeSuffix(kind, at: now)
    guard rename(path, target) == 0 else { throw Files.fault(errno, target, "cannot be written") }
    try Files.syncDirectory(of: file.path)
    let all = try list().filter { $0.kind == kind }
    for old in all.dropFirst(StoreLimits.copiesMax) { try remove(old) }
    guard let kept = all.first(where: { $0.path == target }) else { throw Files.fault(ENOENT, target, "was removed while it was made") }
    return kept
  }

  /// Removes a copy and what lies beside it.
  /// - Returns: whether it was there.
  func remove(_ name: String) throws(StateFault) -> Bool {
    guard let copy = try list().first(where: { $0.name == name }) else { return false }
    try remove(copy)
    return true
  }

  /// Removes what restores have replaced, beyond the newest and after their time.
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
      // A directory that stood in the database's place was put aside as one.
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

  /// The instant in a name, in which colons are dashes: `2026-11-22T08-10-31.052Z`, perhaps with a number behind it.
  private static func instant(_ text: String) -> Instant? {
    guard let end = text.firstIndex(of: "Z"), let middle = text.firstIndex(of: "T"), middle < end else { return nil }
    return try? Instant(parsing: String(text[..<middle]) + String(text[middle...end]).replacing("-", with: ":"))
  }
}

extension Instant {
  fileprivate static var distantPast: Instant { Instant(milliseconds: .min) }
}
