// gameconfctl catalog validate

import ArgumentParser
import GameConfCore

struct CatalogValidate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check catalogs as the daemon would, without a daemon; tells every fault with its place.",
    discussion: """
      Folders are read together as the daemon reads its places: the first hides later ones, and drop-ins of all of them apply. A file is \
      read with the drop-ins beside it. Without arguments the daemon's own places are checked.
      """)

  @Argument(help: "Files or folders.", completion: .file(extensions: ["yaml"])) var paths: [String] = []
  @Flag(help: "Print the outcome as JSON.") var json = false

  func run() throws {
    let screen = Desk.screen
    let outcome = try CatalogValidation.of(paths)
    if json {
      screen.write(SafeText.json(outcome.wire, pretty: true) + "\n")
    } else {
      for line in outcome.notes { screen.note(SafeText.escaped(line)) }
      screen.show(outcome.table)
    }
    if !outcome.isGood { throw CtlFailure.reported(.refused) }
  }
}
