// Tests the order of the layers and the reasons of resolved values.

import GameConfCore
import Testing

@Suite("Resolution of layers")
struct ResolverTests {
  private let catalog = Catalog.sample([
    .sample("plain", .integer, .value(3)),
    .sample("follows", .integer, .parameter("plain")),
    .sample("chosen", .integer, .value(6), setting: true),
    .sample("after_chosen", .integer, .parameter("chosen")),
    .sample("title", .localized, .value(.object(["en": "Cave", "fr": "Grotte"]))),
    .sample("today", .string, .dailyHash(salt: "salt")),
    .sample(
      "ruled", .boolean, .value(false),
      rules: [Rule(condition: try? LogicExpression(compiling: ["==": [["var": "platform"], "ios"]]), value: .value(true))]),
  ])

  private func answer(_ key: String, _ layers: [String: GameLayers] = [:], for caller: Caller = .anyone()) -> Resolution? {
    ParameterTable(catalog: catalog, layers: layers).resolve(key, for: caller)
  }

  @Test("a default that nothing can change has the reason STATIC")
  func unchanging() {
    #expect(answer("plain") == Resolution(value: 3, layer: .catalogDefault, reason: .static))
    #expect(answer("follows") == Resolution(value: 3, layer: .catalogDefault, reason: .static))
  }

  @Test("a game-wide override has the reason STATIC, and TARGETING_MATCH for all callers once a player has an override")
  func gameOverride() {
    #expect(answer("plain", ["plain": GameLayers(override: 5)]) == Resolution(value: 5, layer: .gameOverride, reason: .static))
    let layers = ["plain": GameLayers(override: 5, hasPlayerOverrides: true)]
    #expect(answer("plain", layers) == Resolution(value: 5, layer: .gameOverride, reason: .targetingMatch))
    let overridden = Caller.anyone(player: "p1", overrides: ["plain": 4])
    #expect(answer("plain", layers, for: overridden) == Resolution(value: 4, layer: .playerOverride, reason: .targetingMatch))
  }

  @Test("a parameter that refers to an overridden one has the overriding value, and the reason DEFAULT if a player overrides that one")
  func follows() {
    #expect(answer("follows", ["plain": GameLayers(override: 5)])?.value == 5)
    #expect(answer("follows", ["plain": GameLayers(override: 5)])?.layer == .catalogDefault)
    #expect(answer("follows", ["plain": GameLayers(hasPlayerOverrides: true)])?.reason == .default)
  }

  @Test("a player's setting is above the template and the catalog but below overrides")
  func setting() {
    let caller = Caller.anyone(player: "p", settings: ["chosen": 9])
    #expect(answer("chosen")?.reason == .default)
    #expect(answer("chosen", for: caller) == Resolution(value: 9, layer: .setting, reason: .targetingMatch))
    #expect(answer("after_chosen", for: caller)?.value == 9)
    #expect(answer("chosen", ["chosen": GameLayers(remote: RemoteLayer(defaultValue: 8))], for: caller)?.value == 9)
    #expect(answer("chosen", ["chosen": GameLayers(override: 7)], for: caller)?.layer == .gameOverride)
    #expect(answer("plain", for: Caller.anyone(player: "p", settings: ["plain": 9]))?.value == 3)
  }

