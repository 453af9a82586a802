// Firebase's percentages against the vectors of its own libraries.

import GameConfCore
import Testing

@Suite("A template's percentage")
struct TemplatePercentTests {
  @Test("hashes as Firebase does", .enabled(if: ConformanceFolder.isThere, "GAMECONF_CONFORMANCE is not set"))
  func vectors() throws {
    guard case .list(let vectors) = try ConformanceFolder.json("percent_vectors.json") else {
      Issue.record("the vectors are a list")
      return
    }
    #expect(vectors.count == 12)
    for vector in vectors {
      let bucket = TemplatePercent.bucket(seed: vector["seed"]?.stringValue ?? "?", id: vector["id"]?.stringValue ?? "?")
      #expect(.integer(bucket) == vector["bucket"])
    }
  }

  @Test("includes its upper end and not its lower one")
  func ends() {
    #expect(TemplatePercent(seed: "", share: .atMost(10)).contains(10))
    #expect(!TemplatePercent(seed: "", share: .atMost(10)).contains(11))
    #expect(!TemplatePercent(seed: "", share: .above(10)).contains(10))
    #expect(TemplatePercent(seed: "", share: .above(10)).contains(11))
    #expect(!TemplatePercent(seed: "", share: .between(10, 20)).contains(10))
    #expect(TemplatePercent(seed: "", share: .between(10, 20)).contains(20))
  }
}
