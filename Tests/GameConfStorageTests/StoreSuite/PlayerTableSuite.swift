// The requirements for every store's players and clocks.
import GameConfCore
import GameConfStorage
import Testing

private let ada = PlayerID(game: "g", player: "ada")

private func at(_ seconds: Int64) -> Instant { Instant(seconds: seconds) }

@Suite("Players in every store")
struct PlayerTableSuite {
  /// Opens visits, each with an answer beside its line and a separate revision.
  private func visit(_ tested: StoreUnderTest, _ id: PlayerID, times: Int) async throws {
    try await tested.write { transaction in
      var state = try transaction.player(id).state ?? PlayerState(createdAt: at(0))
      for _ in 0..<times {
        let entry = state.openVisit(now: at(state.entries))
        try transaction.put(PlayerWrite(state: state, entry: entry, answer: JSONWriter.bytes(.integer(entry.number))), of: id)
      }
    }
  }

  @Test("an unknown player has no rows", arguments: StoreKind.allCases)
  func unknown(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    #expect(try await tested.store.read { try $0.player(ada) } == StoredPlayer())
    #expect(try await tested.store.read { try $0.history(of: ada, before: nil, limit: 10) }.isEmpty)
    #expect(try await tested.store.read { try $0.answer(beside: 1, of: ada) } == nil)
    #expect(try await tested.store.read { try $0.players(in: "g", after: nil, limit: 10) }.isEmpty)
  }

  @Test("a player's state, purchases and clock are read back unchanged, also if only one of them is stored", arguments: StoreKind.allCases)
  func parts(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    var state = PlayerState(createdAt: at(7))
    _ = try state.choose(["x": [1, 2.0, "é\u{0}"]], for: "theme", now: at(8))
    _ = try state.register(["locale": "sv"], of: "ada", now: at(9))
    let stored = state
    let bob = PlayerID(game: "g", player: "bob")
    try await tested.write { transaction in
      try transaction.put(PlayerWrite(state: stored), of: ada)
      try transaction.put(PlayerWrite(clock: PlayerClock(offsetMilliseconds: 99)), of: bob)
    }
    #expect(try await tested.store.read { try $0.player(ada) } == StoredPlayer(state: state, revision: 1))
    #expect(try await tested.store.read { try $0.player(bob) } == StoredPlayer(clock: PlayerClock(offsetMilliseconds: 99), revision: 1))
    let ledger = Ledger(game: "g", player: "bob").settled(at: at(50))
    try await tested.write { transaction in
      try transaction.put(PlayerWrite(ledger: ledger), of: bob)
      try transaction.put(PlayerWrite(ledger: ledger, clock: PlayerClock(offsetMilliseconds: 5)), of: ada)
    }
    let clock = PlayerClock(offsetMilliseconds: 5)
    #expect(try await tested.store.read { try $0.player(ada) } == StoredPlayer(state: state, ledger: ledger, clock: clock, revision: 2))
    #expect(try await tested.store.read { try $0.player(bob) }.ledger == ledger)
    #expect(try await tested.store.read { try $0.player(PlayerID(game: "h", player: "ada")) } == StoredPlayer())
  }

  @Test("a player's newest two hundred history lines are read back, each with its answer", arguments: StoreKind.allCases)
  func history(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    try await visit(tested, ada, times: 205)
    try await visit(tested, PlayerID(game: "g", player: "bob"), times: 3)
    try await tested.store.read { view throws in
      #expect(try view.history(of: ada, before: nil, limit: 1000).map(\.number) == Array((6...205).reversed()))
      let page = try view.history(of: ada, before: 100, limit: 3)
      #expect(page.map(\.number) == [99, 98, 97])
      #expect(page.first?.kind == .visit && page.first?.details["visit"] == 99 && page.first?.at == at(98))
      #expect(try view.answer(beside: 205, of: ada) == 205)
      #expect(try view.answer(beside: 6, of: ada) == 6)
      #expect(try view.answer(beside: 5, of: ada) == nil, "another line has taken its place")
      #expect(try view.answer(beside: 206, of: ada) == nil)
      #expect(try view.player(ada).revision == 205)
    }
  }

  @Test("players are listed by the bytes of their ids, page by page", arguments: StoreKind.allCases)
  func list(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let ids = ["Z", "a", "e\u{301}", "z", "\u{E9}", "\u{FFFD}", "\u{1F600}"]
    for id in ids.shuffled() { try await visit(tested, PlayerID(game: "g", player: id), times: 1) }
    try await visit(tested, PlayerID(game: "h", player: "b"), times: 1)
    try await tested.write { try $0.put(PlayerWrite(ledger: Ledger(game: "g", player: "z")), of: PlayerID(game: "g", player: "z")) }
    let all = try await tested.store.read { try $0.players(in: "g", after: nil, limit: 100) }
    #expect(all.map { Array($0.player.utf8) } == ids.map { Array($0.utf8) })
    #expect(all.filter(\.hasLedger).map(\.player) == ["z"])
    #expect(all.allSatisfy { $0.state?.visits.count == 1 && $0.revision == ($0.hasLedger ? 2 : 1) && $0.clock == .game })
    let page = try await tested.store.read { try $0.players(in: "g", after: "a", limit: 2) }
    #expect(page.map { Array($0.player.utf8) } == ids[2...3].map { Array($0.utf8) })
    #expect(try await tested.store.read { try $0.players(in: "g", after: "\u{1F600}", limit: 2) }.isEmpty)
  }

