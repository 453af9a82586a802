// Encodes the content of an image as the bytes of an image file.

internal import GameConfCore

/// The encoder of image files. It is deterministic: equal contents have equal bytes.
public enum ImageWriter {
  /// The first bytes of the header. No text file and no zip archive begins with them, and a transfer that converts line ends damages them.
  public static let magic: [UInt8] = [0x89, 0x47, 0x43, 0x49, 0x0D, 0x0A, 0x1A, 0x0A]
  /// The version of the image format. A reader accepts every minor version of a major version that it knows.
  public static let version: (major: UInt16, minor: UInt16) = (1, 0)
  /// The maximum size of an image that is sent over a socket, in bytes: 16 MiB.
  public static let bytesMax = 16 << 20

  static let headerBytes = 128
  static let sectionBytes = 24
  static let entryBytes = 64

  /// Returns the bytes of the image file; nil if they exceed the limit.
  public static func bytes(_ content: ImageContent, limit: Int = bytesMax) -> [UInt8]? {
    var texts = TextBlob()
    var sections: [(tag: String, record: Int, bytes: [UInt8])] = []
    let entries = records(content.entries, &texts)
    sections.append(("ENTR", entryBytes, entries))
    sections.append(("INDX", 8, index(content.entries)))
    if !content.base.isEmpty { sections.append(("BASE", entryBytes, records(content.base, &texts))) }
    if !content.removed.isEmpty {
      sections.append(("GONE", 8, content.removed.reduce(into: []) { $0.put(texts.reference($1)) }))
    }
    if let themes = content.themes {
      sections.append(("THEM", 16, themes.reduce(into: []) { $0.put(texts.reference($1.id), UInt64($1.isUnlocked ? 1 : 0)) }))
    }
    if let entitlements = content.entitlements {
      sections.append(
        (
          "ENTL", 24,
          entitlements.reduce(into: []) {
            $0.put(texts.reference($1.id), UInt64($1.endsAds ? 1 : 0), UInt64(bitPattern: $1.until?.milliseconds ?? .max))
          }
        ))
    }
    if let products = content.products {
      sections.append(("PROD", 8, products.reduce(into: []) { $0.put(texts.reference($1)) }))
    }
    let context = content.context.isEmpty ? [] : JSONWriter.canonicalBytes(.object(content.context))
    var caller: [UInt8] = []
    caller.put(
      texts.reference(content.game), texts.reference(content.player ?? ""), texts.reference(content.locale ?? ""),
      texts.reference(context))
    sections.append(("CALL", 32, caller))
    sections.append(("TEXT", 1, texts.bytes))
    return assembled(sections, content, limit: limit)
  }

