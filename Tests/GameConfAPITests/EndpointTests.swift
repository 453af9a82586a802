// The list of calls and the targets made from it.

import GameConfAPI
import GameConfCore
import Testing

@Suite("Calls")
struct EndpointTests {
  @Test("no two calls share a name, or a method on a path")
  func unique() {
    #expect(Set(Endpoints.all.map(\.id)).count == Endpoints.all.count)
    #expect(Set(Endpoints.all.map { "\($0.method.rawValue) \($0.path)" }).count == Endpoints.all.count)
  }

  @Test("what changes a game is on the admin socket only, what a player does on both, and each takes dry_run")
  func changes() {
    let reading: Set = [
      "evaluateConfig", "evaluateValue", "evaluateExplain", "simulate", "storeCheck", "checkGate", "evaluateWatch", "ofrepFlag",
      "ofrepFlags",
      "ofrepFlagAtRoot", "ofrepFlagsAtRoot",
    ]
    let playing: Set = [
      "putContext", "putSetting", "deleteSetting", "recordEvent", "openVisit", "reportAd", "purchase", "restorePurchases",
      "finishTransaction",
    ]
    for endpoint in Endpoints.all where endpoint.method != .get && !reading.contains(endpoint.id) {
      #expect(endpoint.sockets == (playing.contains(endpoint.id) ? [.games, .admin] : [.admin]), "\(endpoint.id)")
      #expect(endpoint.query.contains { $0.name == "dry_run" }, "\(endpoint.id)")
    }
  }

  @Test("a target is percent-encoded, a slash and a newline in a player's id too")
  func target() {
    let target = Endpoints.putPlayerOverride.target(
      ["game": "wheresthedot", "player": "a/b c\n%2F", "key": "k"], query: [("dry_run", "true"), ("x", "ü&=")])
    #expect(target == "/v1/games/wheresthedot/players/a%2Fb%20c%0A%252F/overrides/k?dry_run=true&x=%C3%BC%26%3D")
  }

  @Test(
    "percent-encoding is undone, and refused where it is broken",
    arguments: [("a%2Fb", "a/b"), ("%C3%BC", "ü"), ("+", "+"), ("%", nil), ("%4", nil), ("%zz", nil), ("%FF", nil)] as [(String, String?)])
  func decode(text: String, decoded: String?) {
    #expect(PercentEncoding.decode(text.utf8) == decoded)
    if let decoded { #expect(PercentEncoding.decode(PercentEncoding.encode(decoded).utf8) == decoded) }
  }
}
