// Tests which values a parameter accepts, and the messages for the others.

import GameConfCore
import Testing

@Suite("Validation of values")
struct ParameterAdmissionTests {
  private struct StubParameterValues: ParameterLookup {
    var values: [String: Value] = [:]
    func value(ofParameter key: String) -> Value? { values[key] }
  }

  private static func parameter(_ type: ParameterType, _ change: (inout Parameter) -> Void = { _ in }) -> Parameter {
    var parameter = Parameter(key: "p", type: type, defaultValue: .value(.null), section: "s", description: "d")
    change(&parameter)
    return parameter
  }

  private static let catalog: Catalog = {
    var catalog = Catalog(game: "mine", title: "Mine", locales: ["en", "fr"])
    catalog.themes = [
      Theme(id: "neon", name: ["en": "Neon"], unlock: .free), Theme(id: "forest", name: ["en": "Forest"], unlock: .milestone("forest")),
      Theme(id: "dark", name: ["en": "Dark"], unlock: .parameter("dark")),
    ]
    catalog.products = [Product(id: "premium", kind: .nonConsumable, name: ["en": "Premium"])]
    return catalog
  }()

  private func admission(
    _ value: Value, _ parameter: Parameter, use: AdmissionUse = .gameWide, _ values: [String: Value] = [:]
  ) -> AdmissionResult {
    ParameterAdmission.admission(of: value, for: parameter, in: Self.catalog, use: use, lookup: StubParameterValues(values: values))
  }

  @Test(
    "a number is converted to the parameter's type if the conversion is lossless",
    arguments: [
      (.double, 18, 18.0), (.integer, 18.0, 18), (.integer, 18, 18), (.double, 0.5, 0.5), (.integer, 2.5, nil), (.boolean, 1, nil),
      (.string, 1, nil), (.integer, "1", nil), (.double, true, nil), (.list, [:], nil), (.object, [], nil), (.integer, nil, nil),
      (.double, 9_007_199_254_740_993, nil),
    ] as [(ParameterType, Value, Value?)])
  func types(type: ParameterType, value: Value, admitted: Value?) {
    let admission = admission(value, Self.parameter(type))
    #expect(admission.value == admitted)
    #expect(admission.faults.map(\.kind) == (admitted == nil ? [.typeMismatch] : []))
  }

