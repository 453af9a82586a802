// Detects control characters, which ids, reasons and names must not have.

extension String {
  /// True if the text has a character of Unicode's category Cc: U+0000 to U+001F, or U+007F to U+009F.
  public var hasControlCharacter: Bool {
    var isAfterC2 = false
    for byte in utf8 {
      // U+0080 to U+009F are encoded as C2 80 to C2 9F in UTF-8.
      if byte < 0x20 || byte == 0x7F || (isAfterC2 && byte < 0xA0) { return true }
      isAfterC2 = byte == 0xC2
    }
    return false
  }
}
