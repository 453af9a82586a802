// Reads whole files, and replaces files atomically.
import Glibc

enum Files {
  /// Returns all bytes of a file; nil if it does not exist.
  static func read(_ path: String, bytesMax: Int = 1 << 30) throws(StateFault) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw fault(errno, path, "cannot be opened")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw fault(errno, path, "cannot be examined") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw StateFault(code: .damaged, path: path, message: "is not a regular file") }
    guard status.st_size <= bytesMax else {
      throw StateFault(code: .damaged, path: path, message: "has \(status.st_size) bytes, at most \(bytesMax) are read")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let start = filled
      let got = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
      }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw fault(errno, path, "cannot be read") }
      if got == 0 { break }
      filled += got
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Replaces a file atomically: writes and syncs a temporary file, renames it, and syncs the directory.
  static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o640) throws(StateFault) {
    let beside = path + ".tmp"
    let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { throw fault(errno, beside, "cannot be written") }
    var written = 0
    var failure: Int32 = 0
    while written < bytes.count {
      let start = written
      let count = bytes.withUnsafeBytes { buffer in write(descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 {
        failure = count < 0 ? errno : EIO
        break
      }
      written += count
    }
    if failure == 0, fsync(descriptor) != 0 { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure == 0, rename(beside, path) != 0 { failure = errno }
    guard failure == 0 else {
      unlink(beside)
      throw fault(failure, path, "cannot be written")
    }
    try syncDirectory(of: path)
  }

  /// Copies a file to a path that does not exist yet, and syncs the copy.
  static func copy(_ path: String, to target: String) throws(StateFault) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw fault(errno, path, "cannot be opened") }
    defer { close(source) }
    let copy = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o640)
    guard copy >= 0 else { throw fault(errno, target, "cannot be made") }
    defer { close(copy) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = Glibc.read(source, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw fault(errno, path, "cannot be read") }
      if count == 0 { break }
      var written = 0
      while written < count {
        let start = written
        let more = buffer.withUnsafeBytes { write(copy, $0.baseAddress?.advanced(by: start), count - start) }
        if more < 0, errno == EINTR { continue }
        guard more > 0 else { throw fault(more < 0 ? errno : EIO, target, "cannot be written") }
        written += more
      }
    }
    guard fsync(copy) == 0 else { throw fault(errno, target, "cannot be synced") }
  }

  /// Removes a file if it exists.
  static func remove(_ path: String) throws(StateFault) {
    guard unlink(path) == 0 || errno == ENOENT else { throw fault(errno, path, "cannot be removed") }
    try syncDirectory(of: path)
  }

  /// Creates a directory and its missing parents.
  static func makeDirectory(_ path: String, mode: mode_t) throws(StateFault) {
    if mkdir(path, mode) == 0 || errno == EEXIST { return }
    if errno == ENOENT, let parent = parent(of: path), parent != path {
      try makeDirectory(parent, mode: mode)
      if mkdir(path, mode) == 0 || errno == EEXIST { return }
    }
    throw fault(errno, path, "cannot be made")
  }

  /// Returns the names in a directory, sorted; empty if it does not exist.
  static func names(in path: String) throws(StateFault) -> [String] {
    guard let directory = opendir(path) else {
      if errno == ENOENT { return [] }
      throw fault(errno, path, "cannot be listed")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      // The name is read in place: the entry in memory is only as long as its name, so a copy of the whole field `d_name` would read past
      // the end of the entry.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Makes a rename or a removal in the file's directory durable.
  static func syncDirectory(of path: String) throws(StateFault) {
    let parent = parent(of: path) ?? "."
    let descriptor = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw fault(errno, parent, "cannot be opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw fault(errno, parent, "cannot be synced") }
  }

  /// Returns the parent directory of a path; nil for a bare name.
  static func parent(of path: String) -> String? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns a fault with the message of an `errno` value.
  static func fault(_ code: Int32, _ path: String, _ what: String) -> StateFault {
    let kind: StateFault.Code =
      switch code {
      case ENOSPC, EDQUOT: .noSpace
      case EROFS, EACCES, EPERM: .readOnly
      default: .failed
      }
    return StateFault(code: kind, path: path, message: "\(what): \(String(cString: strerror(code)))")
  }
}
