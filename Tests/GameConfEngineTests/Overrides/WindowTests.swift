// Time windows of overrides from end to end: each begins and ends at a tick of the clock, with an audit line.
import GameConfCore
import GameConfEngine
import Testing

private typealias Fixture = OverrideFixture

@Suite("Time windows of overrides")
struct WindowTests {
  private let fixture = OverrideFixture()

  @Test("a window of two seconds ends by itself, and the permanent override is in force again, as the audit log records")
  func lapses() async throws {
    try await fixture.set(3, "time")
    let window = try await fixture.set(5, "time", until: 1002)
    #expect(window.window == "w2")
    #expect(try await fixture.inForce("time") == 5.0)
    #expect(try await fixture.tick(1001).isEmpty)
    #expect(fixture.published.count == 2)
    let edges = try await fixture.tick(1007)
    #expect(edges.map(\.kind) == [.ended])
    #expect(try await fixture.inForce("time") == 3.0)
    let line = try #require(try await fixture.audits().last)
    #expect(line.action == .windowEnded && line.at == Instant(seconds: 1002) && line.before == 5.0 && line.after == 3.0)
    #expect(line.revision == 3 && line.author.name == "gameconfd" && line.window == "w2")
    #expect(try await fixture.tick(1000).isEmpty)
    #expect(try await fixture.inForce("time") == 3.0)
  }

  @Test("overdue beginnings and ends of windows, of a game and of players, are applied once each, in order, with their own times")
  func catchUp() async throws {
    try await fixture.set(5, "time", from: 1100, until: 1200)
    try await fixture.set(6, "time", from: 1200, until: 9999)
    try await fixture.set("x", "name", player: "p", from: 1050, until: 1150)
    let edges = try await fixture.tick(1300)
    #expect(edges.map(\.at) == [1050, 1100, 1150, 1200, 1200].map(Instant.init(seconds:)))
    #expect(edges.map(\.kind) == [.opened, .opened, .ended, .ended, .opened])
    let lines = try await fixture.audits().dropFirst(3)
    #expect(lines.map(\.at) == edges.map(\.at))
    #expect(lines.compactMap(\.revision) == [4, 5, 6, 7, 8])
    #expect(try await fixture.inForce("time") == 6.0)
    #expect(try await fixture.store.read { try $0.playerRevision("p", in: "g") } == 3)
    #expect(try await fixture.tick(1300).isEmpty)
  }

  @Test(
    "a new window that ends before it begins, lies in the past, or overlaps another one is refused",
    arguments: [
      (1500, 1500, WindowFault.endsBeforeItBegins(from: Instant(seconds: 1500), until: Instant(seconds: 1500))),
      (1500, 1400, .endsBeforeItBegins(from: Instant(seconds: 1500), until: Instant(seconds: 1400))),
      (900, 1000, .past(until: Instant(seconds: 1000), now: Instant(seconds: 1000))),
      (2500, 3500, .overlap(OverrideWindow(id: "w1", from: Instant(seconds: 2000), until: Instant(seconds: 3000)))),
    ])
  func refused(from: Int64, until: Int64, fault: WindowFault) async throws {
    try await fixture.set(5, "time", from: 2000, until: 3000)
    await #expect(throws: ChangeRefusal.window(fault)) { try await fixture.set(6, "time", from: from, until: until) }
    await #expect(throws: ChangeRefusal.windowWithoutEnd) { try await fixture.set(6, "time", from: 4000) }
    #expect(try await fixture.audits().count == 1)
  }

