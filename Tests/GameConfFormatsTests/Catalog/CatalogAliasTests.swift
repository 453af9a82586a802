// Tests the aliases of parameters: the names by which other systems, such as flagd, refer to them.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Aliases of parameters in catalogs")
struct CatalogAliasTests {
  private static func field(_ rest: String) -> String { "{type: integer, default: 1, section: s, description: d\(rest)}" }

  private static func catalog(a: String = "", b: String = "") -> CatalogText {
    CatalogText("parameters:\n  a: \(field(a))\n  b: \(field(b))\n")
  }

  private static func quoted(_ name: String) -> String { ", alias: " + JSONWriter.text(.string(name)) }

  @Test(
    "an alias is any text of 1 to 256 characters",
    arguments: ["header-color", "a b/c", "ä", "...", "new.flag", String(repeating: "é", count: 256)])
  func admitted(name: String) throws {
    let reading = Self.catalog(a: Self.quoted(name)).read()
    let parameter = try #require(reading.catalog?.parameters.first, "\(reading.report)")
    #expect(parameter.alias == name && parameter.key == "a" && parameter.foreignName == name)
    #expect(CatalogDescription.parameter(parameter)["alias"] == .string(name))
  }

  @Test(
    "an alias that is empty, too long or contains a control character is rejected",
    arguments: [
      ("", "needs text"), (String(repeating: "x", count: 257), "1 to 256 characters"),
      (String(repeating: "x", count: 10_000), "1 to 256 characters"), ("a\u{7}b", "no control characters"),
      ("a\u{85}b", "no control characters"), ("a\u{202E}b", "hide or reorder"), ("a\u{200B}b", "hide or reorder"), (" a", "a blank"),
      ("a\u{A0}", "a blank"), (".", "a step in a path"), ("..", "a step in a path"),
    ])
  func refused(name: String, words: String) {
    let reading = Self.catalog(a: Self.quoted(name)).read()
    #expect(reading.catalog == nil && reading.report.count == 1 && reading.report[0].contains(words), "\(reading.report)")
  }

  @Test("an alias that equals another parameter's id or alias is rejected with both names, in a catalog and in a drop-in")
  func clashes() {
    let ofID = Self.catalog(a: ", alias: b").read()
    #expect(ofID.report.contains { $0.contains("“b” is the id of another parameter") && $0.contains("“a”") }, "\(ofID.report)")
    let own = Self.catalog(a: ", alias: a").read()
    #expect(own.report.contains { $0.contains("leave the alias out") }, "\(own.report)")
    let ofAlias = Self.catalog(a: ", alias: x-y", b: ", alias: x-y").read()
    #expect(ofAlias.report.contains { $0.contains("alias of both “a” and “b”") }, "\(ofAlias.report)")
    let spelled = Self.catalog(a: Self.quoted("caf\u{E9}"), b: Self.quoted("cafe\u{301}")).read()
    #expect(spelled.report.contains { $0.contains("composed otherwise, the alias of both “a” and “b”") }, "\(spelled.report)")
    let dropIn = Self.catalog(a: ", alias: x-y").read(dropIns: ["parameters: {b: {alias: x-y}}"])
    #expect(dropIn.report.contains { $0.contains("alias of both “a” and “b”") }, "\(dropIn.report)")
    #expect(Self.catalog(a: ", alias: x-y").read(dropIns: ["parameters: {b: {alias: y-x}}"]).catalog != nil)
  }

  @Test("a catalog's parameter table finds a parameter by its alias and by its key")
  func lookup() throws {
    let catalog = try #require(Self.catalog(a: ", alias: x-y").read().catalog)
    let table = ParameterTable(catalog: catalog)
    #expect(table.entry(named: "x-y")?.parameter.key == "a" && table.entry(named: "a")?.parameter.key == "a")
    #expect(table.entry(named: "b")?.parameter.key == "b" && table.entry(named: "c") == nil && table.entry("x-y") == nil)
  }

  @Test("the ids that an import derives from another system's names have only letters, digits and underscores, and are unique")
  func ids() {
    let names = ForeignNames(["a-b", "a_b", "a b", "1st", "export", "ok", "é", "."])
    #expect(names.pairs.map(\.id) == ["a_b_2", "a_b_3", "_1st", "export_2", "__"])
    #expect(names.id(of: "ok") == "ok" && names.alias(of: "ok") == nil && names.alias(of: "1st") == "1st")
    #expect(names.id(of: ".") == nil)
  }
}
