// Code generated for a catalog: the fixtures, names, overwriting, and refusals. Tests/Clients/codegen compiles and runs it.

import GameConfAPI
import GameConfCore
import Glibc
import TestSupport
import Testing

@testable import gameconfctl

private let top = String(#filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 })
private let fixtures = top + "/Tests/Fixtures/Codegen"
private let languages = CodeLanguage.allCases.map(\.rawValue)

private func text(_ path: String) throws -> String { String(decoding: try FileBytes.read(path), as: UTF8.self) }

/// Returns a recorded daemon that describes a catalog's file as the real daemon does.
private func daemon(of file: String) throws -> RecordedDaemon {
  let catalog = try CatalogValidation.catalog(inFile: file)
  let document = try #require(CatalogDescription.value(of: catalog).objectValue)
  return RecordedDaemon(["GET /v1/games/\(catalog.game)/catalog": .json(CatalogAnswer(document: document))])
}

@Suite("The command catalog codegen")
struct CodegenTests {
  @Test(
    "the code equals the fixtures, which GAMECONF_RECORD=1 Tests/Clients/codegen/run writes", arguments: ["small", "hostile"], languages
  )
  func goldens(game: String, language: String) async throws {
    let outcome = await run("catalog", "codegen", language, "\(fixtures)/\(game).yaml")
    #expect(outcome.status == 0)
    #expect(outcome.out == (try text("\(fixtures)/\(game)/\(language)")))
    #expect(outcome.err.hasPrefix("1 secret key is left out") && !outcome.out.contains("hush") && !outcome.out.contains("sealed_word"))
  }

  @Test(
    "the code generated from a daemon's game has the same bytes as the code generated from its catalog file",
    arguments: [fixtures + "/small.yaml", fixtures + "/hostile.yaml"]
      + ["adventure", "dartsscore", "kidsdoku2", "remembersquare", "wheresthedot"].map { "\(top)/Defaults/\($0).yaml" })
  func sameFromDaemon(file: String) async throws {
    let daemon = try daemon(of: file)
    let game = String(file.split(separator: "/").last?.dropLast(".yaml".count) ?? "")
    for language in languages {
      let ofGame = await run("catalog", "codegen", language, game, admin: daemon)
      #expect(ofGame.status == 0, "\(ofGame.err)")
      #expect(ofGame.out == (await run("catalog", "codegen", language, file).out), "\(language)")
      #expect(ofGame.out.utf8.count > 1_000)
    }
  }

  @Test(
    "a reserved name gets an underscore, and a duplicate name gets the next number with which no other key has that name",
    arguments: [
      (["a", "b"], ["a", "b"]), (["end", "a"], ["end_", "a"]), (["a", "a", "a"], ["a", "a_2", "a_3"]),
      (["a", "a", "a_2"], ["a", "a_3", "a_2"]), (["end", "end_", "end"], ["end_", "end__2", "end__3"]),
      (["a_2", "a", "a", "a_2"], ["a_2", "a", "a_3", "a_2_2"]),
    ] as [([String], [String])])
  func unique(names: [String], expected: [String]) {
    #expect(CodeNames.unique(names, reserved: ["end"]) == expected)
  }

  @Test(
    "a catalog's name is converted to the naming style of each language",
    arguments: [
      ("arcade_time_limit", "arcadeTimeLimit", "ArcadeTimeLimit", "arcade_time_limit", "ARCADE_TIME_LIMIT"),
      ("HTTP_limit", "httpLimit", "HTTPLimit", "HTTP_limit", "HTTP_LIMIT"),
      ("$rc_monthly", "rcMonthly", "RcMonthly", "_rc_monthly", "RC_MONTHLY"),
      ("1up", "_1up", "_1up", "_1up", "_1UP"), ("__init__", "init", "Init", "__init__", "INIT"), ("a-b.c", "aBC", "ABC", "a_b_c", "A_B_C"),
      ("_", "value", "Value", "_", "VALUE"), ("", "empty", "Empty", "empty", "EMPTY"), ("é", "value", "Value", "__", "VALUE"),
    ])
  func spelled(text: String, camel: String, pascal: String, snake: String, shouted: String) {
    #expect(CodeNames.camel(text) == camel && CodeNames.pascal(text) == pascal)
    #expect(CodeNames.snake(text) == snake && CodeNames.shouted(text) == shouted)
    for name in [camel, pascal, snake, shouted] { #expect(CodeNames.isIdentifier(name), "\(name)") }
  }

  @Test(
    "any number of bytes is encoded as Base64", arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
  func base64(text: String, expected: String) {
    #expect(CodeText.base64(Array(text.utf8), lineLength: 76).joined() == expected)
  }

  @Test("the options for prefix and namespace change the names, and --no-image leaves the image out")
  func options() async throws {
    let file = fixtures + "/small.yaml"
    let c = await run("catalog", "codegen", "c", file, "--prefix", "my", "--no-image").out
    #expect(c.contains("static inline int64_t my_lives(const gameconf *gc)") && c.contains("#define MY_KEY_LIVES \"lives\""))
    #expect(!c.contains("small_") && !c.contains("my_defaults") && c.contains("gameconf_options my_options(void)"))
    let swift = await run("catalog", "codegen", "swift", file, "--prefix", "my", "--namespace", "Mine", "--no-image").out
    #expect(swift.contains("static var myLives: Key ") && swift.contains("enum Mine {") && !swift.contains("base64"))
    let csharp = await run("catalog", "codegen", "csharp", file, "--namespace", "A.B", "--no-image").out
    #expect(csharp.contains("namespace A.B\n") && !csharp.contains("Base64"))
    for language in ["lua", "python"] {
      let out = await run("catalog", "codegen", language, file, "--no-image").out
      #expect(!out.lowercased().contains("defaults") && out.contains("lives_max"))
    }
  }

  @Test("codegen --check passes for equal files, and otherwise names the first line that differs")
  func check() async throws {
    let file = fixtures + "/small.yaml"
    let folder = try TemporaryFolder()
    let path = folder.path + "/keys.lua"
    let missing = await run("catalog", "codegen", "lua", file, "--check", path)
    #expect(missing.status == 1 && missing.err.contains("\(path): there is no such file"))
    #expect(await run("catalog", "codegen", "lua", file, "-o", path).status == 0)
    let good = await run("catalog", "codegen", "lua", file, "--check", path)
    #expect(good.status == 0 && good.out.isEmpty)
    let written = try text(path)
    try FileBytes.replace(path, with: Array(CodeText.replacing("\n", by: "\r\n", in: written).utf8))
    #expect(await run("catalog", "codegen", "lua", file, "--check", path).status == 0)
    let other = CodeText.replacing("\"lives\", 3)", by: "\"lives\", 4)\u{1B}[31m", in: written)
    try FileBytes.replace(path, with: Array(other.utf8))
    let line = written.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.contains("\"lives\", 3)") } ?? 0
    let outdated = await run("catalog", "codegen", "lua", file, "--check", "\(fixtures)/small/lua", "--check", path)
    #expect(outdated.status == 1 && outdated.out.isEmpty)
    #expect(outdated.err.contains("\(path):\(line + 1): out of date"))
    #expect(outdated.err.contains("\n- function Config:lives() return self._game:int(\"lives\", 4)\\u{1B}[31m end\n"))
    #expect(outdated.err.contains("\n+ function Config:lives() return self._game:int(\"lives\", 3) end\n"))
    #expect(!outdated.err.contains("small/lua"))
    try FileBytes.replace(path, with: Array((written + "more\n").utf8))
    #expect(await run("catalog", "codegen", "lua", file, "--check", path).err.contains("- more\n"))
    #expect(try text(path) == written + "more\n")
  }

  @Test("codegen replaces only generated files, and does not write a file whose content would stay the same")
  func overwriting() async throws {
    let file = fixtures + "/small.yaml"
    let folder = try TemporaryFolder()
    let path = folder.path + "/keys.h"
    try FileBytes.replace(path, with: Array("int main(void) { return 0; }\n".utf8))
    let refused = await run("catalog", "codegen", "c", file, "-o", path)
    #expect(refused.status == 1 && refused.err.contains("--force") && refused.err.contains(path))
    #expect(try text(path) == "int main(void) { return 0; }\n")
    #expect(await run("catalog", "codegen", "c", file, "-o", path, "--force").status == 0)
    #expect(try text(path) == (try text(fixtures + "/small/c")))
    let before = try inode(path)
    #expect(await run("catalog", "codegen", "c", file, "-o", path).status == 0)
    #expect(try inode(path) == before)
    #expect(await run("catalog", "codegen", "c", file, "-o", path, "--prefix", "other").status == 0)
    #expect(try text(path).contains("other_lives"))
  }

  private func inode(_ path: String) throws -> UInt64 {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return UInt64(status.st_ino)
  }

  @Test(
    "codegen refuses an invalid name or option and names it",
    arguments: [
      (["cobol", "g"], 2, "swift"), (["c", "g"], 5, "UNKNOWN_GAME"), (["c", "/nowhere/g.yaml"], 1, "/nowhere/g.yaml: No such file"),
      (["python", "g", "--prefix", "x"], 2, "--prefix is for c and swift"), (["c", "g", "--namespace", "x"], 2, "--namespace is for"),
      (["c", "g", "--prefix", "1a"], 2, "does not begin with a digit"), (["c", "g", "--prefix", "é"], 2, "ASCII"),
      (["c", "g", "--prefix", "_"], 2, "ASCII"),
      (["swift", "g", "--namespace", "A.B"], 2, "--namespace takes ASCII letters"),
      (["csharp", "g", "--namespace", "A..B"], 2, "--namespace takes ASCII letters"),
      (["c", "g", "--check", "a", "-o", "b"], 2, "--check writes nothing"),
    ] as [([String], Int32, String)])
  func refused(arguments: [String], status: Int32, says: String) async {
    let daemon = RecordedDaemon(["GET /v1/games/g/catalog": .problem(Problem(.unknownGame, "There is no game “g”."))])
    let outcome = await run(["catalog", "codegen"] + arguments, admin: daemon)
    #expect(outcome.status == status && outcome.err.contains(says) && outcome.out.isEmpty, "\(outcome)")
  }

  @Test("codegen refuses a faulty catalog with the fault's position, and a missing folder by its name")
  func broken() async throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.path
    try FileBytes.replace(folder + "/bad.yaml", with: Array("gameconf: 1\ngame: bad\ntitle: B\nlocales: [en]\nparametrs: {}\n".utf8))
    let bad = await run("catalog", "codegen", "c", folder + "/bad.yaml", "-o", folder + "/bad.h")
    #expect(bad.status == 1 && bad.err.contains("\(folder)/bad.yaml:5:1: ") && bad.err.contains("“parameters”"))
    #expect(throws: CtlFailure.self) { try FileBytes.read(folder + "/bad.h") }
    let missing = await run("catalog", "codegen", "c", fixtures + "/small.yaml", "-o", folder + "/none/a.h")
    #expect(missing.status == 1 && missing.err.contains("gameconfctl: \(folder)/none/a.h: No such file or directory\n"))
    let directory = await run("catalog", "codegen", "c", fixtures + "/small.yaml", "-o", folder)
    #expect(directory.status == 1 && directory.err.contains("Is a directory"))
  }

  @Test("codegen requires the catalog's file if a secret hides a part of a default")
  func secretRule() async {
    let parameters: Value = [
      ["key": "hidden", "type": "integer", "default": "***", "secret": true, "section": "S", "description": "D"],
      [
        "key": "shown", "type": "integer", "default": 1, "section": "S", "description": "D",
        "rules": [["when": [">": [["parameter": "hidden"], 3]], "value": 2]],
      ],
    ]
    let document = ObjectValue([("game", "g"), ("title", "G"), ("locales", ["en"]), ("parameters", parameters)])
    let outcome = await run(
      "catalog", "codegen", "c", "g", admin: RecordedDaemon(["GET /v1/games/g/catalog": .json(CatalogAnswer(document: document))]))
    #expect(outcome.status == 1 && outcome.err.contains("name the catalog's file") && outcome.err.contains("“hidden”"), "\(outcome)")
  }
}
