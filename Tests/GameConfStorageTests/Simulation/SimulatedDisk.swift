// The disk that SQLite uses in a simulation: its calls hand over, fail, and lose unsynced changes at a power failure.
import CSQLite
import Glibc
import Synchronization
import TestSupport

@testable import GameConfStorage

/// The disk of one simulation.
///
/// The files and SQLite's access to them are real. Only the functions that read, write, truncate and sync a file are replaced, and only for
/// files that a simulated thread opens. Unchecked: only the running thread accesses it.
final class SimulatedDisk: @unchecked Sendable {
  enum Call: CaseIterable { case read, write, sync, truncate }

  /// The kinds of disk calls that fail, and the failures' number and beginning.
  struct Faults: CustomStringConvertible {
    /// The number of disk calls of these kinds that succeed before the first failure.
    var after: Int
    /// The number of disk calls that fail.
    var count: Int
    var calls: [Call]
    var isFull: Bool

    var description: String { "\(count) faults after \(after) of \(calls)\(isFull ? ", no space" : "")" }
  }

  /// A write or truncation of a file that is not synced yet, with the data to undo it.
  private struct Change {
    var offset: Int
    /// The written bytes; nil for a truncation.
    var bytes: [UInt8]?
    /// The former bytes and length of the file.
    var before: [UInt8]
    var length: Int
  }

  var faults: Faults?
  /// The number of disk calls that have failed so far.
  private(set) var failed = 0
  private var unsynced: [String: [Change]] = [:]
  private var paths: [UnsafeRawPointer: String] = [:]

  /// Records an opened file.
  fileprivate func open(_ file: UnsafeRawPointer, _ path: String) {
    paths[file] = path
    if Self.bytes(of: path).isEmpty { unsynced[path] = nil }
  }

  /// Returns the error of a call; nil if it succeeds.
  fileprivate func error(of call: Call) -> Int32? {
    guard let present = faults, present.calls.contains(call), present.count > 0 else { return nil }
    if present.after > 0 {
      faults?.after -= 1
      return nil
    }
    faults?.count -= 1
    failed += 1
    // SQLite's extended code has the kind of call in the second byte.
    return switch call {
    case .read: SQLITE_IOERR | 1 << 8
    case .write: present.isFull ? SQLITE_FULL : SQLITE_IOERR | 3 << 8
    case .sync: SQLITE_IOERR | 4 << 8
    case .truncate: SQLITE_IOERR | 6 << 8
    }
  }

  fileprivate func noteWrite(_ file: UnsafeRawPointer, _ bytes: UnsafeRawPointer, _ count: Int, at offset: Int) {
    guard let path = paths[file] else { return }
    let present = Self.bytes(of: path, from: offset, count: count)
    unsynced[path, default: []].append(
      Change(
        offset: offset, bytes: Array(UnsafeRawBufferPointer(start: bytes, count: count)), before: present.bytes, length: present.length))
  }

  fileprivate func noteCut(_ file: UnsafeRawPointer, to length: Int) {
    guard let path = paths[file] else { return }
    let present = Self.bytes(of: path, from: length, count: .max)
    unsynced[path, default: []].append(Change(offset: length, before: present.bytes, length: present.length))
  }

  fileprivate func noteSync(_ file: UnsafeRawPointer) { if let path = paths[file] { unsynced[path] = nil } }

  /// Copies the files of a folder in their state after a crash.
  /// - Parameter keeps: Decides for each unsynced change whether it reached the disk; nil if all did, as after a kill.
  func crash(_ folder: String, into copy: TemporaryFolder, at name: String, keeps: (() -> Bool)?) throws {
    mkdir(copy.path + "/" + name, 0o750)
    for file in TemporaryFolder.names(in: folder) where !file.hasSuffix("-shm") {
      let path = folder + "/" + file
      var bytes = Self.bytes(of: path)
      if let keeps, let changes = unsynced[path] {
        for change in changes.reversed() { Self.write(change.before, at: change.offset, cuttingTo: change.length, in: &bytes) }
        for change in changes where keeps() {
          Self.write(change.bytes ?? [], at: change.offset, cuttingTo: change.bytes == nil ? change.offset : nil, in: &bytes)
        }
      }
      try copy.write(bytes, to: name + "/" + file)
    }
  }

