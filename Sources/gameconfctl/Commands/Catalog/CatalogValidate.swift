// gameconfctl catalog validate

import ArgumentParser
import GameConfCore

struct CatalogValidate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate", abstract: "Check catalogs as the daemon would, without a daemon, and print every fault with its place.",
    discussion: """
      Folders are read together, as the daemon reads its own: a file hides one of the same name in a later folder, and drop-ins of all folders apply. A file is \
      read with the drop-ins beside it. Without arguments the daemon's own places are checked.
      """)

  @Argument(help: "Files or folders.", completion: .file(extensions: ["yaml"])) var paths: [String] = []
  @Flag(help: "Print the result as JSON.") var json = false

  func run() throws {
    let screen = Console.screen
    let outcome = try CatalogValidation.of(paths)
    if json {
      screen.write(SafeText.json(outcome.wire, pretty: true) + "\n")
    } else {
      for line in outcome.notes { screen.note("\(line)") }
      screen.show(outcome.table)
    }
    if !outcome.isGood { throw CtlFailure.reported(.refused) }
  }
}
