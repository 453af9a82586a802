// A recording of a program's file operations in a folder, written by Tests/Fixtures/Disk/disk.c.

import GameConfCore
import Glibc

/// The preloaded library that makes file operations fail, or records them.
enum DiskLibrary {
  /// Compiles the library into a folder.
  /// - Returns: The library's path; nil without a compiler.
  static func make(in folder: TemporaryFolder) throws -> String? {
    guard access("/usr/bin/cc", X_OK) == 0 else {
      print("SKIPPED: a disk under the daemon was not tried, since there is no /usr/bin/cc")
      return nil
    }
    let path = folder.path + "/disk.so"
    let made = try ChildProcess(
      "/usr/bin/cc", ["-shared", "-fPIC", "-O1", "-o", path, Built.tree + "/Tests/Fixtures/Disk/disk.c", "-ldl", "-lpthread"]
    ).waitForEnd()
    guard made.status == 0 else { throw ChildProcess.Failure(description: "\(made.errors)") }
    return path
  }

  /// Returns the value of `LD_PRELOAD` with this library and the libraries that the tests themselves were started with.
  static func preloaded(_ library: String) -> String { getenv("LD_PRELOAD").map { "\(library):\(String(cString: $0))" } ?? library }
}

/// One recorded file operation.
struct DiskRecord {
  enum Kind: UInt8 {
    case created = 67, resized = 84, written = 87, synced = 83, folderSynced = 68, renamed = 82, removed = 85, folderMade = 77
    case folderRemoved = 88
    /// A mark of the test: a call was sent or acknowledged.
    case mark = 65
  }

  var kind: Kind
  /// The inode of the file.
  var file: UInt64
  /// The offset of a write, or the new size of the file.
  var offset: Int
  /// The path relative to the recorded folder.
  var path: String
  /// The new path of a rename.
  var target: String
  var data: ArraySlice<UInt8>
}

/// A recording: the environment that records a program, and the records.
final class DiskLog {
  private static let headBytes = 29
  let environment: [String: String]
  private let path: String
  private let under: String
  private let descriptor: Int32

  /// Records the operations in the folder “state” of a test's folder.
  init(_ folder: TemporaryFolder, library: String) throws {
    path = folder.path + "/disk.log"
    under = folder.path + "/state/"
    environment = ["LD_PRELOAD": DiskLibrary.preloaded(library), "GAMECONF_DISK_LOG": path, "GAMECONF_DISK_UNDER": under]
    descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ChildProcess.Failure(description: "cannot write \(path)") }
  }

  deinit { close(descriptor) }

  /// Adds a mark at this place of the recording.
  func mark(_ text: String) {
    var record = [UInt8](repeating: 0, count: Self.headBytes)
    record[0] = DiskRecord.Kind.mark.rawValue
    withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { record.replaceSubrange(17..<21, with: $0) }
    record += text.utf8
    _ = write(descriptor, record, record.count)
  }

  func records() throws -> [DiskRecord] {
    guard let bytes = TemporaryFolder.read(path) else { throw ChildProcess.Failure(description: "no \(path)") }
    var records: [DiskRecord] = []
    var at = 0
    func number<NumberResolution: FixedWidthInteger>(_ offset: Int, _ type: NumberResolution.Type) -> NumberResolution {
      bytes.withUnsafeBytes { NumberResolution(littleEndian: $0.loadUnaligned(fromByteOffset: at + offset, as: type)) }
    }
    while at + Self.headBytes <= bytes.count {
      guard let kind = DiskRecord.Kind(rawValue: bytes[at]) else { throw ChildProcess.Failure(description: "no record at byte \(at)") }
      let lengths = (0..<3).map { Int(number(17 + 4 * $0, UInt32.self)) }
      let starts = [at + Self.headBytes, at + Self.headBytes + lengths[0], at + Self.headBytes + lengths[0] + lengths[1]]
      let end = starts[2] + lengths[2]
      guard end <= bytes.count else { throw ChildProcess.Failure(description: "a record at byte \(at) is cut") }
      func text(_ part: Int) -> String { String(decoding: bytes[starts[part]..<starts[part] + lengths[part]], as: UTF8.self) }
      let (path, target) = (text(0), text(1))
      records.append(
        DiskRecord(
          kind: kind, file: number(1, UInt64.self), offset: Int(number(9, Int64.self)), path: kind == .mark ? path : relative(path),
          target: relative(target), data: bytes[starts[2]..<end]))
      at = end
    }
    return records
  }

  private func relative(_ path: String) -> String { path.hasPrefix(under) ? String(path.dropFirst(under.count)) : "" }
}