  @Test(
    "values on both sides of every kind of bound are accepted or rejected",
    arguments: [
      (NumericRange(min: .number(1)), [1, 2], [0]),
      (NumericRange(max: .number(10.0)), [10, 9.5], [10.000001, 11]),
      (NumericRange(above: .number(0)), [0.0001, 1], [0, -1]),
      (NumericRange(below: .number(5)), [4.999], [5, 6]),
      (NumericRange(min: .parameter("low"), max: .parameter("high")), [3, 7], [2.9, 7.1]),
      (NumericRange(max: .parameter("unknown")), [1_000], []),
    ] as [(NumericRange, [Value], [Value])])
  func ranges(range: NumericRange, admitted: [Value], refused: [Value]) {
    let parameter = Self.parameter(.double) { $0.range = range }
    let values: [String: Value] = ["low": 3, "high": 7]
    for value in admitted { #expect(admission(value, parameter, values).value != nil, "\(value)") }
    for value in refused { #expect(admission(value, parameter, values).faults.map(\.kind) == [.outOfRange], "\(value)") }
  }

  @Test("the error for an exceeded bound names its unit and the parameter that the bound comes from")
  func words() {
    let fixed = Self.parameter(.integer) { ($0.unit, $0.range) = ("s", NumericRange(max: .number(10))) }
    #expect(admission(99, fixed).faults.map(\.message) == ["99 is above the maximum of 10 s."])
    let moving = Self.parameter(.integer) { $0.range = NumericRange(min: .parameter("order_min")) }
    #expect(admission(3, moving, ["order_min": 4]).faults.map(\.message) == ["3 is below the minimum of 4 (“order_min”)."])
  }

  @Test(
    "multiples of a step are computed in decimal arithmetic without rounding errors",
    arguments: [(0.1, 0.3), (0.1, 2.5), (0.05, 0.45), (0.05, 1.15), (0.1, 10), (0.1, 0), (0.25, -0.75), (5, 200), (0.1, 1e15)]
      as [(Value, Value)])
  func steps(step: Value, value: Value) {
    let parameter = Self.parameter(.double) { $0.range = NumericRange(step: step) }
    #expect(admission(value, parameter).value != nil)
    guard let near = value.numberValue.map({ Value.double($0 + 0.01) }), value != 1e15 else { return }
    #expect(admission(near, parameter).faults.map(\.kind) == [.offStep])
  }

  @Test("a value must be in the list of allowed values, match the pattern and respect the length limit")
  func text() {
    let listed = Self.parameter(.integer) { $0.allowed = [5, 10] }
    #expect(admission(10.0, listed).value == 10)
    #expect(admission(7, listed).faults.map(\.message) == ["7 is not one of 5, 10."])
    let short = Self.parameter(.string) { $0.lengthMax = 2 }
    #expect(admission("é😀", short).value == "é😀")
    #expect(admission("e\u{301}😀", short).faults.map(\.kind) == [.tooLong])
  }

  @Test("the themes that a value may name depend on their unlock condition and on the purpose of the value")
  func themes() {
    let free = Self.parameter(.string) { $0.oneOf = .freeThemes }
    let unlocked = Self.parameter(.string) { $0.oneOf = .unlockedThemes }
    let product = Self.parameter(.string) { $0.oneOf = .allProducts }
    #expect(admission("neon", free).value == "neon")
    #expect(admission("forest", free).faults.map(\.kind) == [.themeNotFree])
    #expect(admission("dark", free).faults.map(\.kind) == [.themeNotFree])
    #expect(admission("nope", free).faults.map(\.kind) == [.unknownTheme])
    #expect(admission("forest", unlocked).value == "forest")
    #expect(admission("forest", unlocked, use: .playerSetting(unlockedThemes: ["neon"])).faults.map(\.kind) == [.themeLocked])
    #expect(admission("forest", unlocked, use: .playerSetting(unlockedThemes: ["neon", "forest"])).value == "forest")
    #expect(admission("forest", free, use: .playerSetting(unlockedThemes: ["forest"])).faults.map(\.kind) == [.themeNotFree])
    #expect(admission("premium", product).value == "premium")
    #expect(admission("gold", product).faults.map(\.kind) == [.unknownProduct])
  }

  @Test("a localized value must have exactly the game's locales")
  func localized() {
    let parameter = Self.parameter(.localized)
    #expect(admission(["en": "a", "fr": "b"], parameter).value != nil)
    #expect(admission(["en": "a"], parameter).faults.map(\.kind) == [.missingLocale])
    #expect(admission(["en": "a", "fr": "b", "de": "c"], parameter).faults.map(\.pointer) == ["/de"])
    #expect(admission(["en": "a", "fr": 1], parameter).faults.map(\.kind) == [.typeMismatch])
    #expect(admission("a", parameter).faults.map(\.kind) == [.typeMismatch])
  }

  @Test("a value of 256 KiB is accepted and a value of one byte more is rejected")
  func size() {
    let parameter = Self.parameter(.list)
    let most = ParameterAdmission.valueBytesMax
    #expect(admission([.string(String(repeating: "x", count: most - 4))], parameter).value != nil)
    #expect(admission([.string(String(repeating: "x", count: most - 3))], parameter).faults.map(\.kind) == [.tooLarge])
    #expect(admission(.string(String(repeating: "x", count: most)), Self.parameter(.string)).faults.map(\.kind) == [.tooLarge])
  }

  @Test("all violations of a value are reported together, with JSON pointers")
  func several() throws {
    let schema = try ValueSchema(compiling: ["items": ["type": "integer", "minimum": 0]])
    let parameter = Self.parameter(.list) { $0.schema = schema }
    let faults = admission([1, -1, "x"], parameter).faults
    #expect(faults.map(\.kind) == [.schemaViolation, .schemaViolation])
    #expect(faults.map(\.pointer) == ["/1", "/2"])
    let number = Self.parameter(.double) { ($0.range, $0.allowed) = (NumericRange(max: .number(1), step: 0.5), [0.5]) }
    #expect(admission(1.7, number).faults.map(\.kind) == [.outOfRange, .offStep, .notListed])
  }
}
