// Tests the conversion of callers' locales, such as POSIX locales, to language tags.

import GameConfCore
import Testing

@Suite("Locales in callers' notations")
struct LocaleTagTests {
  @Test(
    "a POSIX locale with an underscore, encoding or modifier is converted to its language tag",
    arguments: [
      ("fr-FR", "fr-FR"), ("fr_FR", "fr-FR"), ("fr_FR.UTF-8", "fr-FR"), ("de_DE@euro", "de-DE"), ("ca_ES.UTF-8@valencia", "ca-ES"),
      ("zh_Hant_TW", "zh-Hant-TW"), ("en", "en"),
    ])
  func taken(text: String, tag: String) {
    #expect(LocaleTag.canonical(text) == tag)
    #expect(LocaleLookup.order(for: text, among: ["en", tag]) == (tag == "en" ? ["en"] : [tag, "en"]))
  }

  @Test(
    "a text that is neither a language tag nor a POSIX locale is rejected",
    arguments: ["", "C", "f", "12", "fr FR", "fr__FR", ".UTF-8", "@euro", "français"])
  func refused(text: String) { #expect(LocaleTag.canonical(text) == nil) }
}
