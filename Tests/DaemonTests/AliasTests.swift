// A parameter's alias, by which OpenFeature's and Firebase's clients and gameconfctl find it.

import GameConfCore
import Testing

@Suite("Aliases of a running daemon")
struct AliasTests {
  private static func catalog(alias: String) -> String {
    """
    gameconf: 1
    game: mine
    title: Mine
    locales: [en]
    parameters:
      header:
        type: string
        alias: \(alias)
        section: S
        description: The header's colour.
        flagd:
          state: ENABLED
          variants: {red: r, blue: b}
          defaultVariant: red
          targeting: {fractional: [[red, 50], [blue, 50]]}
      plain: {type: integer, default: 1, section: S, description: A number.}
    """
  }

  @Test("OFREP and Firebase use a parameter's alias, gameconfctl accepts it, and a changed alias is a warning", .needs(.ofrep, .firebase))
  func life() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Self.catalog(alias: "header-color")])
    let flags = "/v1/games/mine/ofrep/v1/evaluate/flags"
    for name in ["header-color", "header"] {
      let answer = try daemon.ask("POST", "\(flags)/\(name)", body: ["context": ["targetingKey": "p1"]])
      #expect(answer.status == 200 && answer.json["key"] == .string(name), "\(answer)")
    }
    let bulk = try daemon.ask("POST", flags, body: ["context": ["targetingKey": "p1"]]).json["flags"]?.listValue ?? []
    #expect(bulk.map { $0["key"] } == ["header-color", "plain"])
    #expect(try daemon.ask("GET", "/v1/games/mine/config").json["values"]?.objectValue?.names == ["header", "plain"])

    let template = #"{"parameters": {"header-color": {"defaultValue": {"value": "g"}}}}"#
    try daemon.folder.write(template, to: "template.json")
    #expect(try daemon.control("template", "push", "mine", daemon.folder.path + "/template.json").status == 0)
    let fetched = try daemon.ask("POST", "/v1/projects/mine/namespaces/firebase:fetch", body: ["app_instance_id": "p1"])
    #expect(fetched.json["entries"] == ["header-color": "g"], "\(fetched)")

    let set = try daemon.control("config", "set", "mine", "header-color", "x", "--player", "p1")
    #expect(set.status == 0 && set.output.contains("header is overridden"), "\(set)")
    #expect(try daemon.control("config", "get", "mine", "header-color", "--player", "p1").output == "x\n")
    let listed = try daemon.control("config", "list", "mine", "--keys", "header-color")
    #expect(listed.output.contains("header\t"), "\(listed)")

    #expect(try daemon.control("template", "rollback", "mine").status != 0)
    try daemon.folder.write(Self.catalog(alias: "headerColor"), to: "games/mine.yaml")
    #expect(try daemon.control("reload").status == 0)
    let status = try daemon.control("status", "--json").output
    #expect(status.contains("header: its name in other systems was “header-color” and is “headerColor”"), "\(status)")
    #expect(try daemon.ask("POST", "\(flags)/header-color").status == 404)
  }
}