  /// Returns the flags in the header of an image file; nil if the bytes are too short for a header.
  public static func flags(of image: [UInt8]) -> ImageContent.Flags? {
    if image.count < headerBytes { return nil }
    return ImageContent.Flags(rawValue: image[64..<68].reversed().reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// Returns the image file with its instant and checksum zeroed, so that two files with the same values compare equal.
  public static func timeless(_ image: [UInt8]) -> [UInt8] {
    var image = image
    if image.count < headerBytes { return image }
    for at in [24..<32, 56..<64] { image.replaceSubrange(at, with: repeatElement(0, count: at.count)) }
    return image
  }

  private static func assembled(
    _ sections: [(tag: String, record: Int, bytes: [UInt8])], _ content: ImageContent, limit: Int
  ) -> [UInt8]? {
    // Every section begins at a multiple of 64 bytes, a cache line, so that no entry crosses two cache lines.
    var table: [UInt8] = []
    var end = aligned(headerBytes + sections.count * sectionBytes)
    for section in sections {
      table += section.tag.utf8
      table.put32(UInt32(section.record))
      table.put(UInt64(end), UInt64(section.bytes.count))
      end = aligned(end + section.bytes.count)
    }
    guard end <= limit else { return nil }
    var image: [UInt8] = []
    image.reserveCapacity(end)
    image += magic
    image.put16(version.major)
    image.put16(version.minor)
    image.put32(UInt32(headerBytes))
    image.put(UInt64(end), 0)
    image.put(content.epoch, UInt64(bitPattern: content.revision), UInt64(bitPattern: content.playerRevision))
    image.put(UInt64(bitPattern: content.madeAt.milliseconds))
    image.put32(content.flags.rawValue)
    image.put32(UInt32(content.entries.count))
    image.put32(UInt32(sections.count))
    image.put32(UInt32(headerBytes))
    image.put(
      UInt64(bitPattern: content.clock.anchor.milliseconds), UInt64(bitPattern: content.clock.hostAnchor.milliseconds),
      UInt64(bitPattern: content.clock.rateThousandths), UInt64(bitPattern: content.playerClock.offsetMilliseconds))
    image.put(0, 0)
    image += table
    for section in sections {
      image.append(contentsOf: repeatElement(0, count: aligned(image.count) - image.count))
      image += section.bytes
    }
    image.append(contentsOf: repeatElement(0, count: end - image.count))
    seal(&image)
    return image
  }

  /// Writes the checksum of bytes 32 to the end into bytes 24 to 31 of the header.
  static func seal(_ image: inout [UInt8]) {
    let checksum = image.withUnsafeBytes { ImageChecksum.of(UnsafeRawBufferPointer(rebasing: $0[32...])) }
    var bytes: [UInt8] = []
    bytes.put(checksum)
    image.replaceSubrange(24..<32, with: bytes)
  }

  private static func records(_ entries: [ImageEntry], _ texts: inout TextBlob) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(entries.count * entryBytes)
    for entry in entries {
      let value = stored(entry.value, &texts)
      bytes.put32(hash(entry.key))
      bytes.put(texts.reference(entry.key))
      bytes += [value.kind, code(entry.type), entry.source.rawValue, code(entry.reason)]
      bytes.put32(entry.flags.rawValue)
      bytes.put32(0)
      bytes.put(
        value.word, UInt64(bitPattern: entry.revision), UInt64(bitPattern: entry.nextChangeAt?.milliseconds ?? 0),
        texts.reference(entry.variant ?? ""), 0)
    }
    return bytes
  }

  /// Returns an open-addressing hash table with linear probing. Its number of slots is a power of two, and at least half of them are empty.
  /// A used slot has the key's hash and the number of its entry, from 1.
  private static func index(_ entries: [ImageEntry]) -> [UInt8] {
    var slots = 2
    while slots < entries.count * 2 { slots *= 2 }
    var table = [UInt64](repeating: 0, count: slots)
    for (number, entry) in entries.enumerated() {
      let hash = hash(entry.key)
      var slot = Int(hash) & (slots - 1)
      while table[slot] != 0 { slot = (slot + 1) & (slots - 1) }
      table[slot] = UInt64(hash) | UInt64(number + 1) << 32
    }
    return table.reduce(into: []) { $0.put($1) }
  }

  static func hash(_ key: String) -> UInt32 {
    var murmur = Murmur3()
    murmur.update(key)
    return murmur.value
  }

  private static func stored(_ value: Value, _ texts: inout TextBlob) -> (kind: UInt8, word: UInt64) {
    switch value {
    case .bool(let flag): (1, flag ? 1 : 0)
    case .integer(let integer): (2, UInt64(bitPattern: integer))
    case .double(let double): (3, double.bitPattern)
    case .string(let text): (4, texts.reference(text))
    case .null, .list, .object: (5, texts.reference(JSONWriter.bytes(value)))
    }
  }

  private static func code(_ type: ParameterType) -> UInt8 {
    switch type {
    case .boolean: 1
    case .integer: 2
    case .double: 3
    case .string: 4
    case .list: 5
    case .object: 6
    case .localized: 7
    }
  }

  private static func code(_ reason: EvaluationReason) -> UInt8 {
    switch reason {
    case .static: 1
    case .default: 2
    case .targetingMatch: 3
    case .split: 4
    case .disabled: 5
    case .error: 6
    }
  }

  private static func aligned(_ offset: Int) -> Int { (offset + 63) & ~63 }
}

/// The texts of an image file. Each text is stored once and ends with a NUL, so that C code can read it in place.
private struct TextBlob {
  private(set) var bytes: [UInt8] = [0]
  private var known: [[UInt8]: UInt64] = [[]: 0]

  /// Returns a 64-bit reference to the text: the offset in the low half, the length in the high half.
  mutating func reference(_ text: String) -> UInt64 { reference(Array(text.utf8)) }

  mutating func reference(_ text: [UInt8]) -> UInt64 {
    if let known = known[text] { return known }
    let reference = UInt64(bytes.count) | UInt64(text.count) << 32
    bytes += text
    bytes.append(0)
    known[text] = reference
    return reference
  }
}

extension [UInt8] {
  /// Appends integers in little-endian byte order.
  fileprivate mutating func put(_ words: UInt64...) {
    for word in words { Swift.withUnsafeBytes(of: word.littleEndian) { append(contentsOf: $0) } }
  }

  fileprivate mutating func put32(_ word: UInt32) { Swift.withUnsafeBytes(of: word.littleEndian) { append(contentsOf: $0) } }

  fileprivate mutating func put16(_ word: UInt16) { Swift.withUnsafeBytes(of: word.littleEndian) { append(contentsOf: $0) } }
}