  private static func write(_ new: [UInt8], at offset: Int, cuttingTo length: Int?, in bytes: inout [UInt8]) {
    if bytes.count < offset + new.count { bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count) }
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
    if let length, bytes.count > length { bytes.removeLast(bytes.count - length) }
  }

  private static func bytes(of path: String) -> [UInt8] { bytes(of: path, from: 0, count: .max).bytes }

  private static func bytes(of path: String, from offset: Int, count: Int) -> (bytes: [UInt8], length: Int) {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return ([], 0) }
    defer { close(descriptor) }
    let length = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: max(0, min(count, length - offset)))
    let read = pread(descriptor, &bytes, bytes.count, off_t(offset))
    return (Array(bytes.prefix(max(0, read))), length)
  }

  // MARK: SQLite

  /// Installs the simulated disk for SQLite calls from simulated threads. Calls from all other threads use the real one.
  static func install() {
    // SQLite must be initialized by the product before its file system is replaced here.
    _ = try? SQLiteConnection(path: ":memory:", for: .writing)
    guard let real = sqlite3_vfs_find(nil) else { return }
    SimulatedFile.real = real
    let simulated = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    simulated.initialize(to: real.pointee)
    simulated.pointee.zName = UnsafePointer(strdup("simulated"))
    simulated.pointee.xOpen = { _, name, file, flags, outFlags in
      // Between opening the database and its log, another file may have replaced either.
      SimulatedFile.simulation?.handOver()
      let code = SimulatedFile.real?.pointee.xOpen(SimulatedFile.real, name, file, flags, outFlags) ?? SQLITE_CANTOPEN
      guard code == SQLITE_OK, let simulation = SimulatedFile.simulation, let file, let methods = file.pointee.pMethods else { return code }
      file.pointee.pMethods = SimulatedFile.simulated(methods)
      if let name { simulation.disk.open(file, String(cString: name)) }
      return code
    }
    simulated.pointee.xSleep = { _, microseconds in
      guard let simulation = Simulation.Worker.current?.simulation else {
        return SimulatedFile.real?.pointee.xSleep(SimulatedFile.real, microseconds) ?? 0
      }
      simulation.wait(milliseconds: max(1, Int(microseconds) / 1_000)) { false }
      return microseconds
    }
    sqlite3_vfs_register(simulated, 1)
  }
}

/// The functions by which SQLite reads and writes a file.
private enum SimulatedFile {
  nonisolated(unsafe) static var real: UnsafeMutablePointer<sqlite3_vfs>?
  /// The method tables of real files, and their replaced copies, by address.
  private static let known = Mutex<[UInt: UInt]>([:])
  nonisolated(unsafe) static var realMethods: sqlite3_io_methods?

  /// The simulation of the calling thread; nil for all other threads and for the test's own calls.
  static var simulation: Simulation? { Simulation.Worker.current.flatMap { $0.isAside ? nil : $0.simulation } }

  static func simulated(_ methods: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods> {
    let key = UInt(bitPattern: methods)
    let copy = known.withLock { known in
      if let copy = known[key] { return copy }
      // All kinds of files share the same functions for reading and writing.
      if let methods = UnsafePointer<sqlite3_io_methods>(bitPattern: key) { known[key] = replaced(methods) }
      return known[key] ?? key
    }
    return UnsafePointer(bitPattern: copy) ?? methods
  }

  private static func replaced(_ methods: UnsafePointer<sqlite3_io_methods>) -> UInt {
    let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    copy.initialize(to: methods.pointee)
    realMethods = methods.pointee
    copy.pointee.xRead = { file, bytes, count, offset in
      if let error = SimulatedFile.simulation?.disk.error(of: .read) { return error }
      return SimulatedFile.realMethods?.xRead(file, bytes, count, offset) ?? SQLITE_IOERR
    }
    copy.pointee.xWrite = { file, bytes, count, offset in
      guard let simulation = SimulatedFile.simulation, let file, let bytes else {
        return SimulatedFile.realMethods?.xWrite(file, bytes, count, offset) ?? SQLITE_IOERR
      }
      simulation.handOver()
      simulation.note(UInt64(count))
      // A failing write may have written a part.
      let error = simulation.disk.error(of: .write)
      let count = error == nil ? count : count / 2
      simulation.disk.noteWrite(file, bytes, Int(count), at: Int(offset))
      let code = SimulatedFile.realMethods?.xWrite(file, bytes, count, offset) ?? SQLITE_IOERR
      return error ?? code
    }
    copy.pointee.xTruncate = { file, length in
      guard let simulation = SimulatedFile.simulation, let file else {
        return SimulatedFile.realMethods?.xTruncate(file, length) ?? SQLITE_IOERR
      }
      simulation.handOver()
      if let error = simulation.disk.error(of: .truncate) { return error }
      simulation.disk.noteCut(file, to: Int(length))
      return SimulatedFile.realMethods?.xTruncate(file, length) ?? SQLITE_IOERR
    }
    copy.pointee.xSync = { file, flags in
      guard let simulation = SimulatedFile.simulation, let file else {
        return SimulatedFile.realMethods?.xSync(file, flags) ?? SQLITE_IOERR
      }
      simulation.handOver()
      if let error = simulation.disk.error(of: .sync) { return error }
      simulation.disk.noteSync(file)
      return SQLITE_OK
    }
    copy.pointee.xShmLock = { file, offset, count, flags in
      SimulatedFile.simulation?.handOver()
      return SimulatedFile.realMethods?.xShmLock(file, offset, count, flags) ?? SQLITE_IOERR
    }
    return UInt(bitPattern: copy)
  }
}
