// Tests the rules that check several files or Package.swift, on sample files and sample manifests.

import Testing

@Suite("Rules for several files and Package.swift find violations")
struct WholeTreeRuleTests {
  static let core = SourceFile(
    path: "Sources/GameConfCore/Value.swift",
    text:
      "public enum Value { case integer(Int) }\npublic func murmur(_ x: Int) {}\nstruct Hidden {}\nextension Value { public var asText: Int { 1 } }"
  )

  @Test(
    "an import of which the file uses no name is found",
    arguments: [
      ("import GameConfCore\nlet x: Value", []),
      ("import GameConfCore\nlet x = murmur(1)", []),
      ("import GameConfCore\nlet x = y.asText", []),
      ("import GameConfCore\nlet x: Hidden", [1]),
      ("import GameConfCore\n// Value\nlet x = \"Value\"", [1]),
      ("import GameConfCore\nlet x = \"\\(Value.self)\"", []),
      ("import Logging\nimport Glibc\nlet x = 1", [1, 2]),
      ("import Logging\nimport Glibc\nlet x: Logger\nlet y = getpid()", []),
      ("import Glibc\nlet y = O_RDONLY", []),
      ("import Glibc\nfunc own() {}\nlet y = own() + min(1, 2) + a.open()", [1]),
      ("import Synchronization\nlet x = Atomic(1)", []),
      ("import Synchronization\nlet x = 1", [1]),
      ("import Collections\nlet x: Deque<Int>\nlet y: UnknownThing", []),
    ])
  func unusedImport(text: String, lines: [Int]) {
    let file = SourceFile(path: "Sources/GameConfEngine/Made.swift", text: text)
    #expect(UnusedImports(files: [Self.core, file]).check(file).map(\.line) == lines)
  }

  @Test(
    "an internal name in a file proves the use of its module only if the import is @testable",
    arguments: [
      ("@testable import GameConfCore\nlet x: Hidden", []),
      ("import GameConfCore\nlet x: Hidden", [1]),
      ("@testable import GameConfCore\nlet x = 1", [1]),
      ("@testable import GameConfCore; import Testing\n@Test func x() { _ = Hidden() }", []),
    ])
  func testableImport(text: String, lines: [Int]) {
    let file = SourceFile(path: "Tests/GameConfEngineTests/Made.swift", text: text)
    #expect(UnusedImports(files: [Self.core, file]).check(file).map(\.line) == lines)
  }

  @Test("a name that the file's own module declares does not prove the use of an imported module")
  func ownNameIsNoUse() {
    let own = SourceFile(path: "Sources/GameConfEngine/Own.swift", text: "struct Value {}")
    let file = SourceFile(path: "Sources/GameConfEngine/Made.swift", text: "import GameConfCore\nlet x: Value")
    #expect(UnusedImports(files: [Self.core, own, file]).check(file).map(\.line) == [1])
  }

  private func manifest(_ targets: String, packages: String = "") -> Manifest {
    Manifest(
      text: """
        let shared: [Target.Dependency] = [.product(name: "Logging", package: "swift-log")]
        let one = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
        let package = Package(name: "p", products: [.library(name: "GameConfCore", targets: ["GameConfCore"])],
          dependencies: [\(packages)],
          targets: [
        \(targets)
          ])
        """)
  }

  @Test("parsing Package.swift finds the targets, packages and dependencies, also those in constants")
  func reading() {
    let read = manifest(
      """
      .target(name: "GameConfCore", swiftSettings: strict),
      .executableTarget(name: "gameconfd", dependencies: ["GameConfCore", one] + shared, swiftSettings: strict),
      .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
      """, packages: ".package(url: \"https://a/b\", exact: \"1.0.0\")")
    #expect(read.targets.map(\.name) == ["GameConfCore", "gameconfd", "CSystemd"])
    #expect(read.targets.map(\.dependencies) == [[], ["GameConfCore", "CoreMetrics", "Logging"], []])
    #expect(read.packages.map(\.address) == ["https://a/b"])
    #expect(manifestAgainstTable(read).isEmpty)
  }

  @Test(
    "a target in Package.swift that differs from the module table is found",
    arguments: [
      (".target(name: \"Cellar\", swiftSettings: strict)", "not in the house's table"),
      (".target(name: \"GameConfCore\", dependencies: [one], swiftSettings: strict)", "may not depend on CoreMetrics"),
      (".target(name: \"GameConfCore\", path: \"Core\", swiftSettings: strict)", "without `path:`"),
      (".target(name: \"GameConfCore\", dependencies: [])", "strict settings"),
      (".testTarget(name: \"CellarTests\", swiftSettings: strict)", "named for no module"),
      (
        ".target(name: \"GameConfEngine\", dependencies: [\"GameConfCore\"], swiftSettings: strict), .target(name: \"GameConfCore\", swiftSettings: strict)",
        "bottom first"
      ),
    ])
  func manifestRule(targets: String, says: String) {
    let findings = manifestAgainstTable(manifest(targets))
    #expect(findings.count == 1)
    #expect(findings.first?.says.contains(says) == true)
  }

