// Tests the effective override of a key for a game or a player: single steps, and random sequences compared with a naive model.
import GameConfCore
import TestSupport
import Testing

private let author = Author(uid: 0, name: "root")
private let slot = OverrideSlot(game: "g", key: "k")

private func at(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

private func record(_ value: Value, _ revision: Int64 = 1) -> OverrideRecord {
  OverrideRecord(slot: slot, value: value, author: author, at: at(0), revision: revision)
}

private func window(_ id: String, _ from: Int64, _ until: Int64) -> OverrideWindow {
  OverrideWindow(id: id, from: at(from), until: at(until))
}

@Suite("Overrides of one key for a game or a player")
struct KeyOverridesTests {
  @Test("an open window overrides the permanent override and its end restores it")
  func windowOverPermanent() throws {
    var overrides = KeyOverrides(slot: slot)
    overrides.setPermanent(record(1))
    try overrides.add(record(2), window: window("a", 10, 20), now: at(0))
    #expect(overrides.inForce?.value == 1)
    #expect(overrides.edges(after: at(0)) == [at(10), at(20)])
    #expect(overrides.advance(to: at(9)).isEmpty)
    let opened = overrides.advance(to: at(10))
    #expect(opened.map(\.kind) == [.opened])
    #expect(opened.first?.before == 1 && opened.first?.after == 2)
    #expect(overrides.inForce?.value == 2)
    let ended = overrides.advance(to: at(25))
    #expect(ended.map(\.kind) == [.ended])
    #expect(ended.first?.at == at(20))
    #expect(overrides.inForce?.value == 1)
    #expect(overrides.remove().map(\.value) == [1])
    #expect(overrides.inForce == nil && overrides.isEmpty)
  }

  @Test("a window that has ended stays removed after the clock is set back")
  func stepBackAfterTheEnd() throws {
    var overrides = KeyOverrides(slot: slot)
    try overrides.add(record(2), window: window("a", 10, 20), now: at(0))
    _ = overrides.advance(to: at(20))
    #expect(overrides.advance(to: at(15)).isEmpty)
    #expect(overrides.inForce == nil && overrides.inForce(at: at(15)) == nil)
  }

  @Test("an open window closes again if the clock is set back to before its beginning")
  func stepBackBeforeTheBeginning() throws {
    var overrides = KeyOverrides(slot: slot)
    try overrides.add(record(2), window: window("a", 10, 20), now: at(12))
    #expect(overrides.inForce?.value == 2)
    #expect(overrides.advance(to: at(5)).map(\.kind) == [.postponed])
    #expect(overrides.inForce == nil)
    #expect(overrides.advance(to: at(10)).map(\.kind) == [.opened])
  }

  @Test("beginnings and ends of windows that are applied late come in order and with their own instants")
  func catchUp() throws {
    var overrides = KeyOverrides(slot: slot)
    overrides.setPermanent(record(0))
    try overrides.add(record(2), window: window("b", 20, 30), now: at(0))
    try overrides.add(record(1), window: window("a", 10, 20), now: at(0))
    try overrides.add(record(3), window: window("c", 40, 50), now: at(0))
    let edges = overrides.advance(to: at(45)).sorted { $0.precedes($1) }
    #expect(edges.map(\.at) == [at(10), at(20), at(20), at(30), at(40)])
    #expect(edges.map(\.kind) == [.opened, .ended, .opened, .ended, .opened])
    #expect(edges.map { $0.record.window?.id } == ["a", "a", "b", "b", "c"])
    #expect(overrides.inForce?.value == 3)
    #expect(overrides.windows.count == 1)
  }

  @Test(
    "an invalid window is rejected without a change",
    arguments: [
      (20, 20, WindowFault.endsBeforeItBegins(from: Instant(seconds: 20), until: Instant(seconds: 20))),
      (21, 20, .endsBeforeItBegins(from: Instant(seconds: 21), until: Instant(seconds: 20))),
      (1, 5, .past(until: Instant(seconds: 5), now: Instant(seconds: 5))),
      (99, 101, .overlap(OverrideWindow(id: "other", from: Instant(seconds: 100), until: Instant(seconds: 200)))),
      (100, 200, .overlap(OverrideWindow(id: "other", from: Instant(seconds: 100), until: Instant(seconds: 200)))),
      (120, 130, .overlap(OverrideWindow(id: "other", from: Instant(seconds: 100), until: Instant(seconds: 200)))),
      (199, 300, .overlap(OverrideWindow(id: "other", from: Instant(seconds: 100), until: Instant(seconds: 200)))),
      (50, 300, .overlap(OverrideWindow(id: "other", from: Instant(seconds: 100), until: Instant(seconds: 200)))),
    ])
  func refused(from: Int64, until: Int64, fault: WindowFault) throws {
    var overrides = KeyOverrides(slot: slot)
    try overrides.add(record(1), window: window("other", 100, 200), now: at(5))
    let before = overrides
    #expect(throws: fault) { try overrides.add(record(2), window: window("new", from, until), now: at(5)) }
    #expect(overrides == before)
  }

  @Test("windows that touch without overlapping are accepted")
  func touching() throws {
    var overrides = KeyOverrides(slot: slot)
    try overrides.add(record(1), window: window("b", 100, 200), now: at(5))
    try overrides.add(record(2), window: window("c", 200, 300), now: at(5))
    try overrides.add(record(3), window: window("a", 6, 100), now: at(5))
    #expect(overrides.windows.map { $0.window?.id } == ["a", "b", "c"])
  }

  @Test("the 64th window of a key is accepted and the 65th is rejected")
  func windowsMax() throws {
    var overrides = KeyOverrides(slot: slot)
    for each in 1...64 { try overrides.add(record(1), window: window("\(each)", Int64(each), Int64(each) + 1), now: at(0)) }
    #expect(throws: WindowFault.tooMany(max: 64)) { try overrides.add(record(1), window: window("65", 65, 66), now: at(0)) }
  }

  @Test("a quarantined override is stored but not effective until it is released")
  func quarantine() throws {
    var overrides = KeyOverrides(slot: slot)
    overrides.setPermanent(record(1))
    try overrides.add(record(2), window: window("a", 0, 20), now: at(5))
    #expect(overrides.quarantine { $0.value == 2 ? "too large" : nil }.map(\.value) == [2])
    #expect(overrides.quarantine { _ in "again" }.map(\.value) == [1])
    #expect(overrides.inForce == nil && overrides.inForce(at: at(5)) == nil)
    #expect(overrides.records.map(\.quarantined) == ["again", "too large"])
    #expect(overrides.release().count == 2)
    #expect(overrides.inForce?.value == 2)
    #expect(overrides.release().isEmpty)
  }

  @Test("removing one window keeps the other overrides of the key")
  func removeOne() throws {
    var overrides = KeyOverrides(slot: slot)
    overrides.setPermanent(record(0))
    try overrides.add(record(1), window: window("a", 10, 20), now: at(0))
    try overrides.add(record(2), window: window("b", 20, 30), now: at(0))
    #expect(overrides.remove(window: "none").isEmpty)
    #expect(overrides.remove(window: "a").map(\.value) == [1])
    #expect(overrides.records.map(\.value) == [0, 2])
  }

  @Test("a player id has 1 to 256 bytes without control characters")
  func players() {
    for admitted in ["p", "a/b %2F é", String(repeating: "x", count: 256), String(repeating: "é", count: 128)] {
      #expect(OverrideLimits.admits(player: admitted))
    }
    for refused in ["", "a\nb", "\u{7f}", "\u{85}", String(repeating: "x", count: 257), String(repeating: "é", count: 128) + "x"] {
      #expect(!OverrideLimits.admits(player: refused))
    }
  }
}

/// A model of overrides without any optimization, which examines every window for each read.
private struct NaiveModel {
  var permanent: Int64?
  var windows: [(id: String, from: Int64, until: Int64, value: Int64)] = []

  func inForce(_ second: Int64) -> Int64? { windows.last { $0.from <= second && second < $0.until }?.value ?? permanent }

  mutating func add(_ id: String, _ from: Int64, _ until: Int64, _ value: Int64, _ now: Int64) -> Bool {
    if until <= from || until <= now { return false }
    for second in from..<until where windows.contains(where: { $0.from <= second && second < $0.until }) { return false }
    windows.append((id, from, until, value))
    return true
  }

  mutating func tick(_ now: Int64) { windows.removeAll { $0.until <= now } }
}

@Suite("Overrides compared with a naive model")
struct KeyOverridesModelTests {
  @Test(
    "random overrides, windows, removals and clock changes have the effects that the model predicts",
    arguments: TestLength.seeds(of: UInt64(1)...200))
  func agrees(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var overrides = KeyOverrides(slot: slot)
    var model = NaiveModel()
    var now: Int64 = 100
    for step in 0..<150 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let value = Int64.random(in: 0..<1000, using: &random)
        overrides.setPermanent(record(.integer(value), Int64(step)))
        model.permanent = value
      case 1...4:
        let from = now + Int64.random(in: -10..<40, using: &random)
        let until = from + Int64.random(in: -1..<15, using: &random)
        let value = Int64.random(in: 1000..<2000, using: &random)
        let added = (try? overrides.add(record(.integer(value), Int64(step)), window: window("w\(step)", from, until), now: at(now))) != nil
        #expect(added == model.add("w\(step)", from, until, value, now))
      case 5:
        if let id = model.windows.randomElement(using: &random)?.id {
          #expect(overrides.remove(window: id).count == 1)
          model.windows.removeAll { $0.id == id }
        }
      case 6 where Int.random(in: 0..<8, using: &random) == 0:
        #expect(overrides.remove().count == model.windows.count + (model.permanent == nil ? 0 : 1))
        model = NaiveModel()
      default:
        now += Int64.random(in: -6..<14, using: &random)
        let edges = overrides.advance(to: at(now))
        #expect(edges == edges.sorted { $0.precedes($1) })
        #expect(edges.allSatisfy { $0.at <= at(now) })
        model.tick(now)
        #expect(overrides.advance(to: at(now)).isEmpty)
      }
      #expect(overrides.inForce?.value == model.inForce(now).map(Value.integer))
      for second in (now - 5)..<(now + 60) { #expect(overrides.inForce(at: at(second))?.value == model.inForce(second).map(Value.integer)) }
      #expect(overrides.windows.count == model.windows.count)
    }
  }
}
