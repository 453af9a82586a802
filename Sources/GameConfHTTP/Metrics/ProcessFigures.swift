// The daemon's use of the machine, as the kernel counts it.

internal import Glibc

/// Memory and descriptors of this process.
struct ProcessFigures {
  /// Bytes of memory that are in use and resident; nil where the kernel does not say.
  let residentBytes: Int?
  /// The number of descriptors that are open; nil where the kernel does not say.
  let openDescriptors: Int?
  /// The most descriptors that may be open.
  let descriptorsMax: Int?

  /// As it is now.
  init() {
    residentBytes = Self.residentPages().map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    openDescriptors = Self.descriptors()
    var limit = rlimit()
    descriptorsMax = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 ? Int(clamping: limit.rlim_cur) : nil
  }

  /// The second number of `/proc/self/statm`.
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
    // Not `.`, `..`, and the folder itself.
    return max(0, count - 3)
  }
}
