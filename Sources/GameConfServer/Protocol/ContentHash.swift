// The hash of ETags: MurmurHash3 x64 128-bit (Austin Appleby, public domain), seed 0.

/// A 128-bit hash of an answer's body.
///
/// The hash is not cryptographic. A client that could produce two bodies with one hash may write those values anyway.
package struct ContentHash: Sendable, Hashable {
  let high: UInt64
  let low: UInt64

  package init(_ bytes: UnsafeRawBufferPointer) {
    let (c1, c2): (UInt64, UInt64) = (0x87c3_7b91_1142_53d5, 0x4cf5_ad43_2745_937f)
    var (h1, h2): (UInt64, UInt64) = (0, 0)
    let blocksEnd = bytes.count & ~15
    var at = 0
    while at < blocksEnd {
      let k1 = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      let k2 = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self))
      h1 ^= Self.rotated(k1 &* c1, 31) &* c2
      h1 = (Self.rotated(h1, 27) &+ h2) &* 5 &+ 0x52dc_e729
      h2 ^= Self.rotated(k2 &* c2, 33) &* c1
      h2 = (Self.rotated(h2, 31) &+ h1) &* 5 &+ 0x3849_5ab5
      at += 16
    }
    var (k1, k2): (UInt64, UInt64) = (0, 0)
    for (offset, byte) in bytes[blocksEnd...].enumerated() {
      if offset < 8 { k1 |= UInt64(byte) << UInt64(offset * 8) } else { k2 |= UInt64(byte) << UInt64((offset - 8) * 8) }
    }
    h2 ^= Self.rotated(k2 &* c2, 33) &* c1
    h1 ^= Self.rotated(k1 &* c1, 31) &* c2
    h1 ^= UInt64(bytes.count)
    h2 ^= UInt64(bytes.count)
    h1 = h1 &+ h2
    h2 = h2 &+ h1
    (h1, h2) = (Self.mixed(h1), Self.mixed(h2))
    h1 = h1 &+ h2
    (high, low) = (h1, h2 &+ h1)
  }

  private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }

  private static func mixed(_ word: UInt64) -> UInt64 {
    var word = word
    word = (word ^ word >> 33) &* 0xff51_afd7_ed55_8ccd
    word = (word ^ word >> 33) &* 0xc4ce_b9fe_1a85_ec53
    return word ^ word >> 33
  }
}

/// An entity tag (ETag) of an HTTP answer, with its quotes.
package struct EntityTag: Sendable, Hashable {
  /// The tag as it appears in `ETag`.
  package let text: String

  /// Creates a strong tag from the hash of a body.
  package init(of body: [UInt8]) {
    let hash = body.withUnsafeBytes { ContentHash($0) }
    var bytes = [UInt8(ascii: "\"")]
    bytes.reserveCapacity(34)
    for word in [hash.high, hash.low] {
      for shift in stride(from: UInt64(60), through: 0, by: -4) {
        let digit = UInt8(word >> shift & 15)
        bytes.append(digit < 10 ? 48 + digit : 87 + digit)
      }
    }
    bytes.append(UInt8(ascii: "\""))
    text = String(decoding: bytes, as: UTF8.self)
  }

  /// Creates a weak tag from some bytes of a body, such as all except a time. Bodies in which these bytes are equal are equivalent.
  package init(weaklyOf bytes: [UInt8]) { text = "W/" + EntityTag(of: bytes).text }

  /// Creates a tag that is not a hash, such as a template's. `opaque` must not contain quotes or control characters.
  package init(opaque: String) { text = "\"\(opaque)\"" }

  /// True if this tag matches the value of an `If-None-Match` or `If-Match` header, in its list or by `*`.
  /// - Parameter weakly: True for the weak comparison, in which `W/"…"` matches too (RFC 9110, 13.1.2: If-None-Match yes, If-Match no).
  package func isNamed(in list: String, weakly: Bool) -> Bool {
    let own = weakly && text.hasPrefix("W/") ? text.dropFirst(2) : text[...]
    for part in list.split(separator: ",") {
      var tag = part.drop { $0 == " " || $0 == "\t" }
      while let last = tag.last, last == " " || last == "\t" { tag.removeLast() }
      if tag == "*" { return true }
      if weakly, tag.hasPrefix("W/") { tag = tag.dropFirst(2) }
      if tag == own, weakly || !text.hasPrefix("W/") { return true }
    }
    return false
  }
}
