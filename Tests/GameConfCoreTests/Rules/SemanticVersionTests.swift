// Tests the comparison of semantic versions.

import GameConfCore
import Testing

@Suite("Semantic versions")
struct SemanticVersionTests {
  /// Versions in ascending order, from semver.org.
  private static let rising = [
    "0.0.0", "0.0.1", "0.9.9", "1.0.0-0", "1.0.0-1", "1.0.0-2", "1.0.0-11", "1.0.0--", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta",
    "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0", "10.0.0",
    "18446744073709551616.0.0", "18446744073709551617.0.0", "99999999999999999999999.0.0",
  ]

  @Test("versions are ordered as on semver.org")
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
    "equal versions may have a leading v, missing parts or different build metadata",
    arguments: [
      ("v1.2.3", "1.2.3"), ("V1", "1.0.0"), ("1.2", "1.2.0"), ("1-rc", "1.0.0-rc"), ("1.2+b.01", "1.2.0"), ("1.2.3+a", "1.2.3+b"),
    ])
  func spellings(left: String, right: String) {
    #expect(SemanticVersion.holds(left, .equal, right) == true)
  }

  @Test(
    "a malformed version compares with no other",
    arguments: [
      "", "v", "x", "1.", "1..2", ".1", "1.2.3.4", "1.2.3.4.5.6.7.8.9", "01.2.3", "1.02.3", "1.2.3-", "1.2.3-a..b", "1.2.3-01", "1.2.3+",
      "1.2.3+a..b", " 1.2.3", "1.2.3 ", "1.2.3\n", "-1.2.3", "+1.2.3", "1.2.3-é", "vv1", "1,2", "１.2.3",
    ])
  func noVersions(text: String) {
    #expect(SemanticVersion.holds(text, .notEqual, "1.2.3") == nil)
    #expect(SemanticVersion.holds("1.2.3", .less, text) == nil)
  }
}