  @Test("two player ids that look alike but differ in their bytes have separate states", arguments: StoreKind.allCases)
  func alike(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let (one, other) = (PlayerID(game: "g", player: "\u{E9}"), PlayerID(game: "g", player: "e\u{301}"))
    #expect(one != other)
    try await visit(tested, one, times: 2)
    #expect(try await tested.store.read { try $0.player(other) }.state == nil)
    #expect(try await tested.store.read { try $0.player(one) }.state?.visits.count == 2)
  }

  @Test("a forgotten player leaves nothing but a revision that continues", arguments: StoreKind.allCases)
  func forget(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let bob = PlayerID(game: "g", player: "bob")
    for id in [ada, bob] { try await visit(tested, id, times: 3) }
    let answer = StoredAnswer(contentDigest: "d", status: 200, body: "{}", at: at(1))
    let requests = ["ada", "bob"].map { RepeatID(game: "g", player: $0, route: "r", id: "1") }
    try await tested.write { transaction in
      var state = try transaction.player(ada).state ?? PlayerState(createdAt: at(0))
      _ = try state.choose(true, for: "sound", now: at(9))
      try transaction.put(PlayerWrite(state: state), of: ada)
      for request in requests { try transaction.remember(answer, for: request, by: 7) }
      try transaction.put(KeyOverrides(slot: OverrideSlot(game: "g", player: "ada", key: "k")), revision: 4)
      for _ in 0..<2 { _ = try transaction.nextPlayerRevision("ada", in: "g") }
    }
    let gone = try await tested.write { transaction in
      #expect(try transaction.forgetAnswers(of: ada) == 1)
      return try transaction.forget(ada, by: .forget)
    }
    var expected = RemovedRowCounts()
    (expected.isKnown, expected[.history], expected[.settings]) = (true, 3, 1)
    #expect(gone == expected)
    try await tested.store.read { view throws in
      #expect(try view.player(ada) == StoredPlayer(revision: 6))
      #expect(try view.history(of: ada, before: nil, limit: 10).isEmpty)
      #expect(try view.revision(at: OverrideSlot(game: "g", player: "ada", key: "k")) == nil)
      #expect(try view.remembered(requests[0]) == nil)
      #expect(try view.remembered(requests[1]) != nil)
      #expect(try view.players(in: "g", after: nil, limit: 10).map(\.player) == ["bob"])
    }
    #expect(try await tested.write { try $0.forget(ada, by: .forget) } == RemovedRowCounts())
    #expect(try await tested.write { try $0.nextPlayerRevision("ada", in: "g") } == 7)
    #expect(try await tested.write { try $0.nextPlayerRevision("ada", in: "g") } == 8)
    #expect(try await tested.write { try $0.forget(ada, by: .forget) } == RemovedRowCounts())
    #expect(try await tested.store.read { try $0.playerRevision("ada", in: "g") } == 8)
  }

