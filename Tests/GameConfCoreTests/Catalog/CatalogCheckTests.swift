// Tests CatalogCheck on catalogs that are built in memory: paths of faults, chains of references and limits.

import GameConfCore
import Testing

@Suite("Catalog check")
struct CatalogCheckTests {
  private func parameter(_ key: String, _ source: ValueSource, type: ParameterType = .integer) -> Parameter {
    Parameter(key: key, type: type, defaultValue: source, section: "s", description: "d")
  }

  private func catalog(_ parameters: [Parameter]) -> Catalog {
    var catalog = Catalog(game: "mine", title: "Mine", locales: ["en"])
    catalog.parameters = parameters
    return catalog
  }

  @Test("a chain of 64 parameter references is valid; a longer one is reported once, and one of 3 000 does not overflow the stack")
  func chain() {
    func chain(_ count: Int) -> [Parameter] {
      (0..<count).map { parameter("p\($0)", $0 == count - 1 ? .value(7) : .parameter("p\($0 + 1)")) }
    }
    let longest = catalog(chain(CatalogCheck.referenceDepthMax + 1))
    #expect(CatalogCheck(longest).faults == [])
    #expect(CatalogDefaults(longest).value(ofParameter: "p0") == 7)
    #expect(CatalogCheck(catalog(chain(CatalogCheck.referenceDepthMax + 2))).faults.map(\.path.pointer) == ["/parameters/p0"])
    let most = catalog(chain(CatalogCheck.parametersMax))
    #expect(CatalogCheck(most).faults.map(\.path.pointer) == ["/parameters/p2934"])
    #expect(CatalogDefaults(most).value(ofParameter: "p0") == 7)
    #expect(CatalogCheck(catalog(chain(CatalogCheck.parametersMax + 1))).faults.map(\.path.pointer) == ["/parameters"])
  }

  @Test("a catalog with 1 000 parts of one kind is valid and one with 1 001 is not")
  func counts() {
    func catalog(_ count: Int) -> Catalog {
      var catalog = Catalog(game: "mine", title: "Mine", locales: ["en"])
      catalog.themes = (0..<count).map { Theme(id: "t\($0)", name: ["en": "T"], unlock: .free) }
      catalog.modes = (0..<count).map { "m\($0)" }
      var listed = parameter("p", .value(0))
      listed.allowed = (0..<Int64(count)).map(Value.integer)
      listed.rules = Array(repeating: Rule(percent: Percent(from: 1), value: .value(1)), count: count)
      catalog.parameters = [listed]
      return catalog
    }
    #expect(CatalogCheck(catalog(1_000)).faults == [])
    #expect(CatalogCheck(catalog(1_001)).faults.map(\.path.pointer) == ["/modes", "/themes", "/parameters/p/rules", "/parameters/p/enum"])
  }

  @Test("a cycle of 3 000 parameters is reported, and no parameter in it has a default")
  func greatCircle() {
    let round = catalog((0..<3_000).map { parameter("p\($0)", .parameter("p\(($0 + 1) % 3_000)")) })
    let faults = CatalogCheck(round).faults
    #expect(faults.count == 1)
    #expect(faults.first?.message.contains("p0 → p1 →") == true)
    #expect(CatalogDefaults(round).value(ofParameter: "p5") == nil)
  }

  @Test("two separate cycles of parameters are reported separately")
  func circles() {
    let faults = CatalogCheck(
      catalog([
        parameter("a", .parameter("b")), parameter("b", .parameter("a")), parameter("c", .parameter("a")), parameter("d", .parameter("d")),
      ])
    ).faults
    #expect(faults.map(\.path.pointer) == ["/parameters/b/default", "/parameters/d/default"])
  }

  @Test("a reference to a part of the catalog that could not be parsed is not reported")
  func unreadable() {
    let catalog = catalog([parameter("a", .parameter("b"))])
    #expect(CatalogCheck(catalog).faults.map(\.reference) == ["b"])
    #expect(CatalogCheck(catalog, unreadable: [.parameters: ["b"]]).faults == [])
    #expect(CatalogCheck(catalog, isWhole: false).faults == [])
  }

  @Test("a default is validated against a bound that is another parameter's default")
  func movingRange() {
    var length = parameter("length", .value(17))
    length.range = NumericRange(max: .parameter("length_max"))
    #expect(
      CatalogCheck(catalog([length, parameter("length_max", .value(16))])).faults.map(\.path.pointer) == ["/parameters/length/default"])
    #expect(CatalogCheck(catalog([length, parameter("length_max", .value(17))])).faults == [])
  }
}
