// Detects configurations of other products that are not plain JSON objects of defaults, and says how they can be converted.

import GameConfCore

/// The detection of JSON documents whose values are nested in a structure of another product, which `--from json` would mistake for
/// defaults.
enum ForeignDocument {
  /// Returns a message that says how to convert the document; nil if it may be a plain object of defaults.
  static func complaint(about document: ObjectValue) -> String? {
    let value = Value.object(document)
    if let form = form(of: value) { return "This is \(form.what). Convert it with --from \(form.from)." }
    guard let (vendor, filter) = vendor(of: value) else { return nil }
    return "This is \(vendor), whose values are further in. Take them out first: "
      + "jq '\(filter)' FILE | gameconfctl catalog convert --from json --game GAME -"
  }

  private static func form(of document: Value) -> (what: String, from: String)? {
    func hasObjects(_ name: String, with member: String) -> Bool {
      let each = document[name]?.objectValue?.members ?? []
      return !each.isEmpty && each.allSatisfy { $0.value[member] != nil }
    }
    if hasObjects("parameters", with: "defaultValue") || hasObjects("parameterGroups", with: "parameters") {
      return ("a template of Firebase Remote Config", "firebase")
    }
    if hasObjects("flags", with: "variants") { return ("a document of flagd's flags", "flagd") }
    if document["subscriptionGroups"]?.listValue != nil, document["products"]?.listValue != nil {
      return ("a StoreKit configuration", "storekit")
    }
    return nil
  }

  private static func vendor(of document: Value) -> (name: String, filter: String)? {
    func holds(_ value: Value?, _ member: String) -> Bool {
      let each = value?.listValue ?? value?.objectValue?.members.map(\.value) ?? []
      return !each.isEmpty && each.allSatisfy { $0[member] != nil }
    }
    // Unity's formats: the file of its command-line tool, the response to a game, and the export of its web service.
    let isUnitySchema = document["$schema"]?.stringValue?.contains("unity3d.com") == true
    if document["entries"]?.objectValue != nil, isUnitySchema || document["types"]?.objectValue != nil {
      return ("a file of Unity's Remote Config", ".entries")
    }
    if document["configs"]?["settings"]?.objectValue != nil { return ("an answer of Unity's Remote Config", ".configs.settings") }
    if holds(document["value"], "key"), holds(document["value"], "type") {
      return ("an export of Unity's Remote Config", ".value | map({(.key): .value}) | add")
    }
    if holds(document["features"], "defaultValue") { return ("GrowthBook's features", ".features | map_values(.defaultValue)") }
    if document["flagValues"]?.objectValue != nil { return ("a file of LaunchDarkly's flags", ".flagValues") }
    if holds(document["flags"], "variations") {
      return ("LaunchDarkly's flags", ".flags | map_values(.variations[(if .on then .fallthrough.variation else .offVariation end) // 0])")
    }
    if holds(document["items"], "variations") {
      return ("a list of LaunchDarkly's flags", ".items | map({(.key): .variations[.defaults.offVariation // 0].value}) | add")
    }
    return nil
  }
}
