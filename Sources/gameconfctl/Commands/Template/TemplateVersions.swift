// gameconfctl template versions

import ArgumentParser
import GameConfAPI

struct TemplateVersions: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "versions", abstract: "List the versions of a game's template, the newest first.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("The maximum number.", valueName: "number"))
  var limit = 50
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard limit >= 1, limit <= 1000 else { throw ValidationError("--limit must be from 1 to 1000") }
  }

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(Calls.templateVersions, ["game": game], query: [("limit", String(limit))])
    console.show(reply.value) {
      console.screen.show(Self.table(reply.answer))
      if let source = reply.answer.source { console.screen.say(TemplateWords.sentence(source)) }
    }
  }

  static func table(_ answer: TemplateVersionsAnswer) -> Table {
    Table(
      answer.versions, whenEmpty: "no template was ever pushed", markMeaning: "in force", isMarked: { $0.version == answer.active }
    ) {
      Column("version") { $0.version }
      Column("state") { version -> Sentence? in
        if version.version == answer.active { return "in force" }
        guard version.version == answer.scheduled else { return nil }
        return answer.scheduledAt.map { "at \(time: $0)" } ?? "at -"
      }
      Column("at", .when) { $0.at }
      Column("author", .aside) { $0.author.label }
      Column("origin") { version in version.rollbackOf.map { "rollback to \($0)" } ?? version.origin }
      Column("reason") { $0.reason }
    }
  }
}
