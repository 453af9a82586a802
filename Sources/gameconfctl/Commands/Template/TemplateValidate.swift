// gameconfctl template validate

import ArgumentParser

struct TemplateValidate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check a template against the game's catalog and change nothing.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let console = connection.console()
    var change = ChangeOptions.plain
    change.dryRun = true
    let reply = try await TemplatePush.send(TemplatePush.document(file), to: game, [], change, console, timeout: connection.seconds)
    console.show(reply.value, asJSON: connection.json) {
      console.screen.say("the template is valid for the catalog of \(SafeText.escaped(game))")
      for note in TemplateWords.notes(reply.answer) { console.screen.say(note) }
    }
  }
}
