// Lets go of the code that only starting needed.

import Glibc

/// The program's code in resident memory.
///
/// Starting runs through much of the program once: catalogs are read, the database is opened, types are looked up. Most of that is not run
/// again, yet it stays mapped until the host is short of memory.
enum StartMemory {
  /// Unmaps the pages of all code; what is run again comes back from the page cache as it is used, a few dozen pages at a time.
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

  /// The ranges where files are mapped as code that cannot be written: nothing in them is the process's own, so nothing can be lost.
  static func codeRanges(maps: String) -> [Range<UInt>] {
    maps.split(separator: "\n").compactMap { line in
      // START-END r-xp OFFSET DEVICE INODE /PATH
      let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard words.count == 6, words[1] == "r-xp", words[5].drop(while: { $0 == " " }).first == "/" else { return nil }
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }
  }
}
