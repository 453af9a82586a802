// gameconfctl template validate

import ArgumentParser

struct TemplateValidate: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check a template against the game's catalog and change nothing.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    var change = ChangeOptions.plain
    change.dryRun = true
    let reply = try await TemplatePush.send(TemplatePush.document(file), to: game, [], change, console)
    console.show(reply.value) {
      console.screen.say("the template is valid for the catalog of \(game)")
      for note in TemplateWords.notes(reply.answer) { console.screen.say(note) }
    }
  }
}
