// The requirements for every store's plays.
import GameConfCore
import GameConfStorage
import Testing

@Suite("Plays in every store")
struct PlayTableSuite {
  private static let player = PlayerID(game: "g", player: "p")

  private static func play(
    _ id: String, digest: String = "d", bytes: Int = 3, uid: UInt32 = 5, at seconds: Int64 = 10, context: ObjectValue = ObjectValue()
  ) -> StoredPlay {
    StoredPlay(
      id: id, openedAt: Instant(seconds: seconds), revision: 7, keysCount: 1, digest: digest, bytesCount: bytes, uid: uid, context: context)
  }

  @Test("a play is read back unchanged, lists have the newest first, and no player sees another's", arguments: StoreKind.allCases)
  func readBack(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let first = Self.play("a", context: ["platform": "ios"])
    try await tested.write { transaction in
      try transaction.add(first, of: Self.player, values: [UInt8]("abc".utf8))
      try transaction.add(Self.play("b"), of: Self.player, values: [UInt8]("abc".utf8))
      try transaction.add(Self.play("c", digest: "e", bytes: 4), of: PlayerID(game: "h", player: "p"), values: [UInt8]("abcd".utf8))
    }
    let store = tested.store
    #expect(try await store.read { try $0.play("a", of: Self.player) } == first)
    #expect(try await store.read { try $0.play("c", of: Self.player) } == nil)
    #expect(try await store.read { try $0.play("a", of: PlayerID(game: "g", player: "q")) } == nil)
    #expect(try await store.read { try $0.plays(of: Self.player, before: nil, limit: 9) }.map(\.id) == ["b", "a"])
    #expect(try await store.read { try $0.plays(of: Self.player, before: "b", limit: 9) }.map(\.id) == ["a"])
    #expect(try await store.read { try $0.plays(of: Self.player, before: "c", limit: 9) }.isEmpty)
    #expect(try await store.read { try $0.pinnedValues("d") } == [UInt8]("abc".utf8))
    let own = first.ownBytes + 2 * PlayLimits.rowBytes
    #expect(try await store.read { try $0.playBytes(of: 5) } == own + 3 + 4, "values that are the same count once")
    #expect(try await store.read { try $0.playBytes(of: 6) } == 0)
    #expect(
      try await store.read { try $0.playCounts(of: Self.player) }
        == PlayCounts(open: 2, closed: 0, bytes: first.chargedBytes + 3 + PlayLimits.rowBytes))
  }

  @Test("a closed play keeps the instant of its closing, and closing it again changes nothing", arguments: StoreKind.allCases)
  func closed(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    try await tested.write { transaction in
      try transaction.add(Self.play("a"), of: Self.player, values: [1])
      try transaction.close("a", of: Self.player, at: Instant(seconds: 20), host: Instant(seconds: 30))
      try transaction.close("a", of: Self.player, at: Instant(seconds: 40), host: Instant(seconds: 50))
    }
    let closed = try await tested.store.read { try $0.play("a", of: Self.player) }
    #expect(closed?.closedAt == Instant(seconds: 20) && closed?.closedAtHost == Instant(seconds: 30))
    let counts = try await tested.store.read { try $0.playCounts(of: Self.player) }
    #expect(counts.open == 0 && counts.closed == 1)
  }

  @Test("a play's state counts by its length towards the quota, is replaced, and is deleted with its play", arguments: StoreKind.allCases)
  func state(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    try await tested.write { transaction in
      try transaction.add(Self.play("a"), of: Self.player, values: [UInt8]("abc".utf8))
      try transaction.set(state: [UInt8]("[1,22]".utf8), ofPlay: "a", player: Self.player)
    }
    let store = tested.store
    let bytes = Self.play("a").chargedBytes
    #expect(try await store.read { try $0.playState("a", of: Self.player) } == [UInt8]("[1,22]".utf8))
    #expect(try await store.read { try $0.playState("a", of: PlayerID(game: "g", player: "q")) } == nil)
    #expect(try await store.read { try $0.playCounts(of: Self.player) }.bytes == bytes + 6)
    #expect(try await store.read { try $0.playBytes(of: 5) } == bytes + 6)
    try await tested.write { transaction in try transaction.set(state: [UInt8]("12".utf8), ofPlay: "a", player: Self.player) }
    #expect(try await store.read { try $0.playCounts(of: Self.player) }.bytes == bytes + 2)
    #expect(try await store.read { try $0.playBytes(of: 5) } == bytes + 2)
    try await tested.write { transaction in
      _ = try transaction.hidePlays(of: Self.player)
      while try transaction.dropHiddenPlays(max: 100) > 0 {}
    }
    #expect(try await store.read { try $0.playBytes(of: 5) } == 0)
    #expect(try await store.read { try $0.playState("a", of: Self.player) } == nil)
  }

  @Test("a refused transaction stores nothing of a play", arguments: StoreKind.allCases)
  func undone(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    await #expect(throws: TestRefusal.no(1)) {
      try await tested.write { transaction in
        try transaction.add(Self.play("a"), of: Self.player, values: [1])
        throw TestRefusal.no(1)
      }
    }
    #expect(try await tested.store.read { try $0.playCounts(of: Self.player) } == PlayCounts())
    #expect(try await tested.store.read { try $0.pinnedValues("d") } == nil)
    #expect(try await tested.store.read { try $0.playBytes(of: 5) } == 0)
  }

  @Test("closed plays are deleted when they are old and beyond the newest 500, open ones never", arguments: StoreKind.allCases)
  func aged(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let late = Instant(milliseconds: PlayLimits.retentionMilliseconds + 600_000)
    let (most, dropped) = try await tested.write { transaction in
      try transaction.add(Self.play("open"), of: Self.player, values: [1])
      for number in 1...502 {
        try transaction.add(Self.play("p\(number)"), of: Self.player, values: [1])
        try transaction.close("p\(number)", of: Self.player, at: Instant(seconds: 1), host: Instant(seconds: Int64(number)))
      }
      let young = try transaction.dropPlays(of: Self.player, host: Instant(milliseconds: PlayLimits.retentionMilliseconds + 1_000))
      return (young, try transaction.dropPlays(of: Self.player, host: late))
    }
    #expect(most.isEmpty, "each is younger than 400 days, or just that old")
    #expect(dropped == ["p1", "p2"])
    #expect(try await tested.store.read { try $0.play("open", of: Self.player) } != nil)
    #expect(try await tested.store.read { try $0.play("p2", of: Self.player) } == nil)
    #expect(try await tested.store.read { try $0.play("p3", of: Self.player) } != nil)
  }

  @Test("beyond 64 MiB the oldest closed plays are deleted, whatever their age", arguments: StoreKind.allCases)
  func large(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let dropped = try await tested.write { transaction in
      // The size of the values is only declared, so one row of values is enough.
      let bytes = PlayLimits.pinnedBytesMax
      for number in 1...64 {
        try transaction.add(Self.play("p\(number)", bytes: bytes), of: Self.player, values: [1])
        if number > 1 {
          try transaction.close("p\(number)", of: Self.player, at: Instant(seconds: 1), host: Instant(seconds: Int64(number)))
        }
      }
      return try transaction.dropPlays(of: Self.player, host: Instant(seconds: 100))
    }
    #expect(dropped == ["p2"], "each takes a little more than 1 MiB")
    #expect(try await tested.store.read { try $0.playCounts(of: Self.player) }.bytes <= PlayLimits.playerBytesMax)
  }

  @Test("plays of a forgotten player are hidden immediately, deleted gradually, and free their space", arguments: StoreKind.allCases)
  func forgotten(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let other = PlayerID(game: "g", player: "q")
    let hidden = try await tested.write { transaction in
      for number in 1...7 { try transaction.add(Self.play("p\(number)", digest: "d\(number)"), of: Self.player, values: [1, 2, 3]) }
      try transaction.add(Self.play("q1", digest: "d1"), of: other, values: [1, 2, 3])
      return try transaction.forget(Self.player, by: .forget)[.plays]
    }
    #expect(hidden == 7)
    #expect(try await tested.store.read { try $0.play("p1", of: Self.player) } == nil)
    #expect(try await tested.store.read { try $0.playCounts(of: Self.player) } == PlayCounts())
    var rounds = 0
    while try await tested.write(WriteMode(), { try $0.dropHiddenPlays(max: 3) }) == 3 { rounds += 1 }
    #expect(rounds >= 2)
    #expect(try await tested.store.read { try $0.pinnedValues("d2") } == nil)
    #expect(try await tested.store.read { try $0.pinnedValues("d1") } == [1, 2, 3], "another play has it")
    #expect(try await tested.store.read { try $0.playBytes(of: 5) } == PlayLimits.rowBytes + 3)
    try await tested.write { try $0.add(Self.play("new"), of: Self.player, values: [1]) }
    #expect(try await tested.store.read { try $0.plays(of: Self.player, before: nil, limit: 9) }.map(\.id) == ["new"])
  }
  @Test("a play's instants in the future are moved to the present, and no other instants", arguments: StoreKind.allCases)
  func redated(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    let other = PlayerID(game: "g", player: "q")
    let redated = try await tested.write { transaction in
      for (id, opened, closed) in [("past", 10, nil), ("ahead", 50, nil), ("closed", 10, 60), ("both", 40, 60)] as [(String, Int64, Int64?)]
      {
        try transaction.add(Self.play(id, at: opened), of: Self.player, values: [1])
        if let closed { try transaction.close(id, of: Self.player, at: Instant(seconds: closed), host: Instant(seconds: 15)) }
      }
      try transaction.add(Self.play("others", at: 50), of: other, values: [1])
      return try transaction.redatePlays(of: Self.player, to: Instant(seconds: 20))
    }
    #expect(redated.map(\.id) == ["ahead", "closed", "both"])
    let plays = try await tested.store.read { try $0.plays(of: Self.player, before: nil, limit: 9) }
    #expect(plays.map(\.id) == ["both", "closed", "ahead", "past"])
    #expect(plays.map(\.openedAt) == [20, 10, 20, 10].map(Instant.init(seconds:)))
    #expect(plays.map(\.closedAt) == [Instant(seconds: 20), Instant(seconds: 20), nil, nil])
    #expect(plays[0].closedAtHost == Instant(seconds: 15), "it grows old by the host's clock")
    #expect(Set(redated) == Set(plays.dropLast()))
    #expect(try await tested.store.read { try $0.play("others", of: other) }?.openedAt == Instant(seconds: 50))
    #expect(try await tested.store.read { try $0.playCounts(of: Self.player) }.open == 2)
    #expect(try await tested.write { try $0.redatePlays(of: Self.player, to: Instant(seconds: 20)) }.isEmpty)
  }
}

extension WriteTransaction {
  /// Adds a play with values that no test reads.
  func add(_ play: StoredPlay, of player: PlayerID, values: [UInt8]) throws(StoreError) {
    try add(play, of: player, values: values, pinning: PinnedValues([], locales: []))
  }

  /// Closes a play by its id.
  func close(_ id: String, of player: PlayerID, at now: Instant, host: Instant) throws(StoreError) {
    guard var closed = try play(id, of: player) else { return }
    (closed.closedAt, closed.closedAtHost) = (now, host)
    try close(closed, of: player)
  }
}