  @Test("a template's default is above the catalog's, and a template without one leaves the key to the catalog")
  func remote() {
    #expect(
      answer("plain", ["plain": GameLayers(remote: RemoteLayer(defaultValue: 8))])
        == Resolution(value: 8, layer: .remote, reason: .static))
    #expect(answer("plain", ["plain": GameLayers(remote: RemoteLayer(defaultValue: nil))])?.layer == .catalogDefault)
  }

  @Test("a rule that matches has the reason TARGETING_MATCH, and otherwise the reason is DEFAULT")
  func rules() {
    #expect(answer("ruled", for: .anyone(context: ["platform": "ios"]))?.reason == .targetingMatch)
    #expect(answer("ruled", for: .anyone(context: ["platform": "ios"]))?.value == true)
    #expect(
      answer("ruled", for: .anyone(context: ["platform": "tv"])) == Resolution(value: false, layer: .catalogDefault, reason: .default))
    #expect(answer("ruled", ["ruled": GameLayers(override: false)], for: .anyone(context: ["platform": "ios"]))?.value == false)
  }

  @Test("a localized value is in the caller's language, or in all languages if the caller requests no language")
  func localized() {
    #expect(answer("title", for: .anyone(locales: ["fr", "en"]))?.value == "Grotte")
    #expect(answer("title", for: .anyone(locales: ["en"]))?.value == "Cave")
    #expect(answer("title", for: .anyone(locales: []))?.value == ["en": "Cave", "fr": "Grotte"])
    #expect(answer("title")?.reason == .default)
  }

  @Test("a daily hash has the next midnight as its next change")
  func daily() {
    let answer = self.answer("today")
    #expect(answer?.value.stringValue?.count == 16)
    #expect(answer?.nextChangeAt == Instant(seconds: 1_795_305_600))
    #expect(answer?.reason == .default)
    var tomorrow = Caller.anyone()
    tomorrow.now = Instant(seconds: 1_795_305_600)
    #expect(self.answer("today", for: tomorrow)?.value != answer?.value)
  }

  @Test("changing the layers of a key rebuilds the entries that depend on it and shares all others")
  func sharing() {
    let table = ParameterTable(catalog: catalog)
    let changed = table.changing(["plain": GameLayers(override: 5, revision: 7)])
    #expect(changed.resolve("follows", for: .anyone())?.value == 5)
    #expect(changed.entry("follows")?.layers.revision == 7)
    #expect(changed.entry("chosen") === table.entry("chosen"))
    #expect(table.resolve("plain", for: .anyone())?.value == 3)
    #expect(table.affected(by: ["plain"]) == ["plain", "follows"])
  }

  @Test("an explanation lists all layers and marks the one that applies")
  func explain() throws {
    let table = ParameterTable(catalog: catalog, layers: ["chosen": GameLayers(override: 7)])
    let explanation: Explanation = try #require(table.explain("chosen", for: .anyone(player: "p", settings: ["chosen": 9])))
    #expect(explanation.layers.map(\.layer) == Layer.ofTable)
    #expect(explanation.layers.filter(\.isApplied).map(\.layer) == [.gameOverride])
    #expect(explanation.layers[2].answer?.value == 9)
    #expect(explanation.layers[4].why == "an override for the game is above it")
  }

  @Test("an unknown key has no resolved value")
  func unknown() { #expect(answer("nothing") == nil) }

  @Test("a template layer without a value at present still determines the next change")
  func missedByTime() throws {
    let clocked = Rule(condition: try LogicExpression(compiling: [">": [["var": "$flagd.timestamp"], 4_000_000_000]]), value: .value(9))
    let template = ["plain": GameLayers(remote: RemoteLayer(rules: [clocked], defaultValue: nil))]
    #expect(answer("plain", template)?.value == 3)
    #expect(answer("plain", template)?.layer == .catalogDefault)
    #expect(answer("plain", template)?.nextChangeAt == Instant(seconds: 4_000_000_001))
    let moving = Rule(
      percent: Percent(
        from: 0, progress: Percent.Progress(to: Percent.bucketCount, start: Instant(seconds: 0), end: Instant(seconds: 4_000_000_000))),
      value: .value(9))
    let rollout = ["plain": GameLayers(remote: RemoteLayer(rules: [moving], defaultValue: nil))]
    let player = (0..<100).map { Caller.anyone(player: "p\($0)") }.first { answer("plain", rollout, for: $0)?.value == 3 }
    #expect(answer("plain", rollout, for: try #require(player))?.nextChangeAt != nil)
  }
}

@Suite("Locale lookup")
struct LocaleLookupTests {
  @Test(
    "a language range matches the closest of the game's locales, followed by the fallback",
    arguments: [
      ("fr", ["fr", "en"]), ("FR-ca", ["fr", "en"]), ("de", ["en"]), ("en-GB", ["en"]), ("zh-Hant-x-private", ["zh-Hant", "en"]),
      ("", ["en"]), ("zh", ["en"]),
    ])
  func order(range: String, expected: [String]) {
    #expect(LocaleLookup.order(for: range, among: ["en", "fr", "zh-Hant"]) == expected)
  }

  @Test(
    "a language without a script implies the likely script, and deprecated codes match current ones",
    arguments: [
      ("zh-TW", ["zh-Hant", "en"]), ("zh_HK.UTF-8", ["zh-Hant", "en"]), ("zh-MO", ["zh-Hant", "en"]), ("zh_CN", ["zh-Hans", "en"]),
      ("zh", ["zh-Hans", "en"]), ("zh-SG", ["zh-Hans", "en"]), ("zh-Hant-HK", ["zh-Hant", "en"]), ("iw-IL", ["he", "en"]),
      ("in", ["id", "en"]),
      ("no", ["nb", "en"]), ("nb-NO", ["nb", "en"]), ("sr-ME", ["en"]), ("sr-RS", ["sr-Cyrl", "en"]), ("tl-PH", ["fil", "en"]),
    ])
  func likely(range: String, expected: [String]) {
    let locales = ["en", "zh-Hans", "zh-Hant", "he", "id", "nb", "sr-Cyrl", "fil"]
    #expect(LocaleLookup.order(for: range, among: locales) == expected)
    #expect(LocaleLookup.order(for: "zh-Hant", among: ["en", "zh-TW"]) == ["zh-TW", "en"])
    #expect(LocaleLookup.order(for: "zh-TW", among: ["en", "zh"]) == ["zh", "en"])
    #expect(LocaleLookup.order(for: "he", among: ["en", "iw"]) == ["iw", "en"])
  }

  @Test("without a language range only the fallback locale is returned")
  func none() { #expect(LocaleLookup.order(for: nil, among: ["en", "fr"]) == ["en"]) }
}
