// Checks the files of this repository against every rule of the architecture.

import Glibc
import Testing

@Suite("The files of the repository follow the architecture's rules")
struct RepositoryTests {
  let tree: SourceTree

  init() throws { tree = try SourceTree.repository.get() }

  @Test("no file of the repository breaks a rule for single files", arguments: fileRules)
  func files(rule: FileRule) {
    expectNone(tree.files.flatMap { rule.findings(in: $0) })
  }

  @Test("every import in the repository is used")
  func unusedImports() {
    let rule = UnusedImports(files: tree.files)
    expectNone(tree.files.flatMap { rule.check($0) })
  }

  @Test("the targets and dependencies in Package.swift are those of the module table")
  func manifest() throws {
    expectNone(manifestAgainstTable(try manifestOfTree()))
  }

  @Test("every dependency of a target in Package.swift is imported by one of the target's files")
  func dependencies() throws {
    expectNone(unusedDependencies(try manifestOfTree(), files: tree.files))
  }

  @Test("every import that the module table allows to a module is used by one of its files")
  func permissions() {
    expectNone(unusedPermissions(ModuleTable.moduleRules, files: tree.files))
  }

  @Test("every problem code is used by the daemon's code")
  func codes() {
    expectNone(unansweredCodes(files: tree.files))
  }

  @Test("a file of GameConfStorage names only types of its own folder and of earlier folders in the list storageFolders")
  func storageFolders() {
    expectNone(storageFoldersOutOfOrder(files: tree.files))
  }

  @Test("gameconfctl status shows every limit of the daemon that the table of exceptions does not list")
  func limits() {
    #expect(tree.files.reduce(into: 0) { $0 += $1.shownLimits.count } > 60, "the lists of status were not read")
    expectNone(hiddenLimits(files: tree.files))
  }

  @Test("no module has more lines of code or types than its row in the table of sizes allows")
  func sizes() {
    expectNone(sizesAgainstTable(files: tree.files))
  }

  @Test("gameconfctl's code that completes arguments names no command")
  func fill() {
    expectNone(commandsNamedByFill(files: tree.files))
  }

  @Test("in gameconfctl, only Faces.swift names the types of optional parts such as the bridge and MCP")
  func commandFaces() {
    expectNone(commandFacesNamedOutside(files: tree.files))
  }

  @Test("each word of the table of rare words is in no more files than the table allows")
  func rareWords() {
    expectNone(wordsInTooManyFiles(files: tree.files))
  }

  @Test("every type in the table storedVariablesMax exists and has stored variables", arguments: storedVariablesMax.keys.sorted())
  func storedVariables(type: String) {
    #expect(tree.files.contains { $0.isSource && !$0.storedVariables(of: type).isEmpty })
  }

  @Test("every target in Package.swift has a folder, and every folder of Sources and Tests a target")
  func folders() throws {
    expectNone(foldersAgainstManifest(try manifestOfTree(), paths: tree.files.map(\.path)))
  }

  @Test("the top folder of the repository has only the entries that the module table lists")
  func topLevel() {
    expectNone(topLevelAgainstPlan(tree.entries))
  }

  @Test("each deviation in the module table names a rule, a file and a decision record that exist")
  func decisions() {
    for decision in ModuleTable.decisions {
      #expect(tree.files.contains { $0.path == decision.record }, "no record \(decision.record)")
      #expect(tree.files.contains { $0.path.hasPrefix(decision.path) }, "nothing at \(decision.path)")
      #expect(fileRules.contains { $0.name == decision.rule }, "no rule \(decision.rule)")
    }
    #expect(tree.files.count > 30, "the tree was not read")
  }

