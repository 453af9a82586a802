// A template's file that people and programs change in all possible ways.

import GameConfCore
import Glibc
import Testing

@Suite("A template's file under a running daemon")
struct TemplateFileTests {
  private static func document(_ speed: String) -> String { "{\"parameters\": {\"speed\": {\"defaultValue\": {\"value\": \"\(speed)\"}}}}" }

  private func daemon(_ folder: TemporaryFolder, _ path: String) throws -> RunningDaemon {
    try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog + "\nsource: {file: \(path)}\n"], folder: folder)
  }

  private func speed(_ daemon: RunningDaemon) throws -> Value? { try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] }

  private func degraded(_ daemon: RunningDaemon) throws -> [Value] {
    let status = try daemon.ask("GET", "/v1/status", admin: true).json
    return status["games"]?.listValue?.first?["degraded"]?.listValue ?? []
  }

  @Test(
    "a template file is read at the start and after each kind of change; its faults are reported and change nothing"
  )
  func life() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.document("3"), to: "t.json")
    let path = folder.path + "/t.json"
    let daemon = try daemon(folder, path)
    #expect(daemon.startLines.contains { $0.contains("template read from \(path): version 1 in force") }, "\(daemon.startLines)")
    #expect(try speed(daemon) == 3.0)

    try folder.write(Self.document("2.5"), to: "t.json")
    #expect(daemon.process.waitForLine(containing: "version 2 in force") != nil)
    #expect(try speed(daemon) == 2.5)
    try folder.write(Self.document("1.5"), to: "new.json")
    #expect(rename(folder.path + "/new.json", path) == 0)
    #expect(daemon.process.waitForLine(containing: "version 3 in force") != nil)
    #expect(try speed(daemon) == 1.5)

    // A program overwrites the file and leaves its size and modification time unchanged.
    var before = stat()
    #expect(stat(path, &before) == 0)
    try folder.write(Self.document("3.5"), to: "t.json")
    var times = [before.st_atim, before.st_mtim]
    #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    #expect(daemon.process.waitForLine(containing: "version 4 in force") != nil)
    #expect(try speed(daemon) == 3.5)
    try folder.write(Self.document("1.5"), to: "t.json")
    #expect(daemon.process.waitForLine(containing: "version 5 in force") != nil)

    #expect(unlink(path) == 0)
    #expect(daemon.process.waitForLine(containing: "A game's template is refused: \(path): No such file") != nil)
    #expect(try speed(daemon) == 1.5)
    #expect(try degraded(daemon).first?["what"] == "template")
    #expect(try daemon.control("status").output.contains("No such file"))
    try folder.write(Self.document("1.5"), to: "t.json")
    #expect(daemon.process.waitForLine(containing: "over: A game's template is refused") != nil)
    #expect(try daemon.waits(seconds: 120) { try degraded(daemon).isEmpty })

    try folder.write(String(Self.document("3.5").dropLast(9)), to: "t.json")
    #expect(daemon.process.waitForLine(containing: "A game's template is refused: ") != nil)
    try folder.write(Self.document("99"), to: "t.json")
    let refused = daemon.process.waitForLine(containing: "above the maximum")
    #expect(refused?.last?.contains("/parameters/speed/defaultValue/value") == true, "\(refused ?? [])")
    #expect(try speed(daemon) == 1.5)
    let status = try daemon.ask("GET", "/v1/status", admin: true).json["games"]?.listValue?.first?["template"]
    #expect(status?["version"] == 5 && status?["file"]?.stringValue == path, "\(status ?? .null)")
    #expect(status?["age_seconds"]?.numberValue != nil && status?["wrong"]?.listValue?.count == 1)
    // A start with a faulty file serves the last valid template.
    try daemon.restart(killing: true)
    #expect(try speed(daemon) == 1.5)
    #expect(try degraded(daemon).first?["what"] == "template")
  }

  @Test("a template's rollback persists over SIGKILL although the file is unchanged")
  func rollback() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.document("3"), to: "t.json")
    let daemon = try daemon(folder, folder.path + "/t.json")
    try folder.write(Self.document("2.5"), to: "t.json")
    #expect(daemon.process.waitForLine(containing: "version 2 in force") != nil)
    #expect(try daemon.control("template", "rollback", "mine").status == 0)
    try daemon.restart(killing: true)
    #expect(try speed(daemon) == 3.0)
  }

  @Test("a template in gameconfd's own form may be YAML, in a file or pushed")
  func yaml() throws {
    let folder = try TemporaryFolder()
    let text = "# Spring\ngameconf_template: 1\nvalues: {speed: 3.0}\nrules:\n  lives: [{match: {platform: ios}, value: 9}]\n"
    try folder.write(text, to: "t.yaml")
    let daemon = try daemon(folder, folder.path + "/t.yaml")
    #expect(try speed(daemon) == 3.0)
    let lives = try daemon.ask("POST", "/v1/games/mine/config/lives", body: ["context": ["platform": "ios"]]).json
    #expect(lives["value"] == 9, "\(lives)")
    try folder.write(text.replacing("3.0", with: "2.5"), to: "other.yaml")
    let pushed = try daemon.control("template", "push", "mine", folder.path + "/other.yaml")
    #expect(pushed.status == 0, "\(pushed.errors)")
    #expect(try speed(daemon) == 2.5)
    try folder.write("gameconf_template: 1\nvalues: {speed: 3.0\n", to: "broken.yaml")
    let broken = try daemon.control("template", "push", "mine", folder.path + "/broken.yaml")
    #expect(broken.status == 1 && broken.errors.contains("broken.yaml:"), "\(broken.errors)")
    try folder.write("values: {speed: 3.0}\n", to: "plain.yaml")
    #expect(try daemon.control("template", "push", "mine", folder.path + "/plain.yaml").errors.contains("gameconf_template"))
  }
}
