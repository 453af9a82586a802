// A folder with atomic creation of files by renaming, and checks of the users that may write to them.

internal import Glibc

/// The reason why an image cannot be published.
public struct ImageFault: Error, Sendable, Hashable {
  /// The value of errno; 0 if the fault is not an error of the system.
  public var code: Int32
  /// The fault in words. For an error of the system it includes the path.
  public var message: String

  init(code: Int32, place: String) {
    self.code = code
    message = "\(place): \(String(cString: strerror(code)))"
  }

  /// Creates a fault that is not an error of the system, with the code 0.
  public init(_ message: String) {
    code = 0
    self.message = message
  }
}

/// The device and inode of a file, which identify it even if its path changes.
struct FileIdentity: Hashable {
  let device: UInt64
  let inode: UInt64

  /// The result of `fstat` or `lstat` for a file.
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

    /// Reads the status of a path without following a symbolic link at its end.
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

/// An open folder. Its files are opened relative to its descriptor, not by their paths.
final class Folder {
  let path: String
  let descriptor: Int32
  private let status: FileIdentity.Status

  /// Opens an existing folder.
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

  /// Opens a subfolder without following a symbolic link, and creates it if it does not exist.
  init(_ name: String, in parent: Folder) throws(ImageFault) {
    path = parent.path + "/" + name
    let wanted: mode_t = parent.status.isWritableForGroup ? 0o775 : 0o755
    let isMade = mkdirat(parent.descriptor, name, wanted) == 0
    let opened = openat(parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard opened >= 0 else { throw ImageFault(code: errno, place: path) }
    // The next daemon may run as another user of the parent folder's group. A setgid folder gives its group to its contents. A sandbox may
    // forbid changing the group or the setgid bit, so the group and mode are set only if they differ.
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

  /// True if the file was created by a user who may write to the folder, and other users cannot modify it.
  func trusts(_ file: FileIdentity.Status) -> Bool {
    let isOurs = file.user == status.user || file.user == geteuid() || file.user == 0 || file.group == status.group
    return isOurs && !file.isWritableForAll
  }

  /// Creates a file, replacing one that an earlier run may have left.
  func create(_ name: String, mode: mode_t) throws(ImageFault) -> Int32 {
    unlinkat(descriptor, name, 0)
    let made = openat(descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard made >= 0 else { throw ImageFault(code: errno, place: path + "/" + name) }
    if let found = FileIdentity.Status(made), found.group != status.group { fchown(made, uid_t.max, status.group) }
    // The mode is set explicitly, because the umask must not prevent games from reading the file.
    guard fchmod(made, mode) == 0 else {
      let code = errno
      close(made)
      unlinkat(descriptor, name, 0)
      throw ImageFault(code: code, place: path + "/" + name)
    }
    return made
  }

  /// Renames a temporary file to its final name atomically.
  func rename(_ aside: String, to name: String) throws(ImageFault) {
    guard renameat(descriptor, aside, descriptor, name) == 0 else {
      let code = errno
      unlinkat(descriptor, aside, 0)
      throw ImageFault(code: code, place: path + "/" + name)
    }
  }

  /// Writes a file atomically: under a temporary name that is renamed at the end.
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

  /// Returns the names in a folder, sorted; empty if the folder cannot be read.
  static func names(in path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // The name is read through the entry's pointer, because the kernel's entries are shorter than the struct and copying it would read
      // beyond them.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
