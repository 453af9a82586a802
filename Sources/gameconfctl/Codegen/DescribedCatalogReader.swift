// Reads the values of a catalog from the description that the daemon returns.

import GameConfCore
import GameConfFormats

/// Reads from the daemon's description of a catalog the members that determine the defaults of its keys.
enum DescribedCatalogReader {
  /// The fields of a parameter that determine its value and whether the value varies.
  private static let fields = ["type", "default", "player_setting", "section", "description", "schema", "rules", "flagd"]

  /// Returns a catalog with the same defaults as the description. It lacks the secret keys, whose values the daemon does not return.
  static func catalog(_ document: ObjectValue) throws(CtlFailure) -> Catalog {
    var members = ObjectValue([("gameconf", 1)])
    for name in ["game", "title", "locales", "fractional"] { members[name] = document[name] }
    var parameters = ObjectValue()
    for parameter in document["parameters"]?.listValue ?? [] {
      guard let key = parameter["key"]?.stringValue, parameter["secret"] != true else { continue }
      parameters[key] = .object(ObjectValue(fields.compactMap { field in parameter[field].map { (field, $0) } }))
    }
    members["parameters"] = .object(parameters)
    let game = document["game"]?.stringValue ?? ""
    // The catalog parser reads YAML. JSON is YAML, except for one character that only JSON admits without an escape.
    let text = CodeText.replacing("\u{7F}", by: "\\u007F", in: JSONWriter.text(.object(members), pretty: true))
    let reading = CatalogReader.read(CatalogFiles(main: NamedFile(name: "\(game).yaml", bytes: Array(text.utf8))))
    guard let catalog = reading.catalog else {
      throw .refused(
        ["the defaults of \(game) cannot be read here, because some depend on a secret value; name the catalog's file instead"]
          + reading.report.map { "  \($0)" })
    }
    return catalog
  }
}