  @Test("a user's own window is replaced by one that begins now, another user's only by its id; the refusal names the author")
  func replaced() async throws {
    let mine = try await fixture.set(5, "time", until: 2000)
    let other = ChangeContext(author: Author(uid: 1001, name: "bob", pid: 8), reason: nil, now: Instant(seconds: 1100))
    func replace(_ replacing: WindowReplacement, _ context: ChangeContext) async throws -> OverrideOutcome? {
      let window = WindowRequest(until: Instant(seconds: 3000), replacing: replacing)
      return try await OverrideService(store: fixture.store, checking: fixture.checking).change(
        .set(6, window: window), at: Fixture.slot("time"), context
      ).fresh
    }
    await #expect {
      _ = try await replace(.own, other)
    } throws: { error in
      guard case ChangeRefusal.windowOfAnother(let window, let author) = error else { return false }
      return window.id == mine.window && author.name == "ada"
    }
    #expect(try await fixture.inForce("time") == 5.0)
    let cut = try await replace(.named(try #require(mine.window)), other)
    #expect(try await fixture.inForce("time") == 6.0)
    await #expect(throws: ChangeRefusal.unknownWindow("w1")) { _ = try await replace(.named("w1"), other) }
    #expect(try await replace(.own, other)?.window != cut?.window)
    #expect(try await fixture.audits().count == 3)
  }

  @Test("a window that is set again in its session retains its id; one of another user or session conflicts with it")
  func again() async throws {
    func set(_ value: Value, until: Int64, at now: Int64, _ session: String?, uid: UInt32 = 1000) async throws -> OverrideOutcome? {
      let author = Author(uid: uid, name: "u\(uid)", pid: 8)
      let context = ChangeContext(author: author, reason: nil, now: Instant(seconds: now), session: session)
      return try await OverrideService(store: fixture.store, checking: fixture.checking).change(
        .set(value, window: WindowRequest(until: Instant(seconds: until))), at: Fixture.slot("time"), context
      ).fresh
    }
    let first = try await set(5, until: 2000, at: 1000, "s1")
    let second = try await set(6, until: 3000, at: 1100, "s1")
    #expect(first?.isReplacement == false && second?.isReplacement == true && second?.window == first?.window)
    let window = try #require(second?.slots.first?.windows.first?.window)
    #expect(second?.slots.first?.windows.count == 1)
    #expect(window.from == Instant(seconds: 1000) && window.until == Instant(seconds: 3000) && window.isOpen)
    #expect(try await fixture.inForce("time") == 6.0)
    // The window may also be shortened, and continues from there.
    #expect(try await set(6, until: 1500, at: 1200, "s1")?.slots.first?.windows.first?.window?.until == Instant(seconds: 1500))
    for (session, uid) in [("s2", 1000), (nil, 1000), ("s1", 1001)] as [(String?, UInt32)] {
      await #expect {
        _ = try await set(7, until: 4000, at: 1300, session, uid: uid)
      } throws: { error in
        guard case ChangeRefusal.window(.overlap(let other)) = error else { return false }
        return other.id == first?.window
      }
    }
    let lines = try await fixture.audits()
    #expect(lines.map(\.window) == [first?.window, first?.window, first?.window])
    #expect(lines.map { $0.detail?["replaced_until"] != nil } == [false, true, true])
    #expect(try await fixture.tick(1501).map(\.kind) == [.ended])
  }

  @Test("a removal removes one window or all overrides of the key; with an unknown window's id it changes nothing")
  func removal() async throws {
    try await fixture.set(3, "time")
    try await fixture.set(5, "time", from: 2000, until: 3000)
    try await fixture.set(6, "time", from: 3000, until: 4000)
    #expect(try await !fixture.remove("time", window: "w9").isChange)
    #expect(try await fixture.remove("time", window: "w2").removed.map(\.value) == [5.0])
    #expect(try await fixture.remove("time").removed.map(\.value) == [3.0, 6.0])
    #expect(try await fixture.audits().map(\.window) == [nil, "w2", "w3", "w2", nil])
  }

  @Test("a change of a key whose window has ended applies the end first")
  func edgeInAWrite() async throws {
    try await fixture.set(5, "time", until: 1002)
    try await fixture.set(6, "time", until: 2000, Fixture.context(at: 1003))
    #expect(try await fixture.audits().map(\.action) == [.windowAdded, .windowEnded, .windowAdded])
    #expect(try await fixture.inForce("time") == 6.0)
  }

  @Test("a window ends on time even while the store cannot save the end")
  func withoutStore() async throws {
    try await fixture.set(5, "time", until: 1002)
    fixture.store.fail(with: .noSpace)
    #expect(try await fixture.tick(1003).map(\.kind) == [.ended])
  }
}
