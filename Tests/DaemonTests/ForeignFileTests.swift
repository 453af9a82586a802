// Files of other systems: converted, pushed in part, and catalogs with warnings.

import GameConfCore
import Testing

@Suite("Files of other systems and a running daemon")
struct ForeignFileTests {
  private static let flags = """
    flags:
      speed-up: {state: ENABLED, variants: {on: 2.5, off: 2}, defaultVariant: on}
      word: {state: ENABLED, variants: {on: on, off: off}, defaultVariant: on}
      too-fast: {state: ENABLED, variants: {on: 99, off: 2}, defaultVariant: on}
      broken: {state: ENABLED, variants: {}}
    """

  private static let catalog = """
    gameconf: 1
    game: mine
    title: Mine
    locales: [en]
    parameters:
      speed: {type: double, alias: speed-up, default: 1.5, range: {min: 1, max: 4}, section: S, description: Speed.}
      fast: {type: double, alias: too-fast, default: 1.5, range: {min: 1, max: 4}, section: S, description: Speed.}
      word: {type: string, default: none, section: S, description: A word.}
      broken: {type: boolean, default: true, section: S, description: A flag.}
    """

  @Test("--skip-invalid pushes the valid flags of flagd's YAML and lists the others; without it all are refused")
  func skipping() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Self.catalog])
    try daemon.folder.write(Self.flags, to: "flags.yaml")
    let file = daemon.folder.path + "/flags.yaml"
    let refused = try daemon.control("template", "push", "mine", file)
    #expect(refused.status == 1 && refused.errors.contains("/flags/broken/variants"), "\(refused)")
    #expect(try daemon.control("config", "get", "mine", "speed").output == "1.5\n")
    let pushed = try daemon.control("template", "push", "mine", file, "--skip-invalid")
    #expect(pushed.status == 0, "\(pushed)")
    let lines = pushed.errors.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("left out: /flags/broken/variants: "), "\(pushed.errors)")
    #expect(
      lines.last?.hasPrefix("left out: /flags/too-fast/variants/on: fast: 99.0 is above the maximum of 4.0") == true, "\(pushed.errors)")
    #expect(try daemon.control("config", "get", "mine", "speed").output == "2.5\n")
    #expect(try daemon.control("config", "get", "mine", "word").output == "on\n")
    #expect(try daemon.control("config", "get", "mine", "fast").output == "1.5\n")
    let again = try daemon.control("template", "push", "mine", file, "--skip-invalid", "--json")
    let answer = try JSONReader.value(from: again.output.utf8)
    #expect(answer["unchanged"] == true && answer["left_out"]?.listValue?.map { $0["name"] } == ["broken", "too-fast"], "\(again)")
  }

  @Test("a template that only Firebase would refuse is valid, and --as firebase names each fault")
  func asFirebase() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Self.catalog])
    func validate(_ text: String, _ more: String...) throws -> ChildProcess.Ending {
      try daemon.folder.write(text, to: "t.json")
      return try daemon.control(["template", "validate", "mine", daemon.folder.path + "/t.json"] + more)
    }
    let loose = #"{"parameters": {"speed-up": {"defaultValue": {"value": ".5e1"}}, "word": {"defaultValue": {"value": "x"}}}}"#
    #expect(try validate(loose.replacing(".5e1", with: "2.5")).status == 0)
    let named = try validate(loose.replacing(".5e1", with: "2.5"), "--as", "firebase")
    #expect(named.status == 1 && named.errors.contains("Firebase refuses the key “speed-up”"), "\(named)")
    let strict = #"{"parameters": {"word": {"defaultValue": {"value": "x"}}, "speed": {"defaultValue": {"value": "07.5"}}}}"#
    #expect(try validate(strict, "--as", "firebase").errors.contains("above the maximum"), "a number with a leading zero is one")
    #expect(try validate(strict.replacing("07.5", with: "03.5"), "--as", "firebase").status == 0)
  }

  @Test("a push that removes remote values needs a confirmation, and an empty document removes none")
  func removal() throws {
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": Self.catalog])
    func push(_ text: String, _ more: String...) throws -> ChildProcess.Ending {
      try daemon.folder.write(text, to: "t.json")
      return try daemon.control(["template", "push", "mine", daemon.folder.path + "/t.json"] + more)
    }
    let both = #"{"parameters": {"word": {"defaultValue": {"value": "x"}}, "speed-up": {"defaultValue": {"value": "2"}}}}"#
    #expect(try push(both).status == 0)
    let fewer = #"{"parameters": {"word": {"defaultValue": {"value": "x"}}}}"#
    let plain = try push(fewer)
    #expect(plain.status == 2 && plain.errors.contains("no longer in the template: speed") && plain.errors.contains("--yes"), "\(plain)")
    #expect(try daemon.control("config", "get", "mine", "speed").output == "2.0\n")
    for silent in ["{}", #"{"parameters": null}"#] { #expect(try push(silent, "--yes").status == 1, "\(silent)") }
    #expect(try daemon.control("config", "get", "mine", "speed").output == "2.0\n")
    #expect(try push(fewer, "--yes").status == 0)
    #expect(try daemon.control("config", "get", "mine", "speed").output == "1.5\n")
    #expect(try push(#"{"parameters": {}}"#, "--yes").status == 0)
    #expect(try daemon.control("config", "get", "mine", "word").output == "none\n")
  }

  @Test("a catalog with warnings is in force, and its game does not count as degraded")
  func warned() throws {
    let warned = Self.catalog.replacing(
      "word: {type: string, default: none,",
      with: "word: {type: string, default: none, rules: [{percent: 33.3, value: a}, {percent: 33.3, value: b}],")
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": warned])
    let status = try daemon.control("status", "--json").output
    #expect(status.contains("This rule matches no player"), "\(status)")
    #expect(try daemon.control("health").status == 0)
    #expect(try daemon.ask("GET", "/health/ready?strict=true").status == 200)
    #expect(try daemon.control("catalog", "validate", daemon.folder.path + "/games/mine.yaml").status == 0)
  }

  @Test("a converted file of flags gives a game whose flags OFREP answers by their original names", .needs(.ofrep))
  func converted() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.flags, to: "flags.yaml")
    let convert = ["catalog", "convert", "--from", "flagd", "--game", "mine", folder.path + "/flags.yaml"]
    let refused = try ChildProcess(Built.control, convert).waitForEnd()
    #expect(refused.status == 1 && refused.output.isEmpty && refused.errors.contains("/flags/broken/variants"), "\(refused)")
    let made = try ChildProcess(Built.control, convert + ["--skip-invalid"]).waitForEnd()
    #expect(made.status == 0 && made.errors.hasPrefix("carried: 1 parameter\nchanged: "), "\(made)")
    let json = try JSONReader.value(from: ChildProcess(Built.control, convert + ["--skip-invalid", "--json"]).waitForEnd().output.utf8)
    #expect(json["document"] == .string(made.output) && json["carried"] == ["word"])
    #expect(json["changed"]?.listValue?.count == 3 && json["left_out"]?.listValue?.map { $0["name"] } == ["broken"], "\(json)")
    let daemon = try RunningDaemon(catalogs: ["mine.yaml": made.output])
    let answer = try daemon.ask("POST", "/v1/games/mine/ofrep/v1/evaluate/flags/speed-up", body: ["context": ["targetingKey": "p"]])
    #expect(answer.json["value"] == 2.5 && answer.json["variant"] == "on", "\(answer)")
  }
}
