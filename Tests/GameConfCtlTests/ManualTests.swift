// The man pages: complete, and at most 80 columns wide.

import ArgumentParser
import Testing

@testable import gameconfctl

@Suite("The man pages")
struct ManualTests {
  @Test("every command group has a man page, and every visible command is on its group's page")
  func nouns() async throws {
    let overview = await run("manual").out
    for noun in ManualPage.nouns {
      let word = try #require(noun.configuration.commandName)
      #expect(overview.contains(".BR \(Roff.escaped("gameconfctl-\(word)")) (1)"), "\(word)")
      let page = try #require(ManualPage.page(of: word))
      #expect(page.name == "gameconfctl-\(word)")
      for verb in noun.configuration.subcommands where verb.configuration.shouldDisplay {
        #expect(page.text.contains("\n.SS \(Roff.quoted("\(word) \(verb.configuration.commandName ?? "")"))\n"), "\(word)")
      }
      #expect(await run("manual", word).out == page.text)
    }
    #expect(!ManualPage.nouns.contains { $0.configuration.commandName == "manual" || $0.configuration.commandName == "complete" })
    #expect(await run("manual", "flag").out == ManualPage.page(of: "flags")?.text)
    let unknown = await run("manual", "confg")
    #expect(unknown.status == 2 && unknown.err.contains("“config”"))
  }

  @Test("the help of every command fits 80 columns on a terminal, including its usage line")
  func help() async {
    for path in Self.commands(below: GameConfCtl.self, path: []) {
      let help = await run(path + ["--help"], isTerminal: true, width: 80)
      #expect(help.status == 0 && help.out.contains("USAGE: gameconfctl"), "\(path)")
      for line in help.out.split(separator: "\n") { #expect(DisplayWidth.of(String(line)) <= 80, "\(path): \(line)") }
    }
  }

  /// Returns the words of every visible command.
  private static func commands(below command: any ParsableCommand.Type, path: [String]) -> [[String]] {
    var paths = [path]
    for part in command.configuration.subcommands where part.configuration.shouldDisplay {
      paths += commands(below: part, path: path + [part.configuration.commandName ?? ""])
    }
    return paths
  }

  @Test("the man pages describe common options only in gameconfctl(1)")
  func common() throws {
    let overview = ManualPage.overview.text
    let config = try #require(ManualPage.page(of: "config")?.text)
    for option in ["socket", "timeout", "json", "long", "reason", "dry\\-run", "idempotency\\-key", "yes"] {
      #expect(overview.contains("\\fB\\-\\-\(option)\\fR"), "\(option)")
      #expect(!config.contains("\\fB\\-\\-\(option)\\fR"), "\(option)")
    }
    #expect(config.contains("\\fB\\-\\-value\\-json\\fR"))
  }

  @Test("literal text in the man pages fits 80 columns, and no text of a command is read as a roff request")
  func narrow() {
    for page in ManualPage.all {
      var isLiteral = false
      for line in page.text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line == ".nf" { isLiteral = true }
        if line == ".fi" { isLiteral = false }
        if isLiteral { #expect(line.replacing("\\-", with: "-").count <= 72, "\(page.name): \(line)") }
        if line.hasPrefix(".") {
          let macro = line.prefix { $0 != " " }
          #expect([".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".I", ".BR", ".RI", ".nf", ".fi"].contains(macro), "\(page.name): \(line)")
        }
        let longest = line.hasPrefix(".") ? 0 : line.split(separator: " ").map(\.count).max() ?? 0
        #expect(longest <= 66, "\(page.name): \(line)")
      }
    }
    #expect(Roff.escaped(".x\n'y\n-a\\b") == "\\&.x\n\\&'y\n\\-a\\eb")
    #expect(Roff.paragraphs("set X   does it\n\ntext") == ".TP\n.B \"set X\"\ndoes it\n.PP\ntext\n")
  }
}
