// Semantic versions in their order.

import GameConfCore
import Testing

@Suite("Semantic versions")
struct SemanticVersionTests {
  /// In rising order, as semver.org has it.
  private static let rising = [
    "0.0.0", "0.0.1", "0.9.9", "1.0.0-0", "1.0.0-1", "1.0.0-2", "1.0.0-11", "1.0.0--", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta",
    "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0", "10.0.0",
    "18446744073709551616.0.0", "18446744073709551617.0.0", "99999999999999999999999.0.0",
  ]

  @Test("every pair stands in the order of the list")
  func order() {
    for (at, left) in Self.rising.enumerated() {
      for (other, right) in Self.rising.enumerated() {
        #expect(SemanticVersion.holds(left, .less, right) == (at < other), "\(left) < \(right)")
        #expect(SemanticVersion.holds(left, .lessOrEqual, right) == (at <= other))
        #expect(SemanticVersion.holds(left, .equal, right) == (at == other))
        #expect(SemanticVersion.holds(left, .notEqual, right) == (at != other))
        #expect(SemanticVersion.holds(left, .greater, right) == (at > other))
        #expect(SemanticVersion.holds(left, .greaterOrEqual, right) == (at >= other))
      }
    }
  }

  @Test(
    "a leading v is dropped, missing parts are 0, build metadata does not count",
    arguments: [
      ("v1.2.3", "1.2.3"), ("V1", "1.0.0"), ("1.2", "1.2.0"), ("1-rc", "1.0.0-rc"), ("1.2+b.01", "1.2.0"), ("1.2.3+a", "1.2.3+b"),
    ])
  func spellings(left: String, right: String) {
    #expect(SemanticVersion.holds(left, .equal, right) == true)
  }

  @Test(
    "what is no version has no order",
    arguments: [
      "", "v", "x", "1.", "1..2", ".1", "1.2.3.4", "1.2.3.4.5.6.7.8.9", "01.2.3", "1.02.3", "1.2.3-", "1.2.3-a..b", "1.2.3-01", "1.2.3+",
      "1.2.3+a..b", " 1.2.3", "1.2.3 ", "1.2.3\n", "-1.2.3", "+1.2.3", "1.2.3-é", "vv1", "1,2", "１.2.3",
    ])
  func noVersions(text: String) {
    #expect(SemanticVersion.holds(text, .notEqual, "1.2.3") == nil)
    #expect(SemanticVersion.holds("1.2.3", .less, text) == nil)
  }
}
