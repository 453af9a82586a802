// Runs every example of the README and the guides, and compares its output.

import GameConfCore
import Glibc
import Testing

/// Runs the console blocks of each document in order, against a new daemon with the shipped games. A document's blocks continue each other.
@Suite("The documentation's examples")
struct DocumentationTests {
  /// The blocks that are not run, because they build, or need root, systemd, a browser or a network.
  private static let namesNotRun = [
    "README.md": ["building"], "Operating.md": ["installing", "roles", "timer", "scraping", "alerting", "upgrading"],
    "FAQ.md": ["forwarding"], "Degraded.md": ["trouble", "restoring"],
    "FromAMac.md": ["forwarding", "forwarding", "a network of its own", "on a phone"],
    "ManyHosts.md": ["database", "peers"], "Templates.md": ["fetching"], "Panel.md": ["browser", "display"], "RevenueCat.md": ["bridge"],
  ]

  private static let guides = "Sources/gameconfd/Documentation.docc/Guides"

  /// The README and all guides.
  static let documents: [String] = {
    let found = TemporaryFolder.names(in: Built.tree + "/" + guides).filter { $0.hasSuffix(".md") }.sorted()
    return ["README.md"] + found.map { guides + "/" + $0 }
  }()

  @Test("every example of a guide prints the output that the guide shows", arguments: documents)
  func examples(document: String) throws {
    let text = String(decoding: try #require(TemporaryFolder.read(Built.tree + "/" + document)), as: UTF8.self)
    let blocks = ConsoleBlock.all(in: text)
    let names = blocks.compactMap(\.name)
    #expect(names == Self.namesNotRun[lastName(document), default: []], "a block that is not run is named here too")
    for name in names { print("\(document): the block “\(name)” is not run") }
    let commands = blocks.filter { $0.name == nil }.flatMap(\.commands)
    if commands.isEmpty || !Face.serve(commands.map(\.text)) { return }

    let author = Self.author()
    let daemon = try RunningDaemon()
    for file in FileBlock.all(in: text) { try daemon.folder.write(file.text, to: file.name) }
    let shell = try Self.shell(using: daemon, author: author)
    let printed = try shell.run(["cd \(daemon.folder.path)"] + commands.map(\.text)).dropFirst()
    try #require(printed.count == commands.count, "the shell ended before its last command: \(printed.last ?? [])")
    for (command, lines) in zip(commands, printed) {
      let (found, shown) = (Self.comparable(lines, author: author), Self.comparable(command.shown, author: "root"))
      #expect(found == shown, "\(document):\(command.line): $ \(command.text)")
    }
  }

  /// The time at which the examples of every document are run.
  private static let clock = Instant(seconds: 1_795_685_100)

  @Test("the times in a guide's examples follow from one frozen clock", arguments: documents)
  func oneClock(document: String) throws {
    #expect(Self.clock.text == "2026-11-26T09:25:00Z")
    let text = String(decoding: try #require(TemporaryFolder.read(Built.tree + "/" + document)), as: UTF8.self)
    for command in ConsoleBlock.all(in: text).flatMap(\.commands) {
      for line in command.shown {
        for match in line.matches(of: /(\d{4}-\d\d-\d\d) (\d\d):(\d\d) UTC(?: \((?:in (\d+) h|(just now))\))?/) {
          let shown = try Instant(parsing: "\(match.1)T\(match.2):\(match.3):00Z")
          // Durations in examples are whole hours, days or months.
          #expect(match.3 == "25" && shown >= Self.clock, "\(document):\(command.line): \(line)")
          let hours = match.5 == nil ? match.4.flatMap { Int64($0) } : 0
          if let hours { #expect(shown == Self.clock.adding(milliseconds: hours * 3_600_000), "\(document):\(command.line): \(line)") }
        }
        for match in line.matches(of: /\d{4}-\d\d-\d\dT\d\d-\d\d/) {
          #expect(match.0 == "2026-11-26T09-25", "\(document):\(command.line): \(line)")
        }
      }
    }
  }

  @Test("the README and every guide with commands have examples that this suite runs")
  func there() {
    #expect(Self.documents.count > 8, "the guides are found")
  }

  private func lastName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  @Test("examples use only files whose whole content the document shows")
  func files() {
    let text = "<!-- file: a.py -->\n```python\nprint(1)\n\nprint(2)\n```\nwords\n```python\nnot a file\n```\n"
    #expect(FileBlock.all(in: text) == [FileBlock(name: "a.py", text: "print(1)\n\nprint(2)\n")])
  }

  @Test("a console block is parsed into commands with their output, and is named by a “not run” comment above it")
  func blocks() {
    let text = """
      ```sh
      $ not this
      ```
      <!-- not run: installing -->
      ```console
      $ make install
      ```
      words
      ```console
      $ one
      a

      b
      $ two \\
          2 \\
          3
      c
      ```
      """
    #expect(
      ConsoleBlock.all(in: text) == [
        ConsoleBlock(name: "installing", commands: [.init(line: 6, text: "make install")]),
        ConsoleBlock(
          name: nil,
          commands: [
            .init(line: 10, text: "one", shown: ["a", "", "b"]),
            .init(line: 14, text: "two \\\n    2 \\\n    3", shown: ["c"]),
          ]),
      ])
  }

  @Test("lines of a document's examples are not wider than a rendered page", arguments: documents)
  func width(document: String) throws {
    let text = String(decoding: try #require(TemporaryFolder.read(Built.tree + "/" + document)), as: UTF8.self)
    for command in ConsoleBlock.all(in: text).flatMap(\.commands) {
      for line in "$ \(command.text)".split(separator: "\n") {
        #expect(line.count <= 87, "\(document):\(command.line): \(line)")
      }
    }
  }

  @Test("examples are compared without times and the user's name")
  func differing() {
    let shown = ["ID  AT        AUTHOR  AFTER", "6   just now  root    3.5"]
    let other = ["ID  AT         AUTHOR       AFTER", "6   1 min ago  build agent  3.5"]
    #expect(Self.comparable(shown, author: "root") == Self.comparable(other, author: "build agent"))
    #expect(Self.comparable(shown, author: "root") != Self.comparable(other, author: "somebody"))
  }

  @Test("examples show times in a terminal's format")
  func times() {
    let forms = [
      ["2026-11-21T07:24:01.790Z", "2026-11-22T07:24:01Z"], ["2026-11-21 07:24 UTC", "2027-11-21 08:24 UTC"],
      ["just now", "2 min ago", "3 d ago"],
      ["in 2 h", "in 1 h 59 min"], ["2026-11-21T07-24-01.790Z"],
    ]
    for (one, form) in forms.enumerated() {
      for (other, another) in forms.enumerated() {
        for (left, right) in zip(form, another.reversed()) {
          let areEqual = Self.comparable(["at  \(left)"], author: "") == Self.comparable(["at  \(right)"], author: "")
          #expect(areEqual == (one == other), "\(left) and \(right)")
        }
      }
    }
    #expect(Self.comparable(["a  3.5"], author: "root") != Self.comparable(["a  3.6"], author: "root"))
    #expect(Self.comparable(["a  3.5"], author: "root") != Self.comparable(["a 3.5"], author: "root"))
  }

  /// Returns lines without the parts that differ between runs: each time is replaced by the name of its format, the user's name in a cell by the
  /// README's (root), and column widths that depend on both are normalized.
  private static func comparable(_ lines: [String], author: String) -> [String] {
    lines.map { line in
      let plain = line.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z/, with: "RFC3339")
        .replacing(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d{1,3})?Z/, with: "FILETIME")
        .replacing(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/, with: "LOCAL")
        .replacing(/just now|\d+ (s|min|h|d)( \d+ min)? ago/, with: "PAST")
        .replacing(/in \d+ (s|min|h|d)( \d+ min)?/, with: "AHEAD")
      let cells = plain.split(separator: "  ", omittingEmptySubsequences: true)
      return cells.map { cell in
        let cell = String(cell.drop { $0 == " " })
        return cell == author ? "AUTHOR" : cell
      }.joined(separator: "  ")
    }
  }

  /// Returns this user's name in audit lines.
  static func author() -> String {
    if let user = getpwuid(geteuid()) { return String(cString: user.pointee.pw_name) }
    return "uid \(geteuid())"
  }

  /// Returns a shell in which `gameconfctl` and `gameconfd` are the built programs and use this daemon. A user name longer than the heading AUTHOR
  /// widens the terminal, so that the other columns have the same space for every user.
  static func shell(using daemon: RunningDaemon, author: String, columns: Int = 120) throws -> TerminalShell {
    let programs = daemon.folder.path + "/bin"
    mkdir(programs, 0o755)
    try #require(symlink(Built.daemon, programs + "/gameconfd") == 0 || errno == EEXIST)
    try #require(symlink(Built.control, programs + "/gameconfctl") == 0 || errno == EEXIST)
    try #require(symlink(Built.fetch, programs + "/gameconf-fetch") == 0 || errno == EEXIST)
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    let isThere = path.split(separator: ":").contains { access("\($0)/curl", X_OK) == 0 }
    try #require(isThere, "the examples ask with curl, which is not installed")
    return TerminalShell(
      columns: columns + max(0, author.count - "author".count),
      environment: [
        "PATH": programs + ":" + path, "GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket, "TZ": "UTC",
        "LC_ALL": "C.UTF-8", "TERM": "dumb", "GREP_OPTIONS": "", "GREP_COLORS": "", "HOME": daemon.folder.path,
      ])
  }
}
