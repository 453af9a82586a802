// Gives back the memory of code that only the start of the daemon needed.

import Glibc

/// The program's code in resident memory.
///
/// A start runs much of the program once: it parses catalogs, opens the database, looks types up. That code would stay resident until the
/// host is short of memory.
enum ProgramCodeMemory {
  /// Releases the pages of all code with `MADV_DONTNEED`. Code that runs again is mapped from the page cache, a few dozen pages at a time.
  static func release() {
    guard let maps = fopen("/proc/self/maps", "r") else { return }
    defer { fclose(maps) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    while case let count = fread(&piece, 1, piece.count, maps), count > 0 { text += piece[..<count] }
    for range in codeRanges(maps: String(decoding: text, as: UTF8.self)) {
      madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    }
  }

  /// Returns the address ranges of read-only code that is mapped from files. Such pages have no private data, so nothing is lost if they
  /// are released.
  static func codeRanges(maps: String) -> [Range<UInt>] {
    maps.split(separator: "\n").compactMap { line in
      // A line of /proc/self/maps has the form START-END r-xp OFFSET DEVICE INODE /PATH.
      let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard words.count == 6, words[1] == "r-xp", words[5].drop(while: { $0 == " " }).first == "/" else { return nil }
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
  }
}
