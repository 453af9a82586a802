// The positions that ids of events name, and the changes that a client with a position has missed.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Positions of watchers and the changes that they missed")
struct WatchPositionTests {
  @Test("a watcher's position is written as four numbers and parsed again")
  func text() {
    let position = WatchPosition(epoch: .max, revision: 7, playerRevision: 0, instant: Instant(milliseconds: 1_795_262_400_123))
    #expect(position.text == "18446744073709551615.7.0.1795262400123")
    #expect(WatchPosition(parsing: position.text) == position)
  }

  @Test(
    "a text that is not four numbers in the usual form is not a position",
    arguments: [
      "", "1", "1.2.3", "1.2.3.4.5", "a.1.2.3", "1.-2.3.4", "01.2.3.4", "1.+2.3.4", "1.2.3.4 ", "18446744073709551616.1.1.1", "1..3.4",
      String(repeating: "1", count: 100),
    ])
  func rubbish(text: String) { #expect(WatchPosition(parsing: text) == nil) }

  private static func ring(_ changes: [(Int64, Set<String>?)], from floor: Int64 = 0) -> ChangeRing {
    var ring = ChangeRing(from: floor)
    for (revision, keys) in changes { ring.add(ChangeRing.RevisionChange(revision: revision, keys: keys)) }
    return ring
  }

  @Test("the ring of changes reports the keys of all changes after a client's revision, and no keys to a client at the newest one")
  func due() {
    let ring = Self.ring([(1, ["a"]), (3, ["b", "c"]), (4, ["a"])])
    #expect(ring.due(since: 0, at: 4, player: nil) == .keys(["a", "b", "c"]))
    #expect(ring.due(since: 1, at: 4, player: nil) == .keys(["a", "b", "c"]))
    #expect(ring.due(since: 2, at: 4, player: nil) == .keys(["a", "b", "c"]))
    #expect(ring.due(since: 3, at: 4, player: nil) == .keys(["a"]))
    #expect(ring.due(since: 4, at: 4, player: nil) == .keys([]))
  }

  @Test("a client receives everything if its revision is before the ring of changes or in the future, or if a change is missing")
  func everything() {
    let ring = Self.ring([(11, ["a"])], from: 10)
    #expect(ring.due(since: 9, at: 11, player: nil) == .everything)
    #expect(ring.due(since: 10, at: 11, player: nil) == .keys(["a"]))
    #expect(ring.due(since: 12, at: 11, player: nil) == .everything)
    #expect(ring.due(since: 11, at: 12, player: nil) == .everything)
    #expect(Self.ring([(1, nil)]).due(since: 0, at: 1, player: nil) == .everything)
  }

  @Test("the ring of changes is bounded: one change more evicts the oldest")
  func bound() {
    let max = Int64(ChangeRing.changesMax)
    var ring = Self.ring((1...max).map { ($0, ["k\($0)"]) })
    #expect(ring.due(since: 0, at: max, player: nil) == .keys(Set((1...max).map { "k\($0)" })))
    ring.add(ChangeRing.RevisionChange(revision: max + 1, keys: ["last"]))
    #expect(ring.due(since: 0, at: max + 1, player: nil) == .everything)
    #expect(ring.due(since: 1, at: max + 1, player: nil) == .keys(Set((2...max).map { "k\($0)" } + ["last"])))
    #expect(ring.due(since: max, at: max + 1, player: nil) == .keys(["last"]))
  }

  @Test("keys that a player's overrides affect are sent to that player only; ids that differ in bytes are different players")
  func players() {
    var ring = ChangeRing(from: 0)
    ring.add(ChangeRing.RevisionChange(revision: 1, keys: ["a"], players: Self.touched([("p", ["b"]), ("\u{E9}", ["c"])])))
    ring.add(ChangeRing.RevisionChange(revision: 2, keys: [], players: Self.touched([("q", nil), ("q", ["a"])])))
    #expect(ring.due(since: 0, at: 2, player: nil) == .keys(["a"]))
    #expect(ring.due(since: 0, at: 2, player: "p") == .keys(["a", "b"]))
    #expect(ring.due(since: 0, at: 2, player: "e\u{301}") == .keys(["a"]))
    #expect(ring.due(since: 0, at: 2, player: "q") == .everything)
    #expect(ring.due(since: 2, at: 2, player: "q") == .keys([]))
  }

  @Test("after a change of more players than the limit, each player receives everything")
  func manyPlayers() {
    func change(_ count: Int) -> ChangeRing {
      var ring = ChangeRing(from: 0)
      ring.add(ChangeRing.RevisionChange(revision: 1, keys: [], players: Self.touched((0..<count).map { ("p\($0)", ["k"]) })))
      return ring
    }
    #expect(change(ChangeRing.playersNamedMax).due(since: 0, at: 1, player: "p1") == .keys(["k"]))
    #expect(change(ChangeRing.playersNamedMax + 1).due(since: 0, at: 1, player: "p1") == .everything)
    #expect(change(ChangeRing.playersNamedMax + 1).due(since: 0, at: 1, player: nil) == .keys([]))
  }

  @Test("the ring of changes evicts changes with many keys earlier, so that the total number of keys is bounded")
  func manyNames() {
    let keys = Set((0..<3_000).map { "key\($0)" })
    var ring = ChangeRing(from: 0)
    let retained = Int64(ChangeRing.namesMax / keys.count)
    for revision in 1...(retained + 10) { ring.add(ChangeRing.RevisionChange(revision: revision, keys: keys)) }
    #expect(ring.due(since: 10, at: retained + 10, player: nil) == .keys(keys))
    #expect(ring.due(since: 9, at: retained + 10, player: nil) == .everything)
    // A change of too many players to name them has no names that count.
    let many = Self.touched((0..<20_000).map { ("p\($0)", keys) })
    for revision in 1...5 { ring.add(ChangeRing.RevisionChange(revision: retained + 10 + Int64(revision), keys: [], players: many)) }
    #expect(ring.due(since: 10, at: retained + 15, player: nil) == .keys(keys))
    #expect(ring.due(since: retained + 10, at: retained + 15, player: "p1") == .everything)
    #expect(ring.due(since: retained + 10, at: retained + 15, player: "nobody") == .everything)
    let some = Self.touched((0..<20).map { ("p\($0)", keys) })
    ring.add(ChangeRing.RevisionChange(revision: retained + 16, keys: [], players: some))
    #expect(ring.due(since: retained + 15, at: retained + 16, player: "p1") == .keys(keys))
    #expect(ring.due(since: 11, at: retained + 16, player: nil) == .everything)
  }

  @Test("overrides for all players of a scenario are sent to each of its players, and to no others")
  func scenarios() {
    var ring = ChangeRing(from: 0)
    ring.add(ChangeRing.RevisionChange(revision: 1, keys: [], players: Self.touched([("scn-0123456789ab-", ["lives"])])))
    #expect(ring.due(since: 0, at: 1, player: "scn-0123456789ab-x") == .keys(["lives"]))
    for other in ["scn-0123456789ac-x", "scn-x", "x", nil] { #expect(ring.due(since: 0, at: 1, player: other) == .keys([])) }
    ring.add(ChangeRing.RevisionChange(revision: 2, keys: [], players: Self.touched([("scn-0123456789ab-", nil)])))
    #expect(ring.due(since: 1, at: 2, player: "scn-0123456789ab-x") == .everything)
  }

  private static func touched(_ players: [(String, Set<String>?)]) -> ChangeRing.AffectedPlayers {
    var touched = ChangeRing.AffectedPlayers()
    for (player, keys) in players { touched.add(keys, of: ByteText(player)) }
    return touched
  }
}
