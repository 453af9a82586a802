// Tests percent conditions against test vectors that Firebase's libraries gave.

import GameConfCore
import Testing

@Suite("Percent conditions of a template")
struct TemplatePercentTests {
  @Test(
    "the bucket of a percent condition is the one that Firebase computes",
    .enabled(if: ConformanceFolder.isThere, "GAMECONF_CONFORMANCE is not set"))
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

  @Test("the range of a percent condition includes its upper bound and excludes its lower bound")
  func ends() {
    #expect(TemplatePercent(seed: "", share: .atMost(10)).contains(10))
    #expect(!TemplatePercent(seed: "", share: .atMost(10)).contains(11))
    #expect(!TemplatePercent(seed: "", share: .above(10)).contains(10))
    #expect(TemplatePercent(seed: "", share: .above(10)).contains(11))
    #expect(!TemplatePercent(seed: "", share: .between(10, 20)).contains(10))
    #expect(TemplatePercent(seed: "", share: .between(10, 20)).contains(20))
  }
}