  @Test("a write that was decided on another revision than the stored one is not made", arguments: StoreKind.allCases)
  func behind(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let (bob, eve) = (PlayerID(game: "g", player: "bob"), PlayerID(game: "g", player: "eve"))
    try await visit(tested, ada, times: 2)
    try await visit(tested, eve, times: 1)
    try await tested.write { transaction in
      _ = try transaction.nextPlayerRevision("bob", in: "g")
      _ = try transaction.forget(eve, by: .forget)
    }
    let write = PlayerWrite(state: PlayerState(createdAt: at(9)), clock: PlayerClock(offsetMilliseconds: 1))
    try await tested.write { transaction throws in
      for (id, revision) in [(ada, Int64(2)), (bob, 1), (eve, 1)] {
        for other in [revision - 1, revision + 1] {
          #expect(try transaction.write(write, of: id, over: StoredPlayer(revision: other)) == nil, "\(id.player) over \(other)")
        }
      }
    }
    #expect(try await tested.store.read { try $0.player(ada) }.state?.visits.count == 2)
    #expect(try await tested.store.read { try $0.player(bob) } == StoredPlayer(revision: 1))
    #expect(try await tested.store.read { try $0.player(eve) } == StoredPlayer(revision: 1))
    try await tested.write { transaction throws in
      for (id, revision) in [(ada, Int64(2)), (bob, 1), (eve, 1)] {
        #expect(try transaction.write(write, of: id, over: StoredPlayer(revision: revision)) != nil)
        #expect(try transaction.nextPlayerRevision(id.player, in: "g") == revision + 2)
        #expect(
          try transaction.player(id) == StoredPlayer(state: write.state, clock: PlayerClock(offsetMilliseconds: 1), revision: revision + 2))
      }
    }
  }

  @Test("the fingerprints of answered requests are read back with the state", arguments: StoreKind.allCases)
  func remembered(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let mark = try RequestFingerprint(route: "events", id: "e1", content: 5)
    try await tested.write { transaction in
      var state = PlayerState(createdAt: at(0))
      let entry = state.openVisit(now: at(1))
      state.remember(mark, at: entry)
      try transaction.put(PlayerWrite(state: state, entry: entry), of: ada)
    }
    #expect(try await tested.store.read { try $0.player(ada) }.state?.answered(mark) == 1)
    #expect(try await tested.store.read { try $0.players(in: "g", after: nil, limit: 1) }.first?.state?.answered(mark) == 1)
  }

  @Test("a pseudonym replaces a player in every audit line that names the player", arguments: StoreKind.allCases)
  func pseudonym(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    func line(_ player: String?, game: String = "g", detail: Value? = nil) -> AuditRecord {
      var line = AuditRecord(at: at(1), author: Author(uid: 1, name: "ada"), action: .overrideSet, game: game)
      (line.player, line.detail) = (player, detail)
      line.undo = AuditUndo(before: [["player": "ada"]], after: [])
      return line
    }
    let lines = [
      line("ada"), line("bob", detail: ["from": "ada", "adamant": ["ada", 1]]), line("bob", detail: ["from": "adamant"]), line(nil),
      line("ada", game: "h"),
    ]
    try await tested.write { transaction in
      for line in lines { _ = try transaction.append(line) }
      #expect(try transaction.pseudonymise(player: "ada", in: "g", as: "sha256:00") == 2)
    }
    let stored = Array(try await tested.store.read { try $0.audits(AuditSelection()) }.reversed())
    #expect(stored.map(\.player) == ["sha256:00", "bob", "bob", nil, "ada"])
    #expect(stored[0].undo == nil && stored[2].undo != nil && stored[4].undo != nil)
    #expect(stored[1].detail == ["from": "sha256:00", "adamant": ["sha256:00", 1]])
    #expect(stored[2].detail == ["from": "adamant"])
  }

  @Test("a part of a transaction that fails leaves the player as it was", arguments: StoreKind.allCases)
  func undone(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    try await visit(tested, ada, times: 1)
    try await tested.write { transaction in
      do {
        try transaction.attempt {
          _ = try transaction.forget(ada, by: .forget)
          throw TestRefusal.no(1)
        }
      } catch TestRefusal.no {}
    }
    #expect(try await tested.store.read { try $0.player(ada) }.state?.visits.count == 1)
    #expect(try await tested.store.read { try $0.history(of: ada, before: nil, limit: 10) }.count == 1)
  }

  @Test("games' clocks are read back, also in the state that a start loads", arguments: StoreKind.allCases)
  func clocks(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let clock = SimulatedClock(anchor: at(1_000_000), hostAnchor: at(500), rateThousandths: 60_000)
    #expect(try await tested.store.read { try $0.clock(ofGame: "g") } == .host)
    try await tested.write { transaction in
      try transaction.put(SimulatedClock.host, ofGame: "h")
      try transaction.put(clock, ofGame: "g")
      #expect(try transaction.clock(ofGame: "g") == clock)
    }
    #expect(try await tested.store.read { try $0.clocks() } == ["g": clock, "h": .host])
    #expect(try await tested.store.contents().state.clocks == ["g": clock, "h": .host])
  }
}

extension WriteTransaction {
  /// Writes a player over the stored one, which the same transaction reads first.
  func put(_ write: PlayerWrite, of id: PlayerID) throws {
    #expect(try self.write(write, of: id, over: try player(id)) != nil)
  }

  /// Replaces the overrides of slots of the game at one revision.
  func put(_ overrides: [KeyOverrides], revision: Int64) throws(StoreError) {
    try put(overrides.map { ChangedOverrides($0) }, revision: revision)
  }

  /// Replaces the overrides of a slot at the newest revision among them.
  func put(_ overrides: KeyOverrides) throws(StoreError) {
    try put(overrides, revision: overrides.records.map(\.revision).max() ?? 1)
  }

  /// Replaces the overrides of a large change that was prepared before.
  func put(_ written: OverrideRowBatch, over records: Int, at revision: Int64) throws(StoreError) {
    try put(BulkOverrides(slots: written.slots, revision: revision, players: [], playerRevisions: []), written: written, over: records)
  }
}
