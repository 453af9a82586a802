// Validates language tags such as `pt-BR` (BCP 47).

/// The syntax of language tags (RFC 5646, section 2.1). Subtags are not looked up in the IANA registry.
public enum LocaleTag {
  /// True if the tag is well-formed: language, script, region, variants, extensions and private use, in this order.
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

  /// Returns the language tag for a tag or for a POSIX locale such as `fr_FR.UTF-8@euro`, which becomes `fr-FR`; nil if the text is
  /// neither.
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
