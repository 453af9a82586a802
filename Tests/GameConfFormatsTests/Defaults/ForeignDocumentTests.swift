// Tests that another system's configuration is not mistaken for an object of default values.

import GameConfFormats
import Testing

@Suite("Configurations mistaken for default values")
struct ForeignDocumentTests {
  @Test(
    "another system's document is rejected as default values, with the system's name and a remedy",
    arguments: [
      (#"{"parameters": {"a": {"defaultValue": {"value": "1"}}}}"#, "Firebase Remote Config", "--from firebase"),
      (#"{"conditions": [], "parameterGroups": {"g": {"parameters": {}}}}"#, "Firebase Remote Config", "--from firebase"),
      (#"{"flags": {"a": {"state": "ENABLED", "variants": {"on": true}}}}"#, "flagd", "--from flagd"),
      (#"{"products": [], "subscriptionGroups": []}"#, "StoreKit", "--from storekit"),
      (#"{"entries": {"a": 1}, "types": {"a": "INT"}}"#, "Unity", "jq '.entries'"),
      (#"{"$schema": "https://ugs-config-schemas.unity3d.com/v1/remote-config.schema.json", "entries": {"a": 1}}"#, "Unity", "'.entries'"),
      (#"{"configs": {"settings": {"a": 1}}, "metadata": {}}"#, "Unity", "jq '.configs.settings'"),
      (#"{"type": "settings", "value": [{"key": "a", "type": "int", "value": 1}]}"#, "Unity", "jq '.value | map("),
      (#"{"status": 200, "features": {"a": {"defaultValue": true, "rules": []}}}"#, "GrowthBook", "map_values(.defaultValue)"),
      (#"{"flagValues": {"a": true}}"#, "LaunchDarkly", "jq '.flagValues'"),
      (#"{"flags": {"a": {"on": true, "variations": [true, false], "fallthrough": {"variation": 0}}}}"#, "LaunchDarkly", ".flags |"),
      (#"{"items": [{"key": "a", "variations": [{"value": true}]}]}"#, "LaunchDarkly", ".items |"),
    ])
  func refused(text: String, vendor: String, way: String) {
    let fault = #expect(throws: FormatFault.self) { try DefaultsDocument(json: Array(text.utf8)) }
    #expect(fault?.message.contains(vendor) == true && fault?.message.contains(way) == true, "\(fault?.message ?? "")")
  }

  @Test(
    "an object of default values whose keys only resemble another system's document is accepted",
    arguments: [
      #"{"parameters": 3, "flags": true}"#, #"{"features": {"a": {"b": 1}}}"#, #"{"entries": {"a": 1}}"#, #"{"value": [1, 2]}"#,
      #"{"products": ["a"], "items": [], "flags": {}}"#,
    ])
  func taken(text: String) throws { #expect(try !DefaultsDocument(json: Array(text.utf8)).values.isEmpty) }
}
