// Tests the suggestions for a mistyped name.

import GameConfCore
import Testing

@Suite("Suggestions for mistyped names")
struct NearestNamesTests {
  static let names = [
    "arcade_time_limit_base", "arcade_time_limit_min", "default_theme", "min", "max", "sound_enabled", "haptics_enabled", "größe",
  ]

  @Test(
    "names within a small edit distance are suggested",
    arguments: [
      ("arcade_time_limit_bsae", ["arcade_time_limit_base"]), ("arcadetimelimitmin", ["arcade_time_limit_min"]),
      ("Default-Theme", ["default_theme"]),
      ("defualt_theme", ["default_theme"]), ("mni", ["min"]), ("mix", ["min", "max"]), ("sound_enable", ["sound_enabled"]), ("grosse", []),
      ("grösse", ["größe"]),
      ("nothing_like_it", []), ("", []), ("x", []), (String(repeating: "a", count: 200), []),
      ("arcade_time_limit", ["arcade_time_limit_base", "arcade_time_limit_min"]),
      ("arcade_tme_limit", ["arcade_time_limit_base", "arcade_time_limit_min"]), ("def", []), ("hapt", ["haptics_enabled"]),
    ])
  func nearest(name: String, expected: [String]) { #expect(NearestNames.nearest(to: name, among: Self.names) == expected) }

  @Test("the nearest name is suggested first, and the number of suggestions is limited")
  func order() {
    let names = ["abcdefgxy", "abcdefghx", "abcdefghi", "abcdefgh"]
    #expect(NearestNames.nearest(to: "abcdefghi", among: names) == ["abcdefghi", "abcdefghx", "abcdefgh"])
    #expect(NearestNames.nearest(to: "abcdefghi", among: names, max: 1) == ["abcdefghi"])
    #expect(NearestNames.nearest(to: "abcdefghi", among: names, max: 0).isEmpty)
  }

  @Test("a hint is a question with the suggested names, or empty")
  func hint() {
    #expect(NearestNames.hint(for: "mix", among: Self.names) == " Did you mean “min” or “max”?")
    #expect(NearestNames.hint(for: "sound_enable", among: Self.names) == " Did you mean “sound_enabled”?")
    #expect(NearestNames.hint(for: "zzz", among: Self.names).isEmpty)
    #expect(NearestNames.hint(naming: ["a", "b", "c"]) == " Did you mean “a”, “b” or “c”?")
    #expect(NearestNames.hint(naming: []).isEmpty)
  }
}
