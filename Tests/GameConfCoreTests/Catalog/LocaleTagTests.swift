// What callers write for a locale, and what is taken for it.

import GameConfCore
import Testing

@Suite("Locales as callers write them")
struct LocaleTagTests {
  @Test(
    "underscores and what POSIX appends are taken for the tag that is meant",
    arguments: [
      ("fr-FR", "fr-FR"), ("fr_FR", "fr-FR"), ("fr_FR.UTF-8", "fr-FR"), ("de_DE@euro", "de-DE"), ("ca_ES.UTF-8@valencia", "ca-ES"),
      ("zh_Hant_TW", "zh-Hant-TW"), ("en", "en"),
    ])
  func taken(text: String, tag: String) {
    #expect(LocaleTag.canonical(text) == tag)
    #expect(LocaleLookup.order(for: text, among: ["en", tag]) == (tag == "en" ? ["en"] : [tag, "en"]))
  }

  @Test(
    "what is no locale at all is none", arguments: ["", "C", "f", "12", "fr FR", "fr__FR", ".UTF-8", "@euro", "français"])
  func refused(text: String) { #expect(LocaleTag.canonical(text) == nil) }
}
