// A folder of a test's own, gone when the test is over.
public import Glibc

/// A folder with a short path, so that sockets fit in it.
public final class TemporaryFolder: Sendable {
  /// A fault of the system with a file or a folder.
  public struct Failure: Error {
    /// The place.
    public let path: String
    /// The system's error.
    public let code: Int32
  }

  /// The absolute path, short enough for sockets in the folder.
  public let path: String

  /// Makes a folder.
  /// - Parameter isInMemory: True for a file system in memory, if there is one, where a sync costs nothing.
  public init(isInMemory: Bool = false) throws {
    var template = Array("\(isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/gct.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(path: "/tmp", code: errno) }
    path = String(cString: made)
  }

  deinit { Self.remove(path) }

  /// Writes a file, making the folders above it.
  public func write(_ text: String, to name: String, mode: mode_t? = nil) throws { try write(Array(text.utf8), to: name, mode: mode) }

  /// Writes a file, making the folders above it.
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

  /// Reads a file of it.
  public func read(_ name: String) throws -> [UInt8] {
    guard let bytes = Self.read(path + "/" + name) else { throw Failure(path: name, code: errno) }
    return bytes
  }

  /// Reads a file; nil when it is not there.
  public static func read(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes.append(contentsOf: buffer[..<count]) }
    return bytes
  }

  /// The names in it or in a folder of it, sorted.
  public func names(in folder: String = "") -> [String] { Self.names(in: path + "/" + folder) }

  /// The names in a folder, sorted; none when it is not there.
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

  /// Removes a file, a link or a folder with its content. A link's target is not removed.
  private static func remove(_ path: String) {
    if unlink(path) == 0 { return }
    for name in names(in: path) { remove(path + "/" + name) }
    rmdir(path)
  }
}
