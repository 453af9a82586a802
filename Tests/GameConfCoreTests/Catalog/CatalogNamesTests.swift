// Tests the syntax of ids and of language tags with valid and invalid examples.

import GameConfCore
import Testing

@Suite("Names in catalogs")
struct CatalogNamesTests {
  @Test(
    "a valid catalog id is accepted",
    arguments: [
      (.game, "a"), (.game, "wheresthedot"), (.game, "a-1"), (.game, String(repeating: "a", count: 63)), (.parameter, "_"),
      (.parameter, "Grid_side9"), (.parameter, String(repeating: "a", count: 128)), (.thing, "$rc_monthly"), (.thing, "theme.aurora"),
      (.thing, "Pro"), (.thing, "a-b"), (.thing, "export"), (.parameter, "Export"), (.word, "3x3"), (.word, "wrongTap"),
    ] as [(CatalogNames.Kind, String)])
  func good(kind: CatalogNames.Kind, name: String) {
    #expect(CatalogNames.complaint(about: name, as: kind) == nil)
  }

  @Test(
    "an invalid or reserved catalog id is rejected",
    arguments: [
      (.game, ""), (.game, "A"), (.game, "1a"), (.game, "a_b"), (.game, "é"), (.game, String(repeating: "a", count: 64)),
      (.parameter, "a-b"),
      (.parameter, "a.b"), (.parameter, "9"), (.parameter, ""), (.parameter, "a b"), (.parameter, String(repeating: "a", count: 129)),
      (.parameter, "image"), (.parameter, "export"), (.parameter, "clear"), (.parameter, "__proto__"), (.parameter, "constructor"),
      (.parameter, "hasOwnProperty"), (.thing, "1a"), (.thing, ".a"),
      (.thing, "a b"),
      (.thing, "a\n"), (.word, "-a"), (.word, "a b"),
    ] as [(CatalogNames.Kind, String)])
  func bad(kind: CatalogNames.Kind, name: String) {
    #expect(CatalogNames.complaint(about: name, as: kind) != nil)
  }

  @Test("the pattern that an error message shows for ids accepts exactly the valid ids", arguments: CatalogNames.Kind.allCases)
  func patterns(kind: CatalogNames.Kind) throws {
    let pattern = try Pattern(compiling: CatalogNames.pattern(kind))
    for name in [
      "a", "A", "1", "_", "$", "-", ".", "aB", "a1", "a_b", "a-b", "a.b", "a$", "é", "", "a b", String(repeating: "a", count: 63),
    ] {
      #expect(pattern.matches(in: name) == (CatalogNames.complaint(about: name, as: kind) == nil), "\(name)")
    }
  }

  @Test(
    "a well-formed BCP 47 language tag is accepted",
    arguments: [
      "en", "fil", "pt-BR", "zh-Hant", "zh-Hant-TW", "es-419", "sl-rozaj-biske", "de-1996", "en-a-bbb-x-a-ccc", "x-pig", "zh-cmn-Hans-CN",
    ])
  func tags(tag: String) {
    #expect(LocaleTag.isWellFormed(tag))
  }

  @Test(
    "a malformed language tag is rejected",
    arguments: ["", "e", "en_US", "en-", "-en", "en--US", "e n", "1n", "en-a", "x", "en-abcdefghi", "é"])
  func noTags(tag: String) {
    #expect(!LocaleTag.isWellFormed(tag))
  }
}
