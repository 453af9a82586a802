// A catalog for the tests of templates, and the evaluation of its keys with a template.

import GameConfCore
import GameConfFormats
import Testing

enum TemplateCatalog {
  static func catalog() throws -> Catalog {
    let text = """
      gameconf: 1
      game: mine
      title: Mine
      locales: [en]
      parameters:
        p0: {type: string, default: d0, section: S, description: Text.}
        p1: {type: string, default: d1, section: S, description: Text.}
        p2: {type: string, default: d2, section: S, description: Text.}
        flag: {type: boolean, default: false, flag: release, section: S, description: A flag.}
        lives: {type: integer, default: 3, range: {min: 1, max: 9}, section: S, description: Lives.}
        speed: {type: double, default: 1.5, section: S, description: Speed.}
        list: {type: list, default: [1], section: S, description: A list.}
      """
    let reading = CatalogReader.read(CatalogFiles(main: NamedFile(name: "mine.yaml", bytes: Array(text.utf8))))
    return try #require(reading.catalog, "\(reading.faults)")
  }

  /// Evaluates a key of the catalog with this template.
  static func answer(_ key: String, _ template: Template, _ context: ObjectValue = ObjectValue(), now: Instant = .init(seconds: 0)) throws
    -> Resolution
  {
    let layers = template.layers.mapValues { GameLayers(remote: $0) }
    let table = ParameterTable(catalog: try catalog(), layers: layers)
    return try #require(table.resolve(key, for: Caller(context: context, locales: [], now: now)))
  }

  static func faults(_ document: Value) throws -> [Fault] {
    do {
      _ = try TemplateReader.read(document, for: catalog())
      return []
    } catch let faults as Faults {
      return faults.faults
    }
  }
}
