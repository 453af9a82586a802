// Reads files and standard input whole, up to a limit, and writes files.

import GameConfOutput
import Glibc

enum FileBytes {
  /// The maximum size of a file in bytes.
  static let bytesMax = 16 << 20

  /// Reads a regular file. A pipe is refused, because it might block forever if no program writes to it.
  static func readRegular(_ path: String) throws(CtlFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .file(path: path, detail: "is not a regular file") }
    return try read(descriptor, path)
  }

  /// Reads a file, or standard input for `-`.
  static func read(_ path: String) throws(CtlFailure) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { if path != "-" { close(descriptor) } }
    return try read(descriptor, path)
  }

  private static func read(_ descriptor: Int32, _ path: String) throws(CtlFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(path)
      }
      bytes += piece[..<count]
      guard bytes.count <= bytesMax else { throw .file(path: path, detail: "is longer than \(bytesMax) bytes") }
    }
  }

  /// True if nothing exists at the path. Links are not followed, so a link without a target is not absent.
  static func isAbsent(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && errno == ENOENT
  }

  /// Returns the sorted names in a folder; nil if the path is not a folder.
  static func names(in path: String) throws(CtlFailure) -> [String]? {
    var status = stat()
    guard stat(path, &status) == 0 else { throw failure(path) }
    guard status.st_mode & S_IFMT == S_IFDIR else { return nil }
    guard let folder = opendir(path) else { throw failure(path) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      // The name is read in place. The kernel's entry is only as long as its name, so a copy of the whole struct would read past the
      // entry's end.
      guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
      let name = String(cString: (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self))
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// Creates a file for writing. Throws if the file exists.
  static func create(_ path: String, mode: mode_t = 0o600) throws(CtlFailure) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw failure(path) }
    return descriptor
  }

  static func write(_ bytes: [UInt8], to descriptor: Int32, path: String) throws(CtlFailure) {
    if let failure = ProgramOutput.write(bytes, to: descriptor) { throw .file(path: path, detail: "\(failure)") }
  }

  /// Replaces a file atomically: if writing fails, the file is unchanged. For `-`, writes to standard output.
  static func replace(_ path: String, with bytes: [UInt8]) throws(CtlFailure) {
    if path == "-" { return try write(bytes, to: STDOUT_FILENO, path: ProgramOutput.standardOutput) }
    let aside = "\(path).\(RandomText.hexadecimal().prefix(12))"
    let descriptor = open(aside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    // O_EXCL makes open() fail if a file or a link with the temporary name exists, so that no other file is written.
    guard descriptor >= 0 else { throw failure(path) }
    do throws(CtlFailure) {
      defer { close(descriptor) }
      try write(bytes, to: descriptor, path: path)
    } catch {
      unlink(aside)
      throw error
    }
    guard rename(aside, path) == 0 else {
      let failure = failure(path)
      unlink(aside)
      throw failure
    }
  }

  static func failure(_ path: String) -> CtlFailure { .file(path: path, detail: "\(String(cString: strerror(errno)))") }
}
