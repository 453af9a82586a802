// Tests each rule for single files with sample files: at least one that breaks the rule, and one that does not.

import Testing

@Suite("Rules for files find violations")
struct FileRuleTests {
  struct RuleSample: CustomStringConvertible, Sendable {
    let rule: FileRule
    let path: String
    let text: String
    let lines: [Int]
    var description: String { "\(rule): \(text.debugDescription.prefix(60))" }

    init(_ rule: FileRule, _ text: String, fires lines: Int...) {
      self.init(rule: rule, path: "Sources/GameConfEngine/Made.swift", text: text, lines: lines)
    }

    init(_ rule: FileRule, _ path: String, _ text: String, fires lines: Int...) {
      self.init(rule: rule, path: path, text: text, lines: lines)
    }

    private init(rule: FileRule, path: String, text: String, lines: [Int]) {
      self.rule = rule
      self.path = path
      self.text = text
      self.lines = lines
    }
  }

  static let imports = [
    RuleSample(arrowsPointDown, "import GameConfHTTP\n", fires: 1),
    RuleSample(arrowsPointDown, "import GameConfCore\npublic import struct NIOCore.ByteBuffer", fires: 2),
    RuleSample(arrowsPointDown, "@preconcurrency @_spi(X) internal import SystemPackage", fires: 1),
    RuleSample(arrowsPointDown, "import GameConfCore\nimport Synchronization\nimport Glibc\nimport GameConfStorage"),
    RuleSample(arrowsPointDown, "// import GameConfHTTP\nlet x = \"import GameConfHTTP\"\nlet y = set.import"),
    RuleSample(arrowsPointDown, "Sources/GameConfCore/Made.swift", "import Glibc", fires: 1),
    RuleSample(arrowsPointDown, "Sources/GameConfCore/Made.swift", "import Synchronization"),
    RuleSample(arrowsPointDown, "Sources/gameconfctl/Made.swift", "import GameConfStorage\nimport CSQLite", fires: 1, 2),
    RuleSample(arrowsPointDown, "Sources/Cellar/Made.swift", "let x = 1", fires: 1),
    RuleSample(arrowsPointDown, "Tests/GameConfEngineTests/Made.swift", "import GameConfHTTP"),
    RuleSample(noWholeFoundation, "Sources/GameConfFormats/Made.swift", "import Foundation", fires: 1),
    RuleSample(noWholeFoundation, "Sources/GameConfFormats/Made.swift", "import FoundationEssentials"),
    RuleSample(noXCTest, "Tests/GameConfCoreTests/Made.swift", "import Testing\n@testable import XCTest", fires: 2),
    RuleSample(noXCTest, "Tests/GameConfCoreTests/Made.swift", "import Testing // not XCTest"),
  ]

  private static let eightVariables = "abcdefgh".map { "  var \($0): [Int: Set<Int>] = [:]\n" }.joined()

