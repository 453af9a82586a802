// gameconfctl catalog

import ArgumentParser

struct CatalogGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog", abstract: "Check, show and convert the catalogs that games are described in.",
    subcommands: [
      CatalogValidate.self, CatalogShow.self, CatalogSchemaPrint.self, CatalogConvert.self, CatalogImage.self,
    ] + Faces.catalog + [CatalogForget.self], aliases: ["catalogs"])
}