  @Test("a package dependency without an exact version is found")
  func pins() {
    #expect(manifestAgainstTable(manifest("", packages: ".package(url: \"https://a/b\", from: \"1.0.0\")")).count == 1)
  }

  @Test("a dependency that no file of the target imports is found, except for a program that a test target runs")
  func unused() {
    let read = manifest(
      """
      .target(name: "GameConfCore", swiftSettings: strict),
      .target(name: "GameConfEngine", dependencies: ["GameConfCore", one] + shared, swiftSettings: strict),
      .executableTarget(name: "gameconfd", dependencies: ["GameConfEngine"], swiftSettings: strict),
      .testTarget(name: "DaemonTests", dependencies: ["gameconfd", "GameConfCore"], swiftSettings: strict),
      """)
    let files = [
      SourceFile(path: "Sources/GameConfEngine/A.swift", text: "import GameConfCore\nimport CoreMetrics"),
      SourceFile(path: "Sources/gameconfd/A.swift", text: "import GameConfEngine"),
      SourceFile(path: "Tests/DaemonTests/A.swift", text: "import Testing"),
    ]
    let findings = unusedDependencies(read, files: files).map(\.says)
    #expect(findings.count == 2)
    #expect(findings.first?.hasPrefix("GameConfEngine depends on Logging") == true)
    #expect(findings.last?.hasPrefix("DaemonTests depends on GameConfCore") == true)
  }

  @Test("an import that the module table allows is found if no file has the import, except for a module that does not exist yet")
  func unusedPermission() {
    let moduleRules = [
      ModuleRule(module: "GameConfStorage", own: ["GameConfCore"], outside: ["Yams", "CoreMetrics"]),
      ModuleRule(module: "GameConfClient", own: ["GameConfCore"], outside: []),
    ]
    let files = [
      SourceFile(path: "Sources/GameConfStorage/A.swift", text: "public import GameConfCore"),
      SourceFile(path: "Sources/GameConfStorage/B.swift", text: "import CoreMetrics"),
      SourceFile(path: "Tests/GameConfStorageTests/B.swift", text: "import Yams"),
    ]
    #expect(unusedPermissions(moduleRules, files: files).map(\.says) == ["GameConfStorage may import Yams, and none of its files does"])
  }

  @Test("all files with a rare word are reported if there are more of them than the word's limit", arguments: [(6, 0), (7, 7)])
  func rareWord(count: Int, findings: Int) {
    let files = (0..<count).map { SourceFile(path: "Sources/M\($0)/A.swift", text: "case acceptPrice\nlet b = acceptPrice") }
    let others = [SourceFile(path: "Tests/ATests/A.swift", text: "let a = acceptPrice  // mkdtemp")]
    #expect(wordsInTooManyFiles(files: files + others).count == findings)
  }

  @Test("a problem code is found if, besides the list of codes, only gameconfctl or a test uses it")
  func unansweredCode() {
    let files = [
      SourceFile(
        path: "Sources/GameConfCore/Refusals/ProblemCode.swift",
        text: "enum ProblemCode: String {\n  case one = \"ONE\"\n  case two = \"TWO\"\n  case three = \"THREE\"\n}"),
      SourceFile(path: "Sources/GameConfHTTP/A.swift", text: "throw Problem(.one, \"One.\")"),
      SourceFile(path: "Sources/GameConfCore/A.swift", text: "case none: .two"),
      SourceFile(path: "Sources/gameconfctl/A.swift", text: "case .three: 1"),
      SourceFile(path: "Tests/DaemonTests/A.swift", text: "let a = Code.three"),
    ]
    #expect(unansweredCodes(files: files).map(\.says) == ["nobody is answered THREE"])
  }

