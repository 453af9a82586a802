// gameconfctl catalog schema

import ArgumentParser
import GameConfFormats

struct CatalogSchemaPrint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print the JSON Schema of catalogs, for completion in editors.")

  func run() throws { Console.screen.write(CatalogSchema.text) }
}
