// A temporary folder for one test, removed with its contents when the object is deallocated.
public import Glibc

/// A temporary folder with a path so short that the paths of Unix sockets in it have at most 107 bytes.
public final class TemporaryFolder: Sendable {
  /// An error of a system call on a file or a folder.
  public struct Failure: Error {
    /// The path, or the name in the folder.
    public let path: String
    /// The value of `errno`.
    public let code: Int32
  }

  /// The absolute path.
  public let path: String

  /// Creates a folder in `/tmp`.
  /// - Parameter isInMemory: True for `/dev/shm` instead, if it exists: a sync costs nothing there.
  public init(isInMemory: Bool = false) throws {
    var template = Array("\(isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/gct.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(path: "/tmp", code: errno) }
    path = String(cString: made)
  }

  deinit { Self.remove(path) }

  /// Writes a text to a file, and creates the missing folders in its path.
  public func write(_ text: String, to name: String, mode: mode_t? = nil) throws { try write(Array(text.utf8), to: name, mode: mode) }

  /// Writes bytes to a file, and creates the missing folders in its path.
  public func write(_ bytes: [UInt8], to name: String, mode: mode_t? = nil) throws {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o755)
    }
    guard let file = fopen(path + "/" + name, "w") else { throw Failure(path: name, code: errno) }
    defer { fclose(file) }
    if let mode { fchmod(fileno(file), mode) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw Failure(path: name, code: errno) }
  }

  /// Reads a file in the folder.
  public func read(_ name: String) throws -> [UInt8] {
    guard let bytes = Self.read(path + "/" + name) else { throw Failure(path: name, code: errno) }
    return bytes
  }

  /// Reads a file; returns nil if it cannot be opened.
  public static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes.append(contentsOf: buffer[..<count]) }
    return bytes
  }

  /// Returns the sorted names in the folder or in a folder in it.
  public func names(in folder: String = "") -> [String] { Self.names(in: path + "/" + folder) }

  /// Returns the sorted names in a folder; empty if it cannot be opened.
  public static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  /// Removes a file, or a folder with its contents. Of a symbolic link, only the link is removed.
  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in names(in: path) { remove(path + "/" + name) }
    rmdir(path)
  }
}