  @Test("a file of GameConfStorage is found if its folder is unknown, or if it names a type of a folder not earlier in storageFolders")
  func storageFolders() {
    func file(_ name: String, _ text: String) -> SourceFile { SourceFile(path: "Sources/GameConfStorage/\(name).swift", text: text) }
    let files = [
      file("Library/A", "enum Low { case row }\nprivate struct Inner {}\nlet a = Table.one"),
      file("Tables/One/A", "package struct Table: Sendable {\n  enum Low {}\n  let inner: Low\n}"),
      file("SQLite/A", "let a: Table\nlet b = PostgresSide()\nstruct Inner {}"),
      file("Postgres/A", "struct PostgresSide {}\nlet row = Low.Inner"),
      file("Cellar/A", "let a = 1"), SourceFile(path: "Sources/GameConfEngine/A.swift", text: "let a: PostgresSide"),
    ]
    #expect(
      storageFoldersOutOfOrder(files: files).map(\.says) == [
        "`Cellar` is no folder of the store; they are in `storageFolders`", "`Table` is in Tables, which is not below Library",
        "`PostgresSide` is in Postgres, which is not below SQLite",
      ])
  }

  @Test("a limit that gameconfctl status does not show is found, and so is an exception that belongs to no such limit")
  func limits() {
    let files = [
      SourceFile(
        path: "Sources/GameConfCore/A.swift",
        text: """
          public enum PlayLimits {
            public static let openMax = 1
            public static let idBytesMax = 2
            private static let pageMax = 3
          }
          extension Route.Kind where A: B { static var stepsMax: Int { 4 } }
          struct One { let countMax = 5; static func make(max: Int) { enum Inner { static let depthMax = max } } }
          """),
      SourceFile(
        path: "Sources/GameConfHTTP/A.swift",
        text: """
          enum ImageLimits {
            static let bytesMax = 1
            static var wire: [(String, Value)] {
              [("bytes", .integer(Int64(bytesMax))), ("open", .integer(Int64(Game.PlayLimits.openMax / 2)))]
            }
          }
          let other = PlayLimits.idBytesMax
          """),
      SourceFile(path: "Sources/gameconfctl/A.swift", text: "enum A { static let rowsMax = 1 }"),
      SourceFile(path: "Tests/GameConfCoreTests/A.swift", text: "enum A { static let rowsMax = 1 }"),
    ]
    func says(_ exceptions: [(reason: String, limits: [String])]) -> [String] {
      hiddenLimits(files: files, exceptions: exceptions).map { "\($0.line) \($0.says.prefix { $0 != ";" })" }
    }
    let hidden = [
      "3 status does not show PlayLimits.idBytesMax", "6 status does not show Kind.stepsMax", "7 status does not show Inner.depthMax",
    ]
    #expect(says([]) == hidden)
    #expect(says([("why", ["PlayLimits.idBytesMax"]), ("why", ["Kind.stepsMax", "Inner.depthMax"])]) == [])
    #expect(says([("why", ["PlayLimits.openMax"])]) == hidden + ["0 PlayLimits.openMax is no hidden limit"])
  }

  @Test("a module above its limits, a module without limits, and a function that is too long are found")
  func sizes() {
    let body = String(repeating: "  let a = 1\n", count: SizeTable.functionLinesMax - 2)
    let text =
      "// A file.\nstruct One {\n\n/// A function.\nfunc made() {\n\(body)}\n}\nprotocol Two { func f()\n func g(_ a: () -> Void) }"
    let files = [
      SourceFile(path: "Sources/GameConfCore/A.swift", text: text), SourceFile(path: "Sources/CZlib/a.h", text: "/* A. */\nint a;"),
    ]
    func says(_ lines: Int, _ names: Int, files: [SourceFile] = files, functions: Set<String> = []) -> [String] {
      let rules = [("GameConfCore", lines, names), ("CZlib", 1, 0)].map {
        SizeRule(module: $0, codeLinesMax: $1, typeNamesMax: $2, reason: "")
      }
      return sizesAgainstTable(files: files, rules: rules, longFunctions: functions).map { "\($0.says.prefix { $0 != ";" })" }
    }
    #expect(says(74, 2) == [])
    #expect(says(73, 2) == ["74 lines of code, 73 are allowed"])
    #expect(says(74, 1) == ["2 type names, 1 are allowed"])
    #expect(says(74, 2, functions: ["Sources/GameConfCore/A.swift made"]) == ["Sources/GameConfCore/A.swift made is no long function"])
    #expect(says(74, 2, files: [files[0]]) == ["there is no module CZlib"])
    let longer = SourceFile(path: files[0].path, text: text.replacing("made() {\n", with: "made() {\n  let b = 2\n"))
    #expect(says(75, 2, files: [longer, files[1]]) == ["made has 71 lines, 70 are allowed"])
    #expect(says(75, 2, files: [longer, files[1]], functions: ["Sources/GameConfCore/A.swift made"]) == [])
    let further = SourceFile(path: "Sources/Cellar/A.swift", text: "enum A {}")
    #expect(says(74, 2, files: files + [further]) == ["add `(\"Cellar\", 1, 1, …)`, with the reason for the module"])
  }

  @Test("a command that the code for completing arguments names is found")
  func filledCommand() {
    let files = [
      SourceFile(path: "Sources/gameconfctl/Commands/Ads/AdsReset.swift", text: "struct AdsReset: ChangeCommand {}"),
      SourceFile(path: "Sources/gameconfctl/Input/ArgumentFill.swift", text: "let a = 1\nextension AdsReset: PlacementCommand {}"),
      SourceFile(path: "Sources/gameconfctl/GameConfCtl.swift", text: "let all = [AdsReset.self]"),
    ]
    #expect(commandsNamedByFill(files: files).map(\.line) == [2])
  }

  @Test("a type of an optional part of gameconfctl is found if another folder of gameconfctl names it")
  func namedFace() {
    let files = [
      SourceFile(path: "Sources/gameconfctl/MCP/MCPRun.swift", text: "struct MCPRun {}\nlet code = CodeText.self"),
      SourceFile(path: "Sources/gameconfctl/Codegen/CodeText.swift", text: "enum CodeText {}\nlet text = CodeText.self"),
      SourceFile(path: "Sources/gameconfctl/Faces.swift", text: "let all = [MCPRun.self]"),
      SourceFile(path: "Sources/gameconfctl/Output/A.swift", text: "let a = [\n  CodeText.self, B.CodeText.self\n]"),
    ]
    #expect(
      commandFacesNamedOutside(files: files).map { "\($0.path):\($0.line)" }.sorted() == [
        "Sources/gameconfctl/MCP/MCPRun.swift:2", "Sources/gameconfctl/Output/A.swift:2",
      ])
  }

  @Test(
    "a suite, test or file that the ledger of bugs names is found if it does not exist",
    arguments: [
      ("`OneTests`", []), ("`OneTests`: a lost WRITE …; `TwoSuite`", []), ("`OneTests`: a lost … no key`s value, `check.py`", []),
      ("`OneTests.lost`", []), ("`OneTests.lost`: a lost write", []), ("`TwoSuite`: plain", []), ("`OneTests` on PostgreSQL", []),
      ("`check.py`: a “slider” …", []), ("`c/check.c`, `Tests/Clients`", []), ("no test: it is not seen", []),
      ("`ThreeTests`", ["there is no suite ThreeTests"]), ("`LowTests`", ["there is no suite LowTests"]),
      ("`OneTests`: a lost read …", ["no test of OneTests is named “a lost read”"]),
      ("`OneTests`: a lost … moved", ["no test of OneTests is named “a lost … moved”"]),
      ("`TwoSuite`: a lost write", ["no test of TwoSuite is named “a lost write”"]),
      ("`OneTests.plain`", ["OneTests has no test plain"]), ("`check.py`: a switch", ["check.py does not contain “a switch”"]),
      ("`lost.py`; `OneTests`: a move", ["there is no file lost.py in Tests", "no test of OneTests is named “a move”"]),
      ("somewhere", ["write the test that holds the bug in backticks, or “no test”"]),
    ])
  func ledger(cell: String, says: [String]) {
    let files = [
      SourceFile(path: "Sources/GameConfCore/LowTests.swift", text: "struct LowTests {}"),
      SourceFile(path: "Tests/GameConfCoreTests/A.swift", text: "struct OneTests {\n  @Test func gone() {}\n}\nstruct TwoSuite {}"),
      SourceFile(
        path: "Tests/GameConfCoreTests/B.swift",
        text: """
          extension OneTests {
            @Test("a lost write changes no `key`'s \\"value\\"", arguments: [1]) func lost(a: Int) {}
            @Test("the next is moved") func moved() {}
          }
          extension TwoSuite { @Test func plain() {} }
          """),
      SourceFile(path: "Tests/Clients/c/check.c", text: "int a;"),
      SourceFile(path: "Tests/Clients/panel/check.py", text: "check('A slider')"),
    ]
    let ledger = SourceFile(path: "BugLedger.md", text: "# Bugs\n\n| what | held by |\n|---|---|\n| `a|b` | \(cell) |\n\nText.")
    #expect(ledgerAgainstTests(ledger, files: files).map(\.says) == says)
    #expect(ledgerAgainstTests(ledger, files: files).allSatisfy { $0.line == 5 })
  }

  @Test("a folder without a target in Package.swift, and a target without a folder, are found")
  func folders() {
    let read = manifest(".target(name: \"GameConfCore\", swiftSettings: strict), .target(name: \"GameConfAPI\", swiftSettings: strict)")
    let paths = ["Sources/GameConfCore/A.swift", "Sources/Attic/B.swift", "Tests/System/run", "Tests/Benchmarks/Package.swift"]
    #expect(
      foldersAgainstManifest(read, paths: paths).map(\.description) == [
        "Sources/Attic:0: no target in Package.swift", "Package.swift:0: no folder Sources/GameConfAPI",
      ])
  }

  @Test("an entry in the repository's top folder that the module table does not list is found")
  func topLevel() {
    #expect(topLevelAgainstPlan(["Package.swift", "Sources", "docs", "notes.txt", ".ci"]).map(\.path) == ["docs", "notes.txt"])
  }
}
