// Tests the error messages about an unreadable catalog file with secrets, which must not quote the file.

import GameConfCore
import GameConfFormats
import Testing

@Suite("Faults in catalogs with secrets")
struct CatalogSecretFaultTests {
  private static func report(_ lines: String, secret: String = "secret: true, ") -> [String] {
    let text = """
      gameconf: 1
      game: cave
      title: Cave
      locales: [en]
      parameters:
        other: {type: integer, default: 7, \(secret)section: S, description: D.}
        token:
      \(lines)
      """
    return CatalogReader.read(CatalogFiles(main: NamedFile(name: "cave.yaml", bytes: Array(text.utf8)))).report
  }

  private static let spoiled = [
    "    default: hunter: hunter", "    default: [hunter, hunter", "    default: {hunter: 1, hunter: 2}", "    default: {hunter}",
    "    default: \"hunter\n", "    default: 'hunter' hunter", "    default: #hunter", "    default: *hunter", "    ? hunter",
    "    hunter", "    default: a\n    “hunter”hunter: 1\n    “hunter”hunter: 1", "    hunter: 1\n    hunter: 1",
    "    default: {“hunter”hunter}", "    default: a “hunter”: hunter: b”",
    "    default: {\"hunter: 1", "    default: {a:hunter}", "    default: |hunter\n", "    {hunter}: 1",
  ]

  @Test("the faults of an unreadable catalog file that may contain a secret quote no word of it", arguments: spoiled)
  func unread(lines: String) {
    let report = Self.report(lines)
    #expect(!report.isEmpty && !report.contains { $0.contains("hunter") }, "\(report)")
  }

  @Test("the faults of a catalog file without secrets quote the faulty text")
  func quoted() {
    #expect(Self.report("    hunter: 1\n    hunter: 1", secret: "").contains { $0.contains("“hunter” is already in this mapping") })
  }
}
