// Ids of events, and what is due to whoever comes back with one.
import GameConfCore
import GameConfEngine
import Testing

@Suite("Positions and what is due since")
struct WatchPositionTests {
  @Test("a position is written in four numbers and read back")
  func text() {
    let position = WatchPosition(epoch: .max, revision: 7, playerRevision: 0, instant: Instant(milliseconds: 1_795_262_400_123))
    #expect(position.text == "18446744073709551615.7.0.1795262400123")
    #expect(WatchPosition(parsing: position.text) == position)
  }

  @Test(
    "what is not written as a position is none",
    arguments: [
      "", "1", "1.2.3", "1.2.3.4.5", "a.1.2.3", "1.-2.3.4", "01.2.3.4", "1.+2.3.4", "1.2.3.4 ", "18446744073709551616.1.1.1", "1..3.4",
      String(repeating: "1", count: 100),
    ])
  func rubbish(text: String) { #expect(WatchPosition(parsing: text) == nil) }

  private static func ring(_ changes: [(Int64, Set<String>?)], from floor: Int64 = 0) -> ChangeRing {
    var ring = ChangeRing(from: floor)
    for (revision, keys) in changes { ring.add(ChangeRing.Change(revision: revision, keys: keys)) }
    return ring
  }

  @Test("the keys of all changes since are due, and nothing to whoever knows the newest")
  func due() {
    let ring = Self.ring([(1, ["a"]), (3, ["b", "c"]), (4, ["a"])])
    #expect(ring.due(since: 0, at: 4, player: nil) == .keys(["a", "b", "c"]))
    #expect(ring.due(since: 1, at: 4, player: nil) == .keys(["a", "b", "c"]))
    #expect(ring.due(since: 2, at: 4, player: nil) == .keys(["a", "b", "c"]))
    #expect(ring.due(since: 3, at: 4, player: nil) == .keys(["a"]))
    #expect(ring.due(since: 4, at: 4, player: nil) == .keys([]))
  }

  @Test("everything is due from before the ring, from the future, and while the newest change is not in it yet")
  func everything() {
    let ring = Self.ring([(11, ["a"])], from: 10)
    #expect(ring.due(since: 9, at: 11, player: nil) == .everything)
    #expect(ring.due(since: 10, at: 11, player: nil) == .keys(["a"]))
    #expect(ring.due(since: 12, at: 11, player: nil) == .everything)
    #expect(ring.due(since: 11, at: 12, player: nil) == .everything)
    #expect(Self.ring([(1, nil)]).due(since: 0, at: 1, player: nil) == .everything)
  }

  @Test("the ring keeps its newest changes: one more pushes the oldest out")
  func bound() {
    let max = Int64(ChangeRing.changesMax)
    var ring = Self.ring((1...max).map { ($0, ["k\($0)"]) })
    #expect(ring.due(since: 0, at: max, player: nil) == .keys(Set((1...max).map { "k\($0)" })))
    ring.add(ChangeRing.Change(revision: max + 1, keys: ["last"]))
    #expect(ring.due(since: 0, at: max + 1, player: nil) == .everything)
    #expect(ring.due(since: 1, at: max + 1, player: nil) == .keys(Set((2...max).map { "k\($0)" } + ["last"])))
    #expect(ring.due(since: max, at: max + 1, player: nil) == .keys(["last"]))
  }

  @Test("what one player's overrides touch is due to that player alone, by the bytes of the id")
  func players() {
    var ring = ChangeRing(from: 0)
    ring.add(ChangeRing.Change(revision: 1, keys: ["a"], players: [ByteText("p"): ["b"], ByteText("\u{E9}"): ["c"]]))
    ring.add(ChangeRing.Change(revision: 2, keys: [], players: [ByteText("q"): Set<String>?.none]))
    #expect(ring.due(since: 0, at: 2, player: nil) == .keys(["a"]))
    #expect(ring.due(since: 0, at: 2, player: "p") == .keys(["a", "b"]))
    #expect(ring.due(since: 0, at: 2, player: "e\u{301}") == .keys(["a"]))
    #expect(ring.due(since: 0, at: 2, player: "q") == .everything)
    #expect(ring.due(since: 2, at: 2, player: "q") == .keys([]))
  }

  @Test("a change that names more players than are kept touches everything of each")
  func manyPlayers() {
    func change(_ count: Int) -> ChangeRing {
      var ring = ChangeRing(from: 0)
      ring.add(
        ChangeRing.Change(
          revision: 1, keys: [], players: Dictionary(uniqueKeysWithValues: (0..<count).map { (ByteText("p\($0)"), Set(["k"])) })))
      return ring
    }
    #expect(change(ChangeRing.playersNamedMax).due(since: 0, at: 1, player: "p1") == .keys(["k"]))
    #expect(change(ChangeRing.playersNamedMax + 1).due(since: 0, at: 1, player: "p1") == .everything)
    #expect(change(ChangeRing.playersNamedMax + 1).due(since: 0, at: 1, player: nil) == .keys([]))
  }

  @Test("what is forced for all players of a scenario is due to each of them, and to nobody else")
  func scenarios() {
    var ring = ChangeRing(from: 0)
    ring.add(ChangeRing.Change(revision: 1, keys: [], players: [ByteText("scn-0123456789ab-"): ["lives"]]))
    #expect(ring.due(since: 0, at: 1, player: "scn-0123456789ab-x") == .keys(["lives"]))
    for other in ["scn-0123456789ac-x", "scn-x", "x", nil] { #expect(ring.due(since: 0, at: 1, player: other) == .keys([])) }
    ring.add(ChangeRing.Change(revision: 2, keys: [], players: [ByteText("scn-0123456789ab-"): nil]))
    #expect(ring.due(since: 1, at: 2, player: "scn-0123456789ab-x") == .everything)
  }
}
