// Tests the ring buffer of changes from which a reconnecting admin's watch resumes, and the parsing of positions in it.
import Testing

@testable import GameConfHTTP

@Suite("The ring buffer of changes for admins' watches")
struct AdminRingTests {
  private func position(_ ring: AdminRing, _ step: Int64) -> AdminPosition { AdminPosition(epoch: 1, line: 0, run: ring.run, step: step) }

  @Test("an admin's watch that resumes gets the games that changed since its position, and the store's health if it changed")
  func due() throws {
    var ring = AdminRing()
    ring.add(games: ["a"])
    ring.add(games: ["b", "c"])
    ring.add(isOfStore: true)
    let all = try #require(ring.due(since: position(ring, 0)))
    #expect(all.games == ["a", "b", "c"] && all.isOfStore)
    let some = try #require(ring.due(since: position(ring, 1)))
    #expect(some.games == ["b", "c"])
    let none = try #require(ring.due(since: position(ring, 3)))
    #expect(none.games.isEmpty && !none.isOfStore)
    #expect(ring.due(since: position(ring, 4)) == nil)
    #expect(ring.due(since: AdminPosition(epoch: 1, line: 0, run: ring.run &+ 1, step: 1)) == nil)
  }

  @Test("an admin's watch cannot resume from a position that is older than the ring buffer")
  func outdated() {
    var ring = AdminRing()
    for step in 0..<(AdminRing.stepsMax + 10) { ring.add(games: ["g\(step)"]) }
    #expect(ring.due(since: position(ring, 9)) == nil)
    #expect(ring.due(since: position(ring, 10))?.games.count == AdminRing.stepsMax)
    #expect(ring.due(since: position(ring, ring.step - 1))?.games == ["g\(AdminRing.stepsMax + 9)"])
  }

  @Test(
    "a malformed position of an admin's watch is refused",
    arguments: ["", "1", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.-2.3.4", "1.2.4294967296.4", "1.2.3.x", " 1.2.3.4"])
  func rubbish(text: String) { #expect(AdminPosition(parsing: text) == nil) }

  @Test("the text of an admin's position parses to the same position")
  func written() {
    let position = AdminPosition(epoch: .max, line: .max, run: .max, step: .max)
    #expect(AdminPosition(parsing: position.text) == position)
  }
}