  static let code = [
    RuleSample(noCrashes, "let a = try! f()\nlet b = c!.d\nlet e = f()!\nlet g = h as! Int", fires: 1, 2, 3, 4),
    RuleSample(noCrashes, "var a: Int!\nfatalError(\"x\")\nprecondition(a > 0)", fires: 1, 2, 3),
    RuleSample(noCrashes, "let s = \"\\(value!)\"", fires: 1),
    RuleSample(noCrashes, "if !a, b != c, (!d) { print(\"no!\") } // really!\n/* c! */ let r = #\"a!\"#"),
    RuleSample(noCrashes, "Tests/GameConfCoreTests/Made.swift", "let b = c!"),
    RuleSample(oneStyleOfQuotes, #"let a = "There is no mode `arcade`.""#, fires: 1),
    RuleSample(oneStyleOfQuotes, #"let a = "`\(key)` is secret"\#nlet b = "It is \"\(key)\".""#, fires: 1, 2),
    RuleSample(oneStyleOfQuotes, ##"let a = "\"\(key)\" is missing""##, fires: 1),
    RuleSample(oneStyleOfQuotes, ##"let a = "“\(key)” is \(value.shown)"  // `a`"##),
    RuleSample(oneStyleOfQuotes, ##"if byte == UInt8(ascii: "\"") { return "\"" + text }"##),
    RuleSample(oneStyleOfQuotes, "Sources/gameconfctl/Made.swift", ##"let a = "\"\(revision)\"""##),
    RuleSample(oneStyleOfQuotes, "Sources/GameConfCore/Made.swift", ##"let a = "{\"key\":\"\(key)\"}"\##nlet `default` = 1"##),
    RuleSample(noSleepInTests, "Tests/GameConfCoreTests/Made.swift", "try await Task.sleep(for: .seconds(1))\nusleep(3)", fires: 1, 2),
    RuleSample(noSleepInTests, "Tests/GameConfCoreTests/Made.swift", "// no sleep\n@Test(\"a player may sleep\")"),
    RuleSample(noSleepInTests, "try await Task.sleep(for: .seconds(1))"),
    RuleSample(fewStoredVariables, "final class WatchLoop {\n  let z = [1, 2]\n\(eightVariables)  private var i = 0\n}", fires: 11),
    RuleSample(
      fewStoredVariables, "final class WatchLoop {\n\(eightVariables)  var i: Int { didSet { f() } }\n  var (j, k) = (1, 2)\n}", fires: 10,
      11, 11),
    RuleSample(
      fewStoredVariables, "final class WatchLoop {\n\(eightVariables)  var i: A {\n    var j = 1\n  }\n  static var k = 2\n}\nvar l = 3"),
    RuleSample(fewStoredVariables, "final class Other {\n\(eightVariables)  var i = 0\n}"),
    RuleSample(namesWhereTheyStand, "let a = 1\nlet name = withUnsafePointer(to: &entry.pointee.d_name) { $0 }", fires: 2),
    RuleSample(namesWhereTheyStand, "let offset = MemoryLayout<dirent>.offset(of: \\.d_name)\nlet kind = entry.pointee.d_type"),
    RuleSample(noTableProtocols, "public protocol PlayerReading {}\npackage protocol AuditAppending: AnyObject {}", fires: 1, 2),
    RuleSample(noTableProtocols, "protocol StateTransaction {}\nlet isReading = true\nstruct Reading {}"),
    RuleSample(writingPublishes, "transaction.publish(.player(id, player))\nedit.transaction.publish(\n  .audited(line))", fires: 1, 3),
    RuleSample(
      writingPublishes, "transaction.publish(.catalog(catalog))\nlet publish = State.player\nif case .play(let id, _) = change {}"),
    RuleSample(useCasesHaveNames, "struct Push {\n  public func callAsFunction(_ id: Int) {}\n}", fires: 2),
    RuleSample(useCasesHaveNames, "Sources/GameConfEngine/UseCases/Catalogs/ReloadCatalogs.swift", "func callAsFunction() {}"),
    RuleSample(useCasesHaveNames, "Sources/gameconfctl/Made.swift", "func callAsFunction() {}\n// callAsFunction"),
    RuleSample(noLongFiles, String(repeating: "//\n", count: ModuleTable.linesMax)),
    RuleSample(noLongFiles, String(repeating: "//\n", count: ModuleTable.linesMax + 1), fires: ModuleTable.linesMax),
    RuleSample(noEmptyNames, "Sources/GameConfEngine/StringUtils.swift", "// One.", fires: 1),
    RuleSample(noEmptyNames, "struct StoreManager {}\nenum E { case a }\nfinal class PathHelper {}\nstruct NewThing {}", fires: 1, 3, 4),
    RuleSample(noEmptyNames, "struct Newest {}\nlet manager = FileManager.default\nstruct Managed {}"),
    RuleSample(openingSentence, "import Logging\n", fires: 1),
    RuleSample(openingSentence, "// short\n", fires: 1),
    RuleSample(openingSentence, "// What a value is, in one place.\nimport Logging"),
    RuleSample(plainComments, "let a = 1 // TODO: later\n// MARK: - Things\n// =====\n// FIXME", fires: 1, 2, 3, 4),
    RuleSample(plainComments, "// To do it well is to do it once; a -- b.\n/// | a | b |"),
    RuleSample(noWorkplace, "systemd/made.service", "ExecStart=/usr/bin/x\nExecStop=/" + "home/me/x\nX=/" + "work/main", fires: 2, 3),
    RuleSample(noWorkplace, "README.md", "see net/" + "work/x, ${DIR}/" + "work/y, ProtectHome=yes and a/" + "home/b"),
  ]

  static let surface = [
    RuleSample(givenConsole, "Sources/gameconfctl/Commands/Made.swift", "let x = connection.console()\nlet y = console.screen", fires: 1),
    RuleSample(givenConsole, "Sources/gameconfctl/Options/Made.swift", "let x = connection.console()"),
    RuleSample(cellBesideColumn, "Sources/gameconfctl/Made.swift", "var table = Table([])\ntable.add([\"a\", b])", fires: 2),
    RuleSample(escapedByType, "Sources/gameconfctl/Output/Made.swift", "let a = 1\nlet b = TerminalText.escaped(text)", fires: 2),
    RuleSample(escapedByType, "Sources/gameconfctl/Commands/Made.swift", "let a: Sentence = \"\\(escaped) is removed\"  // escaped(x)"),
    RuleSample(escapedByType, "Sources/gameconfctl/Codegen/Made.swift", "let b = TerminalText.escaped(text)"),
    RuleSample(
      listsFromDeclarations, "Sources/GameConfAPI/Made.swift",
      "let a: [any WireShape.Type] = [\n  A.self, B.self, C.self, D.self,\n]\nlet b = [A.self, B.self].map { $0.self }", fires: 1),
    RuleSample(
      listsFromDeclarations, "Sources/gameconfctl/Made.swift",
      "let a = 1\nlet b = [Calls.a.endpoint, b.endpoint, c.endpoint,\n d.endpoint]\nlet c = [A.self, B.self, C.self, D.self]", fires: 2),
    RuleSample(
      listsFromDeclarations, "Sources/gameconfctl/Made.swift",
      "let a = [(a.endpoint, \"a\"), (b.endpoint, \"b\"), (c.endpoint, \"c\"), (d.endpoint, \"d\")]"),
    RuleSample(
      cellBesideColumn, "Sources/gameconfctl/Made.swift", "page.add(\"games\", table)\nlet table = Table(rows) { Column(\"a\") { $0.a } }"),
  ]

  @Test("a rule for the imports of a file finds exactly the violations in its sample files", arguments: imports)
  func importRule(sample: RuleSample) {
    #expect(sample.rule.check(SourceFile(path: sample.path, text: sample.text)).map(\.line) == sample.lines)
  }

  @Test("a rule for the code of a file finds exactly the violations in its sample files", arguments: code)
  func codeRule(sample: RuleSample) {
    #expect(sample.rule.check(SourceFile(path: sample.path, text: sample.text)).map(\.line) == sample.lines)
  }

  @Test("a rule for gameconfctl's code finds exactly the violations in its sample files", arguments: surface)
  func surfaceRule(sample: RuleSample) {
    #expect(sample.rule.check(SourceFile(path: sample.path, text: sample.text)).map(\.line) == sample.lines)
  }

  @Test("every rule for single files has a sample file that breaks it and one that does not")
  func coverage() {
    let samples = Self.imports + Self.code + Self.surface
    for rule in fileRules {
      #expect(samples.contains { $0.rule.name == rule.name && !$0.lines.isEmpty }, "\(rule) never fires")
      #expect(samples.contains { $0.rule.name == rule.name && $0.lines.isEmpty }, "\(rule) always fires")
    }
  }
}
