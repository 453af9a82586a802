// A folder that files are written to aside and renamed in, and which of the files in it are to be trusted.

internal import Glibc

/// The reason why images cannot be published.
public struct ImageFault: Error, Sendable, Hashable {
  /// The system's number; 0 where it is none of its.
  public var code: Int32
  /// The fault, with the place.
  public var message: String

  init(code: Int32, place: String) {
    self.code = code
    message = "\(place): \(String(cString: strerror(code)))"
  }

  /// A fault in words.
  public init(_ message: String) {
    code = 0
    self.message = message
  }
}

/// The identity of the file that a name leads to.
struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64

  /// The system's status of a file.
  struct Status {
    let identity: FileIdentity
    let mode: mode_t
    let user: uid_t
    let group: gid_t
    let links: UInt64
    let bytes: Int64

    init?(_ descriptor: Int32) {
      var found = stat()
      guard fstat(descriptor, &found) == 0 else { return nil }
      self.init(found)
    }

    /// Reads the status of a path; a link at its end is not followed.
    init?(path: String) {
      var found = stat()
      guard lstat(path, &found) == 0 else { return nil }
      self.init(found)
    }

    private init(_ found: stat) {
      identity = FileIdentity(device: UInt64(found.st_dev), inode: UInt64(found.st_ino))
      (mode, user, group) = (found.st_mode, found.st_uid, found.st_gid)
      links = UInt64(found.st_nlink)
      bytes = Int64(found.st_size)
    }

    var isRegular: Bool { mode & S_IFMT == S_IFREG }
    var isWritableForAll: Bool { mode & S_IWOTH != 0 }
    var isWritableForGroup: Bool { mode & S_IWGRP != 0 }
  }
}

/// A folder, held open.
final class Folder {
  let path: String
  let descriptor: Int32
  private let status: FileIdentity.Status

  /// Opens a folder.
  init(_ path: String) throws(ImageFault) {
    let opened = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw ImageFault(code: errno, place: path) }
    guard let status = FileIdentity.Status(opened) else {
      let code = errno
      close(opened)
      throw ImageFault(code: code, place: path)
    }
    (self.path, descriptor, self.status) = (path, opened, status)
  }

  /// Opens the folder of that name in another, which is made when it is not there; a link is not followed.
  init(_ name: String, in parent: Folder) throws(ImageFault) {
    path = parent.path + "/" + name
    let wanted: mode_t = parent.status.isWritableForGroup ? 0o775 : 0o755
    let isMade = mkdirat(parent.descriptor, name, wanted) == 0
    let opened = openat(parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else { throw ImageFault(code: errno, place: path) }
    // The next daemon may be another user of the same group, which a folder with the setgid bit hands down. A sandbox may forbid to set
    // that bit and to change owners, so neither is done unless it must be.
    if isMade, let made = FileIdentity.Status(opened) {
      if made.group != parent.status.group { fchown(opened, uid_t.max, parent.status.group) }
      if made.mode & 0o777 != wanted, fchmod(opened, made.mode & S_ISGID | wanted) != 0 { fchmod(opened, wanted) }
    }
    guard let found = FileIdentity.Status(opened), parent.trusts(found) else {
      close(opened)
      throw ImageFault("\(path) belongs to another user; remove it")
    }
    (descriptor, status) = (opened, found)
  }

  deinit { close(descriptor) }

  /// True if a file in it was made by who may write to it, and can be changed by nobody else.
  func trusts(_ file: FileIdentity.Status) -> Bool {
    let isOurs = file.user == status.user || file.user == geteuid() || file.user == 0 || file.group == status.group
    return isOurs && !file.isWritableForAll
  }

  /// Makes a file; one that is left of an earlier run gives way.
  func create(_ name: String, mode: mode_t) throws(ImageFault) -> Int32 {
    unlinkat(descriptor, name, 0)
    let made = openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard made >= 0 else { throw ImageFault(code: errno, place: path + "/" + name) }
    if let found = FileIdentity.Status(made), found.group != status.group { fchown(made, uid_t.max, status.group) }
    // Whatever the umask leaves of it: every game may read it.
    guard fchmod(made, mode) == 0 else {
      let code = errno
      close(made)
      unlinkat(descriptor, name, 0)
      throw ImageFault(code: code, place: path + "/" + name)
    }
    return made
  }

  /// Gives a file that was written aside its name.
  func rename(_ aside: String, to name: String) throws(ImageFault) {
    guard renameat(descriptor, aside, descriptor, name) == 0 else {
      let code = errno
      unlinkat(descriptor, aside, 0)
      throw ImageFault(code: code, place: path + "/" + name)
    }
  }

  /// Writes a whole file aside and renames it.
  func write(_ bytes: [UInt8], to name: String) throws(ImageFault) {
    let aside = ".\(name).\(getpid())"
    let file = try create(aside, mode: 0o644)
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = count < 0 ? errno : ENOSPC
        unlinkat(descriptor, aside, 0)
        throw ImageFault(code: code, place: path + "/" + name)
      }
      rest = rest.dropFirst(count)
    }
    try rename(aside, to: name)
  }

  func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  /// The names in a folder; none where it cannot be read.
  static func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // Where it stands: an entry is as long as its name.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
