// The filter that removes the values of secret parameters from answers.
import GameConfCore
import Testing

@testable import gameconfctl

@Suite("The filter of secret values")
struct SecretFilterTests {
  @Test(
    "values of secret keys are removed wherever a response of the daemon contains them",
    arguments: [
      #"{"values":{"api":{"value":"HUSH","source":"default","key":"api"},"plain":{"value":1,"source":"default"}}}"#,
      #"{"values":{"api":"HUSH","plain":1}}"#, #"{"values":{"api":{"inner":{"deep":"HUSH"}}}}"#,
      #"{"key":"api","value":"HUSH","layers":[{"layer":"default","value":{"a":"HUSH"}}]}"#,
      #"{"entries":[{"key":"api","before":"HUSH","after":["HUSH"]}]}"#, #"{"parameters":[{"key":"api","default":"HUSH","secret":true}]}"#,
      #"{"override":{"key":"api","value":"HUSH"}}"#, #"{"values":{"api":{"value":1,"source":"remote","variant":"HUSH"}}}"#,
      #"{"key":"api","targeting":{"variant":"HUSH"},"rules":[{"condition":"HUSH"}]}"#,
      #"{"key":"speed","rules":[{"if":{"of":[{"read":{"parameter:api":"HUSH"},"outcome":"HUSHx"}],"outcome":"HUSH"},"outcome":"HUSH"}]}"#,
      #"{"overrides":[{"key":"api","quarantined":"HUSH is not allowed"}]}"#, #"{"key":"api","why":"in quarantine: HUSH is not allowed"}"#,
      #"{"entries":[{"key":"api","action":"override.quarantined","reason":"HUSH is not allowed"}]}"#,
      #"{"steps":[{"did":"value","name":"api","result":"HUSH"}]}"#, #"{"settings":[{"key":"api","value":"HUSH","effective":"HUSH"}]}"#,
    ])
  func masked(text: String) throws {
    let filter = SecretFilter(catalog: ["parameters": [["key": "api", "secret": true], ["key": "plain", "secret": false]]])
    let value = try JSONReader.value(from: text)
    #expect(filter.keys == ["api"] && JSONWriter.text(value).contains("HUSH"))
    #expect(!JSONWriter.text(filter.masked(value)).contains("HUSH"))
    #expect(SecretFilter(keys: ["other"]).masked(value) == value)
  }

  @Test("reasons and outcomes that contain no secret stay")
  func shown() throws {
    let text =
      #"{"entries":[{"key":"api","action":"override.set","reason":"test"},{"read":{"parameter:plain":1},"outcome":true}],"why":"w"}"#
    let value = try JSONReader.value(from: text)
    #expect(SecretFilter(keys: ["api"]).masked(value) == value)
  }
}
