// A directory of its own for each test, removed when the test ends.
import Glibc

final class TemporaryDirectory: Sendable {
  let path: String

  /// - Parameter isInMemory: whether it lies in memory where there is such a file system: for tests whose stores need not outlast anything, as a sync
  ///   costs nothing there.
  init(isInMemory: Bool = false) throws {
    let parent = isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/gameconf-storage-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw DirectoryFault(code: errno) }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit { Self.remove(path) }

  func names(in subdirectory: String = "") -> [String] { Self.names(path + "/" + subdirectory) }

  func write(_ bytes: [UInt8], to name: String) throws {
    let descriptor = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw DirectoryFault(code: errno) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw DirectoryFault(code: errno) }
  }

  func read(_ name: String) throws -> [UInt8] {
    let descriptor = open(path + "/" + name, O_RDONLY)
    guard descriptor >= 0 else { throw DirectoryFault(code: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count >= 0 else { throw DirectoryFault(code: errno) }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
    }
  }

  static func names(_ path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func remove(_ path: String) {
    for name in names(path) where unlink(path + "/" + name) != 0 { remove(path + "/" + name) }
    rmdir(path)
  }
}

struct DirectoryFault: Error {
  let code: Int32
}
