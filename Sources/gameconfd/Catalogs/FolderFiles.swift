// Reads files and lists folders, with errors for people.

import Glibc

/// The reason why a file cannot be read.
struct FileFault: Error {
  /// The value of `errno`; 0 if no system call failed and the file is unsuitable, for example too large.
  var code: Int32
  var message: String

  /// True if the file does not exist.
  var isAbsence: Bool { code == ENOENT }
}

enum FolderFiles {
  /// Reads a regular file.
  /// - Parameter bytesMax: The maximum size; a larger file is refused without reading it.
  static func read(_ path: String, bytesMax: Int) throws(FileFault) -> [UInt8] {
    // O_NONBLOCK: opening a FIFO without a writer would block the reload.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileFault(code: errno, message: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileFault(code: errno, message: String(cString: strerror(errno))) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw FileFault(code: 0, message: "is a directory, not a file")
    default: throw FileFault(code: 0, message: "is not a regular file")
    }
    if status.st_size > bytesMax { throw FileFault(code: 0, message: "has \(status.st_size) bytes; at most \(bytesMax) are admitted") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Int(status.st_size))
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw FileFault(code: errno, message: String(cString: strerror(errno)))
      }
      bytes.append(contentsOf: buffer[..<count])
      if bytes.count > bytesMax { throw FileFault(code: 0, message: "has more than \(bytesMax) bytes") }
    }
  }

  /// True if a process has the file open for writing. The function tries to take a read lease, which the kernel refuses in that case.
  static func isBeingWritten(_ path: String) -> Bool {
    let (setLease, setSignal) = (Int32(1024), Int32(10))  // F_SETLEASE and F_SETSIG, which are defined with _GNU_SOURCE only
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // If another process opens the file for writing before this descriptor closes, it breaks the lease, and the kernel sends a signal. By
    // default that is SIGIO, which ends the process. SIGURG is ignored.
    guard fcntl(descriptor, setSignal, SIGURG) == 0 else { return false }
    return fcntl(descriptor, setLease, F_RDLCK) != 0 && errno == EAGAIN
  }

  /// Returns the sorted names in a folder, without hidden files.
  /// - Parameter endings: The endings of the wanted names; empty for all names.
  static func names(in folder: String, endings: [String] = []) throws(FileFault) -> [String] {
    guard let stream = opendir(folder) else { throw FileFault(code: errno, message: String(cString: strerror(errno))) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // Reads the name in place: a dirent is only as long as its name, so copying the whole struct would read beyond it.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if !name.hasPrefix("."), endings.isEmpty || endings.contains(where: name.hasSuffix) { names.append(name) }
    }
    return names.sorted()
  }
}
