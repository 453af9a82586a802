// Gzip files of other programs: valid, truncated, corrupted, and zip bombs.

import Testing

@testable import GameConfFirebase
@testable import GameConfHTTP

@Suite("Decompressing gzip")
struct GunzipTests {
  private static let text = Array(String(repeating: "{\"app_instance_id\": \"p1\", \"language_code\": \"es\"} ", count: 3).utf8)
  /// A gzip file with one block that has fixed Huffman codes.
  private static let fixed =
    "1f8b0800000000000203ab564a2c2888cfcc2b2e49cc4b4e8dcf4c51b252502a3054d25150ca49cc4b2f4d4c4f8d4fce4f490509a7162bd52a54d35c"
    + "0300296eabb293000000"
  /// A gzip file with one stored block, which is not compressed.
  private static let stored =
    "1f8b08000000000004030193006cff7b226170705f696e7374616e63655f6964223a20227031222c20226c616e67756167655f636f6465223a202265"
    + "73227d207b226170705f696e7374616e63655f6964223a20227031222c20226c616e67756167655f636f6465223a20226573227d207b226170705f69"
    + "6e7374616e63655f6964223a20227031222c20226c616e67756167655f636f6465223a20226573227d20296eabb293000000"
  /// A gzip file with one block that has dynamic Huffman codes.
  private static let own =
    "1f8b08000000000002030d8f591500400802ab10c004b6c1bb83cfeebb7f8aa388af88a58dcc5c4bd8b0fb4bd44995582b9207f6452b111f4354dc2f"
    + "928d333f4dd352c5ef227307bd9c50e93e2fa89c96cdc1c4d135ca61eaeefea923280144a3b6260fab6c517c54becaa945a0a7ba08ac7c68ffc639d6"
    + "4d20c933fb074532d264bdd2dc137ef9df1aad196376fd6069a9886d06dba93e8a6bc47db709dc0fb852774d4d0fa659a67a6f3ac18d1d17dd077ddb"
    + "d6382c010000"
  private static let ownText =
    "c{,,bebh,hh}g,dbhagg{,,a:he:,d{bfaaa} ag}dg:a d,hh dfd}d,heag }bc}:eb:f:: g }dee{h g{ahd:,gg}cf :,}:fbh} b,c gfh:ahae:{{"
    + "{g}cc da,d  dg f{fhe} {:ag,: ,c , dgahf{ d ghfgfa  {,{fh{a,d}c {cb, ,ea}bbaha,,edeb,{cfebcce c}e}:eh:fhhbaegfg,debe: d{g"
    + "adagca:ch: }g d},: hd }ag}{,f}}ga:ecdaebbee:cg{eca a{d{hc,:{"
  /// A gzip file whose header has all optional fields.
  private static let named =
    "1f8b081e0000000000ff03006162636e2e6a736f6e00776879001790cb4bcc4d4d010087cce07105000000"

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(decoding: digits[$0..<($0 + 2)], as: UTF8.self), radix: 16) }
  }

  private static func unpacked(_ bytes: [UInt8], bytesMax: Int = 1 << 20) -> Result<[UInt8], GunzipFault> {
    do throws(GunzipFault) { return .success(try Gunzip.unpacked(bytes, bytesMax: bytesMax)) } catch { return .failure(error) }
  }

  @Test("gzip with each kind of block, and with several members, is decompressed")
  func blocks() {
    #expect(Self.unpacked(Self.bytes(Self.fixed)) == .success(Self.text))
    #expect(Self.unpacked(Self.bytes(Self.stored)) == .success(Self.text))
    #expect(Self.unpacked(Self.bytes(Self.own)) == .success(Array(Self.ownText.utf8)))
    #expect(Self.unpacked(Self.bytes(Self.named)) == .success(Array("named".utf8)))
    #expect(Self.unpacked(Self.bytes(Self.fixed + Self.named)) == .success(Self.text + Array("named".utf8)))
  }

  @Test("truncated gzip is refused at every length, and corrupted gzip never yields other content")
  func spoiled() {
    for (hex, whole) in [(Self.fixed, Self.text), (Self.stored, Self.text), (Self.own, Array(Self.ownText.utf8))] {
      let packed = Self.bytes(hex)
      for count in packed.indices {
        guard case .failure(.malformed) = Self.unpacked(Array(packed[..<count])) else {
          Issue.record("cut after \(count) bytes")
          return
        }
      }
      for bit in 0..<(packed.count * 8) {
        var spoiled = packed
        spoiled[bit / 8] ^= 1 << UInt8(bit % 8)
        if case .success(let text) = Self.unpacked(spoiled) { #expect(text == whole, "bit \(bit)") }
      }
    }
    #expect(Self.unpacked(Self.bytes(Self.fixed) + [0]) != .success(Self.text))
  }

  @Test("gzip content is accepted up to the limit and refused beyond it")
  func bound() {
    let packed = Self.bytes(Self.fixed)
    #expect(Self.unpacked(packed, bytesMax: Self.text.count) == .success(Self.text))
    #expect(Self.unpacked(packed, bytesMax: Self.text.count - 1) == .failure(.tooLong(bytesMax: Self.text.count - 1)))
    #expect(Gunzip.isGzip(packed) && !Gunzip.isGzip(Self.text) && !Gunzip.isGzip([]))
  }

  @Test("content compressed with gzip decompresses to the same bytes, also if it is long")
  func roundTrip() throws {
    for count in [0, 1, 64 << 10, (64 << 10) + 1, 3 << 20] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) }
      let packed = try #require(Gzip.compressed(bytes))
      #expect(Self.unpacked(packed, bytesMax: count) == .success(bytes))
      if count > 0 { #expect(Self.unpacked(packed, bytesMax: count - 1) == .failure(.tooLong(bytesMax: count - 1))) }
    }
  }

  @Test("a gzip bomb of a gigabyte in a megabyte is refused at the limit")
  func bomb() throws {
    let packed = try #require(Gzip.compressed([UInt8](repeating: 0, count: 64 << 20)))
    let members = [[UInt8]](repeating: packed, count: 16).flatMap { $0 }
    #expect(Self.unpacked(members) == .failure(.tooLong(bytesMax: 1 << 20)))
  }
}
