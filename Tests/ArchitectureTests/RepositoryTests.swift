// Checks the repository against every rule.

import Glibc
import Testing

@Suite("The repository follows its rules")
struct RepositoryTests {
  let tree: SourceTree

  init() throws { tree = try SourceTree.repository.get() }

  @Test("every file follows the rule", arguments: fileRules)
  func files(rule: FileRule) {
    expectNone(tree.files.flatMap { rule.findings(in: $0) })
  }

  @Test("every import in the repository is used")
  func unusedImports() {
    let rule = UnusedImports(files: tree.files)
    expectNone(tree.files.flatMap { rule.check($0) })
  }

  @Test("Package.swift has the targets and dependencies of the module table")
  func manifest() throws {
    expectNone(manifestAgainstTable(try manifestOfTree()))
  }

  @Test("every dependency of a target is imported by one of its files")
  func dependencies() throws {
    expectNone(unusedDependencies(try manifestOfTree(), files: tree.files))
  }

  @Test("every import that the module table allows is used")
  func permissions() {
    expectNone(unusedPermissions(ModuleTable.moduleRules, files: tree.files))
  }

  @Test("every problem code is used by the daemon")
  func codes() {
    expectNone(unansweredCodes(files: tree.files))
  }

  @Test("a file of GameConfStorage names types of its own folder and of lower ones only")
  func storageFolders() {
    expectNone(storageFoldersOutOfOrder(files: tree.files))
  }

  @Test("status shows every limit that is not in the table of exceptions")
  func limits() {
    #expect(tree.files.reduce(into: 0) { $0 += $1.shownLimits.count } > 60, "the lists of status were not read")
    expectNone(hiddenLimits(files: tree.files))
  }

  @Test("no module exceeds its row in the table of sizes")
  func sizes() {
    expectNone(sizesAgainstTable(files: tree.files))
  }

  @Test("the code that completes arguments names no command")
  func fill() {
    expectNone(commandsNamedByFill(files: tree.files))
  }

  @Test("only Faces.swift names a type of a face of gameconfctl")
  func commandFaces() {
    expectNone(commandFacesNamedOutside(files: tree.files))
  }

  @Test("words for things that one place decides are in no more files than their limit")
  func rareWords() {
    expectNone(wordsInTooManyFiles(files: tree.files))
  }

  @Test("every type with a limit of stored variables has some", arguments: storedVariablesMax.keys.sorted())
  func storedVariables(type: String) {
    #expect(tree.files.contains { $0.isSource && !$0.storedVariables(of: type).isEmpty })
  }

  @Test("every target has a folder, and every folder a target")
  func folders() throws {
    expectNone(foldersAgainstManifest(try manifestOfTree(), paths: tree.files.map(\.path)))
  }

  @Test("the top of the repository has only the planned entries")
  func topLevel() {
    expectNone(topLevelAgainstPlan(tree.entries))
  }

  @Test("each deviation in the module table has a decision record, and names a rule and a file that exist")
  func decisions() {
    for decision in ModuleTable.decisions {
      #expect(tree.files.contains { $0.path == decision.record }, "no record \(decision.record)")
      #expect(tree.files.contains { $0.path.hasPrefix(decision.path) }, "nothing at \(decision.path)")
      #expect(fileRules.contains { $0.name == decision.rule }, "no rule \(decision.rule)")
    }
    #expect(tree.files.count > 30, "the tree was not read")
  }

  @Test("the documentation names only files that exist")
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

  /// Checks links in the form that a code host renders; `.ci/docc` converts them for DocC.
  @Test("every link and image of a documentation page is a relative path of a file")
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

  @Test("outside of tests only code for debug builds uses @testable imports, so that the package builds for release")
  func testable() {
    let looking = tree.files.filter { $0.path.hasSuffix(".swift") && $0.path.hasPrefix("Tests/") && $0.text.contains("\n@testable ") }
    #expect(looking.contains { $0.path.hasPrefix("Tests/TestStore/") } && looking.count > 50, "the files were not read")
    for file in looking where file.path.split(separator: "/").dropFirst().first?.hasSuffix("Tests") != true {
      let before = file.text.firstRange(of: "\n@testable ").map { file.text[..<$0.lowerBound] } ?? ""
      #expect(before.contains("\n#if DEBUG\n"), "\(file.path): write #if DEBUG around the file")
    }
  }

  @Test("the version of the package is written only in the library's header")
  func version() throws {
    let header = try #require(tree.files.first { $0.path == "Sources/CGameConf/include/gameconf.h" })
    let version = try #require(header.text.firstMatch(of: /#define GAMECONF_VERSION "([0-9.]+)"/)).1
    // Debian's symbols file records the version in which each symbol appeared.
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
