// Reads a file's bytes, or says in a person's words why it cannot.

import Glibc

/// The reason why a file cannot be read.
struct FileFault: Error {
  /// The system's code; 0 when the file is unfit for another reason.
  var code: Int32
  /// The reason, in a phrase.
  var message: String

  /// True if there is no such file.
  var isAbsence: Bool { code == ENOENT }
}

/// Files as bytes.
enum FolderFiles {
  /// Reads a regular file.
  /// - Parameter bytesMax: the most it may have; a larger one is refused before it is read.
  static func read(_ path: String, bytesMax: Int) throws(FileFault) -> [UInt8] {
    // O_NONBLOCK: a FIFO with no writer must not hold the reload.
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

  /// Returns true if a process has the file open for writing, as far as the system says: it grants a lease on other files only.
  static func isBeingWritten(_ path: String) -> Bool {
    let (setLease, setSignal) = (Int32(1024), Int32(10))  // F_SETLEASE and F_SETSIG, which only GNU's macros have
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // A writer that comes before the descriptor is closed ends the lease by a signal, SIGIO if not another: this one is ignored.
    guard fcntl(descriptor, setSignal, SIGURG) == 0 else { return false }
    return fcntl(descriptor, setLease, F_RDLCK) != 0 && errno == EAGAIN
  }

  /// The names in a folder, sorted; those that begin with a dot are left out.
  /// - Parameter endings: Names with other endings are passed over; none for every name.
  static func names(in folder: String, endings: [String] = []) throws(FileFault) -> [String] {
    guard let stream = opendir(folder) else { throw FileFault(code: errno, message: String(cString: strerror(errno))) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // Where it stands: an entry is as long as its name, and a copy of the whole field would read past it.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if !name.hasPrefix("."), endings.isEmpty || endings.contains(where: name.hasSuffix) { names.append(name) }
    }
    return names.sorted()
  }
}
