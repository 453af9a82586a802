// A temporary folder that is removed with its test.

import Glibc

/// A folder with a path short enough for sockets in it.
final class TemporaryFolder {
  let path: String

  /// - Parameter isInMemory: True for a file system in memory, if there is one, where a sync costs nothing.
  init(isInMemory: Bool = false) throws {
    var template = Array("\(isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/gct.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw ChildProcess.Failure(description: "no folder in /tmp") }
    path = String(cString: made)
  }

  deinit { Self.remove(path) }

  /// Writes a text file, and creates the folders above it.
  func write(_ text: String, to name: String, mode: mode_t? = nil) throws { try write(Array(text.utf8), to: name, mode: mode) }

  /// Writes a file, and creates the folders above it.
  func write(_ bytes: [UInt8], to name: String, mode: mode_t? = nil) throws {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o755)
    }
    guard let file = fopen(path + "/" + name, "w") else { throw ChildProcess.Failure(description: "cannot write \(name)") }
    defer { fclose(file) }
    if let mode { fchmod(fileno(file), mode) }
    if !bytes.isEmpty { fwrite(bytes, 1, bytes.count, file) }
  }

  /// Returns the content of a file; nil if it does not exist.
  static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes.append(contentsOf: buffer[..<count]) }
    return bytes
  }

  /// Returns the names in a folder; empty if it does not exist.
  static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0 != "." && $0 != ".." }
  }

  /// Removes a file, a link or a folder. A link's target is not removed.
  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in names(in: path) { remove(path + "/" + name) }
    rmdir(path)
  }
}
