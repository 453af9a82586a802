// Bulk writes of rows have the same result as single writes.
import GameConfCore
import GameConfStorage
import Testing

private let author = Author(uid: 4_000_000_000, name: "ada \"é\"", pid: nil)

private func at(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

private func slot(_ key: String, _ player: String? = nil, game: String = "g") -> OverrideSlot {
  OverrideSlot(game: game, player: player, key: key)
}

private func entry(_ slot: OverrideSlot, _ value: Value, revision: Int64 = 1) -> OverrideRecord {
  OverrideRecord(slot: slot, value: value, author: author, reason: "because", at: at(1), revision: revision)
}

private func line(_ key: String) -> AuditRecord {
  var line = AuditRecord(at: at(1), author: author, action: .overrideSet, game: "g", reason: nil)
  line.key = key
  return line
}

@Suite("Bulk writes of many rows")
struct ManyRowsSuite {
  /// More players than one or two statements write, and two whose names differ only in their bytes.
  private static let players = (0..<150).map { "p\($0)" } + ["e\u{301}", "\u{e9}"]

  private func window(_ slot: OverrideSlot) -> OverrideRecord {
    var record = entry(slot, 7)
    record.window = OverrideWindow(id: "w", from: at(100), until: at(200))
    return record
  }

  @Test("overrides, revisions and audit lines written together equal those written one after another", arguments: StoreKind.allCases)
  func atOnce(kind: StoreKind) async throws {
    let (together, single) = (try StoreUnderTest(kind), try StoreUnderTest(kind))
    let players = Self.players
    let slots = [slot("a")] + players.flatMap { [slot("a", $0), slot("b", $0)] }
    // Some slots also have a window; one of these loses it later, and some are by another author or of another time.
    let overridden = slots.enumerated().map { number, slot in
      KeyOverrides(slot: slot, records: [entry(slot, 1)] + (number % 50 == 7 ? [window(slot)] : []))
    }
    let other =
      slots.dropFirst(5).enumerated().map { number, slot in
        var record = entry(slot, 2, revision: number % 40 == 3 ? 1 : 2)
        if number % 30 == 4 { record.author = Author(uid: 7, name: "bob", pid: 3) }
        if number % 70 == 9 { record.quarantined = "no longer admitted" }
        return KeyOverrides(slot: slot, records: [record])
      } + slots.prefix(3).map(KeyOverrides.init)
    let lines = slots.enumerated().map { number, slot in
      var line = line(slot.key)
      line.player = slot.player
      (line.before, line.after) = (number % 3 == 0 ? nil : .integer(Int64(number)), .null)
      line.undo = AuditUndo(before: [.integer(Int64(number))], after: [])
      return line
    }
    for store in [together, single] {
      // One player was forgotten, one has a row: the revisions of both continue.
      try await store.write { transaction in
        for name in ["p3", "p4"] { _ = try transaction.nextPlayerRevision(name, in: "g") }
        _ = try transaction.forget(PlayerID(game: "g", player: "p3"), by: .forget)
        for _ in 0..<3 { try transaction.put(PlayerWrite(state: PlayerState(createdAt: at(9))), of: PlayerID(game: "g", player: "p5")) }
        _ = try transaction.append(line("first"))
      }
    }
    let first = try await together.write { transaction in
      try transaction.put(overridden, revision: 1)
      try transaction.put(other, revision: 2)
      return (try transaction.nextPlayerRevisions(players, in: "g"), try transaction.append(lines.map(EncodedAuditLine.init)))
    }
    let second = try await single.write { transaction in
      for each in overridden { try transaction.put(each, revision: 1) }
      for each in other { try transaction.put(each, revision: 2) }
      return (try players.map { try transaction.nextPlayerRevision($0, in: "g") }, try lines.map { try transaction.append($0) })
    }
    #expect(first.0 == second.0 && first.1 == second.1)
    #expect(first.0[3] == 2 && first.0[4] == 2 && first.0[5] == 4 && first.0[6] == 1)
    #expect(first.1.map(\.id) == (2..<Int64(2 + lines.count)).map { $0 })
    // An override that is set after the bulk write takes effect, and its window is found immediately.
    for store in [together, single] {
      try await store.write { transaction in
        var changed = KeyOverrides(slot: slots[10], records: [entry(slots[10], 9, revision: 3)])
        try changed.add(entry(slots[10], 8, revision: 3), window: OverrideWindow(id: "x", from: at(10), until: at(90)), now: at(1))
        try transaction.put(changed)
        try transaction.put(KeyOverrides(slot: slots[10], records: [entry(slots[10], 9, revision: 3)]))
        try transaction.put(changed)
      }
    }
    #expect(together.store.slotsWithEdges(at: at(50)) == [slots[10]] && together.store.slotsWithEdges(at: at(5)).isEmpty)
    try await same(together, single, slots)
    for store in [together, single] {
      let before = KeyOverrides(slot: slots[10], records: [entry(slots[10], 2, revision: 2)])
      try await store.write { try $0.put(before) }
    }
    #expect(together.store.slotsWithEdges(at: at(150)) == single.store.slotsWithEdges(at: at(150)))
    #expect(together.store.slotsWithEdges(at: at(250)) == single.store.slotsWithEdges(at: at(250)))
    let left = try await together.store.read { try $0.overrides(in: "g", OverrideSelection(.all)) }
    #expect(Set(left) == Set(other.filter { !$0.isEmpty } + overridden[3..<5]))
    #expect(try await together.store.read { try $0.playerOverridesCount(in: "g") } == slots.count - 3)
    let read = try await together.store.read { try $0.audits(AuditSelection(limit: 1_000)) }
    #expect(Array(read.reversed().dropFirst()) == first.1)
    #expect(try await single.store.read { try $0.audits(AuditSelection(limit: 1_000)) } == read)
  }

  @Test(
    "if no player was forgotten, many players' revisions rise by one each, for players with and without rows",
    arguments: StoreKind.allCases, [false, true])
  func players(kind: StoreKind, haveRows: Bool) async throws {
    let store = try StoreUnderTest(kind)
    let players = Self.players + (0..<100).map { "q\($0)" }
    try await store.write { transaction in
      if haveRows {
        let write = PlayerWrite(state: PlayerState(createdAt: at(9)))
        for player in players.dropLast(20) { try transaction.put(write, of: PlayerID(game: "g", player: player)) }
      }
      for number in 0..<5 { for player in players[..<(number * 20)] { _ = try transaction.nextPlayerRevision(player, in: "g") } }
      // A player from the rear of the list, so that some players are raised with it and some without.
      for _ in 0..<3 { try transaction.put(PlayerWrite(state: PlayerState(createdAt: at(9))), of: PlayerID(game: "g", player: "q90")) }
    }
    let before = try await store.store.read { view in try players.map { try view.playerRevision($0, in: "g") } }
    #expect(Set(before) == (haveRows ? [0, 1, 2, 3, 4, 5] : [0, 1, 2, 3, 4]))
    let raised = try await store.write { try $0.nextPlayerRevisions(players, in: "g") }
    #expect(raised == before.map { $0 + 1 })
    #expect(try await store.store.read { view in try players.map { try view.playerRevision($0, in: "g") } } == raised)
    #expect(try await store.write { try $0.nextPlayerRevisions(players.reversed(), in: "g") } == raised.reversed().map { $0 + 1 })
  }

  @Test(
    "many overrides of players are removed by one statement if the game's players have no others, and singly otherwise",
    arguments: StoreKind.allCases, [false, true])
  func emptied(kind: StoreKind, hasAnother: Bool) async throws {
    let (together, single) = (try StoreUnderTest(kind), try StoreUnderTest(kind))
    let slots = Self.players.flatMap { [slot("a", $0), slot("b", $0)] }
    let remaining = [slot("a"), slot("a", "p0", game: "h")] + (hasAnother ? [slot("c", "p0")] : [])
    // Half of the slots are replaced while the others are removed, as by an import that replaces everything.
    let left = slots.enumerated().map { number, slot in
      KeyOverrides(slot: slot, records: number % 2 == 0 ? [entry(slot, 2, revision: 2)] : [])
    }
    for store in [together, single] {
      try await store.write { transaction in
        for slot in remaining { try transaction.put(KeyOverrides(slot: slot, records: [entry(slot, 1)])) }
        try transaction.put(
          slots.enumerated().map { KeyOverrides(slot: $1, records: [entry($1, 1)] + ($0 % 9 == 0 ? [window($1)] : [])) }, revision: 1)
      }
    }
    let records = slots.count + (slots.count + 8) / 9
    try await together.write { try $0.put(OverrideRowBatch(left, revision: 2), over: records, at: 2) }
    try await single.write { transaction in
      for each in left { try transaction.put(each, revision: 2) }
    }
    try await same(together, single, slots + remaining)
    let expected = Set(left.filter { !$0.isEmpty }.map(\.slot) + remaining)
    #expect(try await Set(together.store.read { try $0.overrides() }.map(\.slot)) == expected)
    #expect(try await together.store.read { try $0.playerOverridesCount(in: "g") } == expected.count { $0.game == "g" && $0.player != nil })
    let emptied = OverrideRowBatch(left.map { KeyOverrides(slot: $0.slot) }, revision: 3)
    try await together.write { try $0.put(emptied, over: slots.count / 2, at: 3) }
    #expect(try await together.store.read { view in try slots.map { try view.revision(at: $0) } } == slots.map { _ in 3 })
    #expect(try await Set(together.store.read { try $0.overrides() }.map(\.slot)) == Set(remaining))
  }

  @Test(
    "a batch prepared before its transaction has the effect of single writes, also with windows, other authors, unchanged overrides",
    arguments: StoreKind.allCases, [false, true])
  func written(kind: StoreKind, hasWindows: Bool) async throws {
    let (together, single) = (try StoreUnderTest(kind), try StoreUnderTest(kind))
    let slots = [slot("a"), slot("b")] + Self.players.flatMap { [slot("a", $0), slot("b", $0)] }
    let left = slots.enumerated().map { number, slot in
      var record = entry(slot, .string("\(number) é\u{0}\""), revision: 2)
      if number % 10 == 3 { record.reason = nil }
      if number % 10 == 4 { record.reason = "" }
      if number % 17 == 5 { record.author = Author(uid: 7, name: "bob", pid: 3) }
      if number % 19 == 6 { record.quarantined = "no longer admitted" }
      // The record's revision is that of another change, so only the slot's revision identifies the change.
      if number % 23 == 7 { record.revision = 1 }
      if number % 29 == 8 { return KeyOverrides(slot: slot) }
      return KeyOverrides(slot: slot, records: [record] + (hasWindows && number % 31 == 9 ? [window(slot)] : []))
    }
    for store in [together, single] {
      try await store.write { transaction in
        try transaction.put(
          slots.enumerated().map { KeyOverrides(slot: $1, records: [entry($1, 1)] + (hasWindows && $0 % 9 == 0 ? [window($1)] : [])) },
          revision: 1)
      }
    }
    try await together.write { try $0.put(OverrideRowBatch(left, revision: 2), over: 3, at: 2) }
    try await single.write { transaction in
      for each in left { try transaction.put(each, revision: 2) }
    }
    try await same(together, single, slots)
    let stored = try await together.store.read { try $0.overrides(in: "g", OverrideSelection(.all)) }
    #expect(Set(stored) == Set(left.filter { !$0.isEmpty }))
    #expect(try await together.store.read { view in try slots.map { try view.revision(at: $0) } } == slots.map { _ in 2 })
    #expect(together.store.slotsWithEdges(at: at(150)) == single.store.slotsWithEdges(at: at(150)))
  }

  private func same(_ one: StoreUnderTest, _ other: StoreUnderTest, _ slots: [OverrideSlot]) async throws {
    let stored = try await one.store.read { try $0.overrides() }
    #expect(try await Set(other.store.read { try $0.overrides() }) == Set(stored))
    let counts = try await one.store.read { try $0.playerOverridesCount(in: "g") }
    #expect(try await other.store.read { try $0.playerOverridesCount(in: "g") } == counts)
    let revisions = try await one.store.read { view in try slots.map { try view.revision(at: $0) } }
    #expect(try await other.store.read { view in try slots.map { try view.revision(at: $0) } } == revisions)
    #expect(try await Set(one.store.contents().state.allOverrides) == Set(stored))
  }
}
