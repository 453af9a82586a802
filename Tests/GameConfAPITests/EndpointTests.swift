// Tests the paths that are computed from a call's declaration, the percent-encoding in them, and the list of assistants' tools.

import GameConfAPI
import GameConfCore
import Testing

@Suite("Calls")
struct EndpointTests {
  @Test("the path and query of a call are percent-encoded, including a slash and a newline in a player's id")
  func target() {
    let target = Calls.putPlayerOverride.target(
      ["game": "wheresthedot", "player": "a/b c\n%2F", "key": "k"], query: [("dry_run", "true"), ("x", "ü&=")])
    #expect(target == "/v1/games/wheresthedot/players/a%2Fb%20c%0A%252F/overrides/k?dry_run=true&x=%C3%BC%26%3D")
  }

  @Test("assistants' tools have the positions 1 to 25, and no call is in both lists of tools")
  func tools() {
    let places = Calls.all.flatMap(\.endpoint.offers).compactMap { if case .tool(let place) = $0 { place } else { nil } }
    #expect(places.sorted() == Array(1...25) && Calls.tools.count == 25)
    #expect(Set(Calls.tools).isDisjoint(with: Calls.furtherTools))
  }

  @Test(
    "percent-encoding in a path is decoded, and refused if it is malformed",
    arguments: [("a%2Fb", "a/b"), ("%C3%BC", "ü"), ("+", "+"), ("%", nil), ("%4", nil), ("%zz", nil), ("%FF", nil)] as [(String, String?)])
  func decode(text: String, decoded: String?) {
    #expect(PercentEncoding.decode(text.utf8) == decoded)
    if let decoded { #expect(PercentEncoding.decode(PercentEncoding.encode(decoded).utf8) == decoded) }
  }
}
