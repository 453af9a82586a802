// Small catalogs for tests of resolution.

import GameConfCore

extension Catalog {
  /// Returns a catalog with these parameters and the locales en and fr.
  static func sample(_ parameters: [Parameter], constraints: [Constraint] = [], themes: [Theme] = []) -> Catalog {
    var catalog = Catalog(game: "sample", title: "Sample", locales: ["en", "fr"])
    catalog.parameters = parameters
    catalog.constraints = constraints
    catalog.themes = themes
    return catalog
  }
}

extension Parameter {
  /// Returns a parameter with this default. Tests do not depend on its section and description.
  static func sample(
    _ key: String, _ type: ParameterType, _ value: ValueSource, range: NumericRange? = nil, setting: Bool = false, rules: [Rule] = []
  ) -> Parameter {
    var parameter = Parameter(key: key, type: type, defaultValue: value, section: "Sample", description: "A sample.")
    parameter.range = range
    parameter.isPlayerSetting = setting
    parameter.rules = rules
    return parameter
  }
}

extension Caller {
  /// Returns a caller on 21 November 2026 at noon UTC, by default without a player.
  static func anyone(
    player: String? = nil, context: ObjectValue = ObjectValue(), locales: [String] = ["en"], overrides: [String: Value] = [:],
    settings: [String: Value] = [:]
  ) -> Caller {
    Caller(
      player: player, context: context, locales: locales, now: Instant(seconds: 1_795_262_400), overrides: overrides, settings: settings)
  }
}
