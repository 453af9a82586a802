// An image and a patch that use every part of the image format, and the text in which the documentation prints their bytes.

import GameConfAPI
import GameConfCore

enum ImageSamples {
  private static let noon = Instant(milliseconds: 1_767_268_800_000)

  static var image: ImageContent {
    var content = ImageContent(
      game: "dots", player: "p1", locale: "fr", context: ["platform": "ios"], epoch: 0x0123_4567_89AB_CDEF, revision: 42, playerRevision: 7,
      madeAt: noon, clock: SimulatedClock(anchor: noon, hostAnchor: noon, rateThousandths: 60_000),
      playerClock: PlayerClock(offsetMilliseconds: 86_400_000),
      entries: [
        ImageEntry(key: "shadows", type: .boolean, value: true, source: .catalogDefault, reason: .static, revision: 40),
        ImageEntry(
          key: "lives", type: .integer, value: 5, source: .playerOverride, reason: .targetingMatch, revision: 42,
          nextChangeAt: noon.adding(milliseconds: 3_600_000), flags: [.variesByCaller, .overridden]),
        ImageEntry(
          key: "speed", type: .double, value: 2.5, source: .remote, reason: .split, variant: "fast", revision: 41, flags: [.variesByCaller]),
        ImageEntry(
          key: "title", type: .localized, value: "Où est le point ?", source: .catalogDefault, reason: .default, revision: 40,
          flags: [.variesByCaller]),
        ImageEntry(
          key: "colours", type: .list, value: ["red", "blue"], source: .gameOverride, reason: .static, revision: 39, flags: [.overridden]),
      ])
    content.base = [
      ImageEntry(key: "lives", type: .integer, value: 3, source: .catalogDefault, reason: .default, revision: 40, flags: [.variesByCaller])
    ]
    content.themes = [ImageContent.Theme(id: "aurora", isUnlocked: true), ImageContent.Theme(id: "neon", isUnlocked: false)]
    content.entitlements = [ImageContent.Entitlement(id: "ad_free", endsAds: true, until: noon.adding(milliseconds: 7_200_000))]
    content.products = ["remove_ads"]
    return content
  }

  /// A patch in which the override of `lives` is removed, `speed` has changed, `title` has left the catalog, and neon is unlocked.
  static var patch: ImageContent {
    var content = image
    content.revision = 43
    content.playerRevision = 8
    content.flags.insert(.patch)
    content.entries = [
      ImageEntry(key: "lives", type: .integer, value: 3, source: .catalogDefault, reason: .default, revision: 43, flags: [.variesByCaller]),
      ImageEntry(
        key: "speed", type: .double, value: 4.0, source: .remote, reason: .split, variant: "slow", revision: 43, flags: [.variesByCaller]),
    ]
    content.base = []
    content.removed = ["title"]
    content.themes = [ImageContent.Theme(id: "aurora", isUnlocked: true), ImageContent.Theme(id: "neon", isUnlocked: true)]
    content.entitlements = nil
    content.products = nil
    return content
  }

  /// Returns the image as the documentation prints it: the header and the tables field by field, one entry, and the rest with 16 bytes a
  /// line.
  static func annotated(_ image: [UInt8]) -> String {
    var lines: [String] = []
    var at = 0
    func line(_ count: Int, _ says: String) {
      let bytes = image[at..<(at + count)].map(hex).joined(separator: " ")
      lines.append("\(hexOffset(at))  \(padded(bytes, 48)) \(says)")
      at += count
    }
    for (count, says) in header { line(count, says) }
    let sections = Int(image[72])
    var places: [(tag: String, offset: Int, length: Int)] = []
    for _ in 0..<sections {
      let tag = String(decoding: image[at..<(at + 4)], as: UTF8.self)
      let place = (tag, integer(image, at + 8), integer(image, at + 16))
      places.append(place)
      line(8, "section \(tag), record length")
      line(16, "  its offset and length")
    }
    for place in places {
      lines.append("          \(place.tag)")
      at = place.offset
      if place.tag == "ENTR" { for (count, says) in entry { line(count, says) } }
      while at < place.offset + place.length {
        let count = min(16, place.offset + place.length - at)
        line(count, place.tag == "TEXT" ? printable(image[at..<(at + count)]) : "")
      }
    }
    return lines.map { $0.trimmingSuffix(" ") }.joined(separator: "\n")
  }

  private static let header: [(Int, String)] = [
    (8, "magic"), (4, "major 1, minor 0"), (4, "header length"), (8, "total size"), (8, "checksum of all that follows"), (8, "epoch"),
    (8, "game revision"), (8, "player revision"), (8, "made at, ms since 1970"), (4, "flags: for a player"), (4, "entries"),
    (4, "sections"),
    (4, "offset of their table"), (8, "clock: anchor"), (8, "clock: host anchor"), (8, "clock: rate in thousandths"),
    (8, "the player's time ahead, ms"), (16, "reserved"),
  ]

  private static let entry: [(Int, String)] = [
    (4, "hash of the key"), (8, "key: offset and length in TEXT"), (4, "kind boolean, type, source default, reason STATIC"), (4, "flags"),
    (4, "reserved"), (8, "value: true"), (8, "revision of the value"), (8, "next change at: none"), (8, "variant: none"), (8, "reserved"),
  ]

  private static func integer(_ image: [UInt8], _ at: Int) -> Int { image[at..<(at + 8)].reversed().reduce(0) { $0 << 8 | Int($1) } }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  private static func hexOffset(_ offset: Int) -> String {
    let text = String(offset, radix: 16)
    return String(repeating: "0", count: 6 - text.count) + text
  }

  private static func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(width - text.count, 0)) }

  private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
  }
}

extension String {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    var text = self
    while text.last == character { text.removeLast() }
    return text
  }
}