  @Test("every Swift file that a documentation page names exists")
  func namedFiles() throws {
    let pages = tree.files.filter { $0.path.hasPrefix("Sources/gameconfd/Documentation.docc/") && $0.path.hasSuffix(".md") }
    try #require(pages.contains { $0.name == "Architecture.md" })
    let paths = tree.files.map { "/" + $0.path }
    for page in pages where !page.path.contains("/Decisions/") {
      for name in page.text.matches(of: /`([A-Za-z0-9_+.\/-]+\.swift)`/).map(\.1) {
        #expect(paths.contains { $0.hasSuffix("/" + name) }, "\(page.path): \(name)")
      }
    }
  }

  @Test("every suite, test and file that the ledger of bugs names exists")
  func ledger() throws {
    let ledger = try #require(tree.files.first { $0.name == "BugLedger.md" })
    #expect(ledger.text.contains("| held by |"), "the column was not read")
    expectNone(ledgerAgainstTests(ledger, files: tree.files))
  }

  /// The pages have relative links, as a code host renders them. `.ci/docc` converts the links for DocC.
  @Test("every link and image of a documentation page is a relative path of an existing file")
  func links() throws {
    let pages = tree.files.filter { $0.path.hasSuffix(".md") && ($0.path.contains("Documentation.docc/") || $0.path == "README.md") }
    var count = 0
    for page in pages {
      let text = page.text.replacing(/(?m)^ *```[\s\S]*?^ *```|`[^`\n]*`/, with: "")
      #expect(!text.contains("<doc:"), "\(page.path): write a relative link, such as [Plays](Plays.md)")
      let folder = page.path.split(separator: "/").dropLast()
      for target in text.matches(of: /\]\(([^)\s#]+)/).map(\.1) where !target.contains("://") {
        count += 1
        var steps = Array(folder)
        for step in target.split(separator: "/") { if step == ".." { _ = steps.popLast() } else { steps.append(step) } }
        #expect(access("\(tree.top)/\(steps.joined(separator: "/"))", R_OK) == 0, "\(page.path): \(target)")
      }
    }
    #expect(count > 150, "the links were not read")
  }

  @Test("a @testable import outside of test targets is compiled only in debug builds, so that the package builds for release")
  func testable() {
    let looking = tree.files.filter { $0.path.hasSuffix(".swift") && $0.path.hasPrefix("Tests/") && $0.text.contains("\n@testable ") }
    #expect(looking.contains { $0.path.hasPrefix("Tests/TestStore/") } && looking.count > 50, "the files were not read")
    for file in looking where file.path.split(separator: "/").dropFirst().first?.hasSuffix("Tests") != true {
      let before = file.text.firstRange(of: "\n@testable ").map { file.text[..<$0.lowerBound] } ?? ""
      #expect(before.contains("\n#if DEBUG\n"), "\(file.path): write #if DEBUG around the file")
    }
  }

  @Test("the package's version is written only in the header of the C library")
  func version() throws {
    let header = try #require(tree.files.first { $0.path == "Sources/CGameConf/include/gameconf.h" })
    let version = try #require(header.text.firstMatch(of: /#define GAMECONF_VERSION "([0-9.]+)"/)).1
    // Debian's symbols file has the version in which each symbol appeared, which may be the present one.
    let others = tree.files.filter {
      $0.path != header.path && !$0.path.hasPrefix("Tests/") && !$0.path.hasSuffix("/symbols") && $0.path != "Package.resolved"
    }
    let whole = try Regex("(^|[^0-9.])\(version.replacing(".", with: "\\."))($|[^0-9.]|\\.($|[^0-9]))").anchorsMatchLineEndings()
    for file in others where file.text.contains(version) {
      #expect(!file.text.contains(whole), "\(file.path) names \(version) too")
    }
  }

  private func manifestOfTree() throws -> Manifest {
    let manifest = Manifest(text: try #require(tree.files.first { $0.path == "Package.swift" }).text)
    try #require(manifest.targets.count > 10)
    return manifest
  }

  private func expectNone(_ findings: [Finding]) {
    #expect(findings.isEmpty, "\n\(findings.map(\.description).joined(separator: "\n"))")
  }
}
