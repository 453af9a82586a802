// Tests the header Accept-Encoding, and the format of compressed bodies.
import Testing

@testable import GameConfHTTP

@Suite("gzip")
struct GzipTests {
  @Test(
    "the header Accept-Encoding admits gzip by name or by a star, unless its weight is zero",
    arguments: [
      ("gzip", true), ("deflate, gzip;q=0.5", true), ("X-GZIP", true), ("*", true), ("gzip;q=0", false), ("*;q=0, gzip", true),
      ("gzip;q=0.000, *", false), ("", false), ("identity", false), ("br;q=1.0, deflate", false), (";", false), ("gzipped", false),
    ])
  func accepted(list: String, isAccepted: Bool) { #expect(Gzip.isAccepted(by: list) == isAccepted) }

  @Test("a body is compressed to a valid gzip file with header, length and checksum, also if it is empty")
  func frame() throws {
    for count in [0, 1, 8 << 10, 3 << 20] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let compressed = try #require(Gzip.compressed(bytes))
      #expect(compressed.starts(with: [0x1F, 0x8B, 8]))
      #expect(compressed.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) } == count)
      if count > 1_000 { #expect(compressed.count < count / 4) }
    }
  }
}
