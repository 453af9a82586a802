// The requirements for every store's lines of events, which are linked by event.
import GameConfCore
import GameConfStorage
import Testing

private let ada = PlayerID(game: "g", player: "ada")

@Suite("Players' events in every store")
struct EventChainSuite {
  private enum Line {
    case visit
    case event(String, retained: Int64?)
  }

  /// Writes lines, several in each transaction; each event's answer is its number.
  private func write(_ tested: StoreUnderTest, _ lines: [Line], of id: PlayerID = ada) async throws {
    try await tested.write { transaction in
      for part in stride(from: 0, to: lines.count, by: 7) {
        var state = try transaction.player(id).state ?? PlayerState(createdAt: Instant(seconds: 0))
        let written = try lines[part..<min(part + 7, lines.count)].map { line throws -> PlayerLine in
          guard case .event(let name, let retained) = line else { return PlayerLine(entry: state.openVisit(now: Instant(seconds: 1))) }
          let terms = PlayerTerms(
            rules: PlayerRules(Self.catalog), player: id.player, parameters: NoParameters(), now: Instant(seconds: 1))
          let entry = try state.record(PlayerEvent(name: name, score: .integer(state.entries + 1)), under: terms).1
          return PlayerLine(entry: entry, answer: JSONWriter.bytes(.integer(entry.number)), retained: retained)
        }
        try transaction.put(PlayerWrite(state: state, lines: written), of: id)
      }
    }
  }

  private static let catalog: Catalog = {
    var catalog = Catalog(game: "g", title: "G", locales: ["en"])
    catalog.events = ["over", "seen"].map { EventDefinition(name: $0, carriesScore: true) }
    return catalog
  }()

  private struct NoParameters: ParameterLookup {
    func value(ofParameter key: String) -> Value? { nil }
  }

  private func events(_ tested: StoreUnderTest, _ event: String?, limit: Int = 1_000) async throws -> [Int64] {
    try await tested.store.read(deadlineMilliseconds: 60_000) { try $0.events(named: event, of: ada, limit: limit) }.map(\.number)
  }

  @Test("an event's line is not evicted by other lines or other events, and is found by the event's name", arguments: StoreKind.allCases)
  func apart(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    #expect(try await events(tested, nil).isEmpty)
    try await write(tested, [.event("over", retained: 3)] + Array(repeating: .visit, count: 205))
    try await write(tested, Array(repeating: .event("seen", retained: 200), count: 220) + [.event("over", retained: 3)])
    try await write(tested, [.event("over", retained: 200)], of: PlayerID(game: "g", player: "bob"))
    #expect(try await events(tested, "over") == [427, 1])
    #expect(try await events(tested, "over", limit: 1) == [427])
    #expect(try await events(tested, "seen", limit: 2) == [426, 425])
    #expect(try await events(tested, nil, limit: 1) == [427, 426])
    #expect(try await events(tested, "unknown").isEmpty)
    let history = try await tested.store.read(deadlineMilliseconds: 60_000) { try $0.history(of: ada, before: nil, limit: 500) }
    #expect(history.map(\.number) == Array((228...427).reversed()), "the history is the newest lines of any kind")
  }

  @Test("the stored answer to an event is found, however many history lines follow the event's line", arguments: StoreKind.allCases)
  func answers(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    try await write(tested, [.event("over", retained: 200)] + Array(repeating: .visit, count: 255) + [.event("over", retained: 200)])
    let found = try await tested.store.read(deadlineMilliseconds: 60_000) { view in
      (
        try view.answers(toEvent: "over", entryBits: 1, of: ada), try view.answers(toEvent: "over", entryBits: 2, of: ada),
        try view.answers(toEvent: "seen", entryBits: 1, of: ada)
      )
    }
    #expect(found.0 == [257, 1] && found.1.isEmpty && found.2.isEmpty)
  }

  @Test("a write over an outdated player revision leaves no line in the linked list of an event", arguments: StoreKind.allCases)
  func behind(kind: StoreKind) async throws {
    let tested = try StoreUnderTest(kind)
    try await write(tested, [.event("over", retained: 200)])
    let before = try await tested.store.read { try $0.player(ada) }
    try await write(tested, [.event("over", retained: 200)])
    let isWritten = try await tested.write { transaction in
      var state = try #require(before.state)
      let entry = state.openVisit(now: Instant(seconds: 9))
      return try transaction.write(PlayerWrite(state: state, entry: entry), of: ada, over: before) != nil
    }
    #expect(!isWritten)
    #expect(try await events(tested, "over") == [2, 1])
  }

  @Test("the linked lists of events are decoded as they were encoded, and truncated bytes are refused")
  func stored() throws {
    var chains = EventChains()
    for number in 0..<Int64(PlayerLimits.eventChainsMax) + 3 { chains.add(number * 1_000 + 1, of: "e\(number)", retained: number + 1) }
    chains.add(1 << 50, of: "e40", retained: 1_000)
    #expect(chains.chains.count == PlayerLimits.eventChainsMax && chains["e0"] == nil && chains["e34"]?.count == 1)
    #expect(chains.bytes.count == chains.bytesCount)
    #expect(try EventChains(bytes: chains.bytes) == chains)
    #expect(try EventChains(bytes: []) == EventChains())
    for count in 2..<28 { #expect(throws: Fault.self) { try EventChains(bytes: chains.bytes.prefix(count)) } }
    #expect(throws: Fault.self) { try EventChains(bytes: [2]) }
    #expect(throws: Fault.self) { try EventChains(bytes: [1, 1, 0x61] + [UInt8](repeating: 0xFF, count: 24)) }
  }
}
