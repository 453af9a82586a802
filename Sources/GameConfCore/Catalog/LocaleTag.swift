// The check that a text is a well-formed language tag.

/// The form of BCP 47 language tags (RFC 5646, section 2.1), without looking anything up in a registry.
public enum LocaleTag {
  /// True if the tag is well-formed: language, then script, region, variants, extensions and private use, in that order.
  public static func isWellFormed(_ tag: String) -> Bool {
    var rest = tag.split(separator: "-", omittingEmptySubsequences: false).map { Array($0.utf8) }[...]
    guard tag.utf8.count <= 64, rest.allSatisfy({ !$0.isEmpty && $0.count <= 8 && $0.allSatisfy(isAlphanumeric) }) else { return false }
    if isSingleton(rest.first, "x") { return rest.count > 1 }
    guard let language = rest.popFirst(), (2...8).contains(language.count), language.allSatisfy(isLetter) else { return false }
    if language.count <= 3 {
      var extended = 0
      while extended < 3, let next = rest.first, next.count == 3, next.allSatisfy(isLetter) {
        rest.removeFirst()
        extended += 1
      }
    }
    if let script = rest.first, script.count == 4, script.allSatisfy(isLetter) { rest.removeFirst() }
    if let region = rest.first, isRegion(region) { rest.removeFirst() }
    while let variant = rest.first, isVariant(variant) { rest.removeFirst() }
    return areExtensions(rest)
  }

  /// The tag as BCP 47 writes it, also of what a POSIX environment calls a locale: `fr_FR.UTF-8@euro` is `fr-FR`; nil when it is neither.
  public static func canonical(_ text: String) -> String? {
    if isWellFormed(text) { return text }
    let tag = String(text.prefix { $0 != "." && $0 != "@" }).split(separator: "_", omittingEmptySubsequences: false).joined(separator: "-")
    return isWellFormed(tag) ? tag : nil
  }

  private static func areExtensions(_ parts: ArraySlice<[UInt8]>) -> Bool {
    var rest = parts
    while let singleton = rest.popFirst() {
      guard singleton.count == 1 else { return false }
      if isSingleton(singleton, "x") { return !rest.isEmpty }
      let subtags = rest.prefix { $0.count >= 2 }
      if subtags.isEmpty { return false }
      rest = rest.dropFirst(subtags.count)
    }
    return true
  }

  private static func isSingleton(_ part: [UInt8]?, _ letter: Unicode.Scalar) -> Bool {
    guard let part, part.count == 1 else { return false }
    return part[0] | 0x20 == UInt8(ascii: letter)
  }

  private static func isRegion(_ part: [UInt8]) -> Bool {
    part.count == 2 && part.allSatisfy(isLetter) || part.count == 3 && part.allSatisfy(isDigit)
  }

  private static func isVariant(_ part: [UInt8]) -> Bool {
    (5...8).contains(part.count) || part.count == 4 && isDigit(part[0])
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }
}
