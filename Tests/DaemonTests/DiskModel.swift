// A model of a disk after a power loss: everything that was synced, and any part of the rest.

import Glibc
import TestSupport

/// A file's synced content, with the changes that are not synced yet.
final class ModelledFile {
  enum Change {
    case write(offset: Int, ArraySlice<UInt8>)
    case resize(Int)
  }

  private var durable: [UInt8]
  private var pending: [Change] = []

  init(_ durable: [UInt8] = []) { self.durable = durable }

  func note(_ change: Change) { pending.append(change) }

  func sync() {
    for change in pending { Self.apply(change, to: &durable) }
    pending = []
  }

  var isSettled: Bool { pending.isEmpty }

  /// The content with all changes.
  var whole: [UInt8] { pending.reduce(into: durable) { Self.apply($1, to: &$0) } }

  /// Returns the synced content with any part of the other changes. Each change may be missing, and a write may be torn at sector boundaries.
  /// - Parameter loss: The changes to lose.
  func left(_ loss: PowerLoss, _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = durable
    for change in pending {
      switch (loss, change) {
      case (.nothing, _): Self.apply(change, to: &bytes)
      case (.everything, _): break
      case (.changes, _): if Bool.random(using: &random) { Self.apply(change, to: &bytes) }
      case (.sectors, .resize): if Bool.random(using: &random) { Self.apply(change, to: &bytes) }
      case (.sectors(let size), .write(let offset, let data)):
        var at = 0
        while at < data.count {
          let end = min(data.count, (offset + at) / size * size + size - offset)
          let part = data[(data.startIndex + at)..<(data.startIndex + end)]
          if Bool.random(using: &random) { Self.apply(.write(offset: offset + at, part), to: &bytes) }
          at = end
        }
      }
    }
    return bytes
  }

  private static func apply(_ change: Change, to bytes: inout [UInt8]) {
    switch change {
    case .resize(let size):
      if size < bytes.count { bytes.removeLast(bytes.count - size) } else { bytes += Array(repeating: 0, count: size - bytes.count) }
    case .write(let offset, let data):
      let end = offset + data.count
      if end > bytes.count { bytes += Array(repeating: 0, count: end - bytes.count) }
      bytes.withUnsafeMutableBytes { all in
        data.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: all[offset..<end]).copyMemory(from: $0) }
      }
    }
  }
}

/// The unsynced changes that are lost.
enum PowerLoss: CaseIterable {
  /// No change is lost, as when the program is killed.
  case nothing
  /// Every unsynced change is lost.
  case everything
  /// A random subset of the changes is lost.
  case changes
  /// A random subset of the sectors is lost.
  case sectors(Int)

  static let allCases: [PowerLoss] = [.nothing, .everything, .changes, .sectors(512), .sectors(4096)]
}

/// A folder on a disk, built from a recording.
///
/// Unsynced names are lost from some point on, in the order in which they were created. A name may be durable long before its file's content.
/// Created folders are durable immediately.
struct DiskModel {
  private enum Naming {
    case make(String, ModelledFile)
    case rename(String, String)
    case remove(String)

    /// The folder whose sync makes the name durable.
    var folder: String {
      switch self {
      case .make(let path, _), .rename(_, let path), .remove(let path): DiskModel.folder(of: path)
      }
    }
  }

  private var names: [String: ModelledFile] = [:]
  private var pending: [Naming] = []
  private var files: [UInt64: ModelledFile] = [:]
  private(set) var folders: Set<String> = []

  /// Creates an empty folder, or one with the files of this folder.
  init(of folder: String? = nil) {
    guard let folder else { return }
    for name in TemporaryFolder.names(in: folder) {
      var status = stat()
      guard stat(folder + "/" + name, &status) == 0, let bytes = TemporaryFolder.read(folder + "/" + name) else { continue }
      let file = ModelledFile(bytes)
      (names[name], files[UInt64(status.st_ino)]) = (file, file)
    }
  }

  static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }

  /// Applies a record.
  mutating func apply(_ record: DiskRecord) {
    switch record.kind {
    case .created:
      let file = ModelledFile()
      files[record.file] = file
      pending.append(.make(record.path, file))
    case .resized: files[record.file]?.note(.resize(record.offset))
    case .written: files[record.file]?.note(.write(offset: record.offset, record.data))
    case .synced: files[record.file]?.sync()
    case .renamed: pending.append(.rename(record.path, record.target))
    case .removed: pending.append(.remove(record.path))
    case .folderMade: folders.insert(record.path)
    case .folderRemoved: folders.remove(record.path)
    case .folderSynced:
      for naming in pending where naming.folder == record.path { Self.apply(naming, to: &names) }
      pending.removeAll { $0.folder == record.path }
    case .mark: break
    }
  }

  private static func apply(_ naming: Naming, to names: inout [String: ModelledFile]) {
    switch naming {
    case .make(let path, let file): names[path] = file
    case .rename(let path, let target): names[target] = names.removeValue(forKey: path) ?? names[target]
    case .remove(let path): names[path] = nil
    }
  }

  /// Returns the files after a power loss.
  func files(after loss: PowerLoss, _ random: inout SeededGenerator) -> [String: [UInt8]] {
    var left = names
    let appliedCount =
      switch loss {
      case .nothing: pending.count
      case .everything: 0
      case .changes, .sectors: Int.random(in: 0...pending.count, using: &random)
      }
    for naming in pending.prefix(appliedCount) { Self.apply(naming, to: &left) }
    var bytes: [String: [UInt8]] = [:]
    for (path, file) in left.sorted(by: { $0.key < $1.key }) { bytes[path] = file.left(loss, &random) }
    return bytes
  }

  /// Writes the files of ``files(after:_:)`` into a test's folder.
  func write(_ files: [String: [UInt8]], to folder: TemporaryFolder, below name: String) throws {
    mkdir(folder.path + "/" + name, 0o755)
    for made in folders.sorted() { mkdir(folder.path + "/" + name + "/" + made, 0o755) }
    for (path, bytes) in files { try folder.write(bytes, to: name + "/" + path) }
  }
}
