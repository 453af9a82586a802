// Gives back the memory of code and constants that only the start of the daemon needed.

import Glibc

/// The program's code and constants in resident memory.
///
/// A start runs much of the program once: it parses catalogs, opens the database, looks types up. The pages of that
/// code would stay resident until the host is short of memory.
enum ProgramCodeMemory {
  /// Releases the pages of all code, and of the constants before it, with `MADV_DONTNEED`. Pages that are used again are mapped from the
  /// page cache, a few dozen at a time.
  static func release() {
    guard let maps = fopen("/proc/self/maps", "r") else { return }
    defer { fclose(maps) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16 << 10)
    while case let count = fread(&piece, 1, piece.count, maps), count > 0 { text += piece[..<count] }
    for range in releasableRanges(maps: String(decoding: text, as: UTF8.self)) {
      madvise(UnsafeMutableRawPointer(bitPattern: range.lowerBound), range.count, MADV_DONTNEED)
    }
  }

  /// Returns the address ranges of code that is mapped from files, and of the constants that precede the code of the same file. Such pages
  /// have no private data, so nothing is lost if they are released.
  ///
  /// Constants that follow the code are not included: addresses that the dynamic linker has filled in and then protected also follow it, and
  /// a line of /proc/self/maps does not tell them from constants.
  static func releasableRanges(maps: String) -> [Range<UInt>] {
    var ranges: [Range<UInt>] = []
    var preceding: (range: Range<UInt>, path: Substring)?
    for line in maps.split(separator: "\n") {
      // A line of /proc/self/maps has the form START-END r-xp OFFSET DEVICE INODE /PATH.
      let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      defer { if words.count < 6 || words[1] != "r--p" { preceding = nil } }
      guard words.count == 6, case let path = words[5].drop(while: { $0 == " " }), path.first == "/" else { continue }
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      guard ends.count == 2, ends[0] < ends[1] else { continue }
      switch words[1] {
      case "r--p": preceding = (ends[0]..<ends[1], path)
      case "r-xp":
        if let preceding, preceding.path == path { ranges.append(preceding.range) }
        ranges.append(ends[0]..<ends[1])
      default: break
      }
    }
    return ranges
  }
}
