// gameconfctl template validate

import ArgumentParser
import GameConfCore

struct TemplateValidate: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check a template against the game's catalog and change nothing.",
    discussion: "Firebase's own service is narrower than a catalog; --as firebase names what it would refuse.")

  /// The systems against whose rules a template can be checked.
  enum System: String, ExpressibleByArgument, CaseIterable { case firebase }

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Option(help: ArgumentHelp("Check it for that system's own service too.", valueName: "system")) var `as`: System?
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    var change = ChangeOptions.plain
    change.dryRun = true
    let document = try TemplatePush.document(file)
    let reply = try await TemplatePush.send(document, to: game, [], change, console)
    if `as` == .firebase {
      // The daemon has parsed the document already, so it is JSON.
      let faults = (try? JSONReader.value(from: document)).map(FirebaseAcceptance.faults) ?? []
      if !faults.isEmpty { throw CtlFailure.refused(faults.map { "\($0)" }) }
    }
    console.show(reply.value) {
      console.screen.say("the template is valid for the catalog of \(game)")
      for note in TemplateWords.notes(reply.answer) { console.screen.say(note) }
    }
  }
}
