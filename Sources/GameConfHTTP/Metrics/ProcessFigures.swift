// The resident memory and the open file descriptors of the process, read from /proc.

internal import Glibc

/// The resident memory and the open file descriptors of this process at one time.
struct ProcessFigures {
  /// The resident memory in bytes; nil if /proc cannot be read.
  let residentBytes: Int?
  /// The number of open file descriptors; nil if /proc cannot be read.
  let openDescriptors: Int?
  /// The limit of open file descriptors (RLIMIT_NOFILE).
  let descriptorsMax: Int?

  init() {
    residentBytes = Self.residentPages().map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    openDescriptors = Self.descriptors()
    var limit = rlimit()
    descriptorsMax = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? Int(clamping: limit.rlim_cur) : nil
  }

  /// Returns the number of resident pages, the second number of `/proc/self/statm`.
  private static func residentPages() -> Int? {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = read(file, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  private static func descriptors() -> Int? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // Does not count `.`, `..`, and the descriptor by which the folder is listed.
    return max(0, count - 3)
  }
}
