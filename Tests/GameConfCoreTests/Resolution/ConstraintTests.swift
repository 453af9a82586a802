// Tests constraints between values, for the whole game and for one player.

import GameConfCore
import Testing

@Suite("Constraints")
struct ConstraintTests {
  private var catalog: Catalog {
    let fits = try? LogicExpression(
      compiling: ["<=": [["parameter": "length_max"], ["*": [["parameter": "side"], ["parameter": "side"]]]]])
    return .sample(
      [
        .sample("side", .integer, .value(4), range: NumericRange(min: .number(3), max: .number(5))),
        .sample("length_min", .integer, .value(4)),
        .sample("length_max", .integer, .value(16)),
        .sample(
          "length", .integer, .value(6), range: NumericRange(min: .parameter("length_min"), max: .parameter("length_max")), setting: true),
      ],
      constraints: fits.map { [Constraint(id: "fits", require: $0, message: "The longest order must fit the board.")] } ?? [])
  }
  private let now = Instant(seconds: 0)

  @Test("a game-wide override that violates a constraint is reported with the constraint's message")
  func gameWide() {
    let table = ParameterTable(catalog: catalog)
    let check = ConstraintCheck(catalog: catalog, now: now)
    #expect(check.faults(in: GameWideLookup(table: table, now: now)).isEmpty)
    let faults = check.faults(in: GameWideLookup(table: table, overrides: ["length_max": 17], now: now))
    #expect(faults.map(\.id) == ["fits"])
    #expect(faults.first?.message == "The longest order must fit the board.")
    #expect(faults.first?.keys == ["length_max", "side"] as Set)
  }

  @Test("a changed bound that excludes another parameter's value is reported as a violation")
  func movingRange() {
    let table = ParameterTable(catalog: catalog)
    let faults = ConstraintCheck(catalog: catalog, now: now)
      .faults(in: GameWideLookup(table: table, overrides: ["length_max": 5], now: now))
    #expect(faults.map(\.id) == ["length"])
  }

  @Test("a setting that violates a constraint is skipped with the reason, and is effective again once it is valid")
  func settingReturns() {
    let table = ParameterTable(catalog: catalog)
    let stored = Caller.anyone(player: "p", settings: ["length": 16])
    #expect(table.effectiveSettings(of: stored).settings == ["length": 16])
    let narrowed = Caller.anyone(player: "p", overrides: ["length_max": 9, "side": 3], settings: ["length": 16])
    let (settings, skipped) = table.effectiveSettings(of: narrowed)
    #expect(settings.isEmpty)
    #expect(skipped.map(\.key) == ["length"])
    var effective = narrowed
    effective.settings = settings
    #expect(table.resolve("length", for: effective)?.value == 6)
  }

  @Test("a setting is validated against the effective value of a bound, not against a setting that is skipped")
  func settingBesideBadOne() {
    let catalog = Catalog.sample([
      .sample("low", .integer, .value(4), range: NumericRange(max: .number(5)), setting: true),
      .sample("size", .integer, .value(6), range: NumericRange(min: .parameter("low")), setting: true),
    ])
    let stored = Caller.anyone(player: "p", settings: ["low": 9, "size": 7])
    let (settings, skipped) = ParameterTable(catalog: catalog).effectiveSettings(of: stored)
    #expect(settings == ["size": 7])
    #expect(skipped.map(\.key) == ["low"])
  }

  @Test("a setting is skipped if its value violates a constraint on another parameter, whose default refers to the setting")
  func settingThroughDefault() throws {
    let small = try LogicExpression(compiling: ["<=": [["parameter": "shown"], 10]])
    let catalog = Catalog.sample(
      [.sample("chosen", .integer, .value(4), setting: true), .sample("shown", .integer, .parameter("chosen"))],
      constraints: [Constraint(id: "small", require: small, message: "At most 10.")])
    let table = ParameterTable(catalog: catalog)
    #expect(table.effectiveSettings(of: .anyone(player: "p", settings: ["chosen": 10])).settings == ["chosen": 10])
    let (settings, skipped) = table.effectiveSettings(of: .anyone(player: "p", settings: ["chosen": 11]))
    #expect(settings.isEmpty && skipped.map(\.why) == ["At most 10."])
  }

  @Test("a constraint check for certain keys ignores constraints that do not involve them")
  func naming() {
    let table = ParameterTable(catalog: catalog)
    let lookup = GameWideLookup(table: table, overrides: ["length_max": 17], now: now)
    #expect(ConstraintCheck(catalog: catalog, now: now).faults(in: lookup, naming: ["length_min"]).isEmpty)
  }
}
