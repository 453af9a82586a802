// Every kind of served state: in last-good.json, in a rebuilt database, and for a player who is forgotten.
import GameConfCore
import GameConfEngine
import Testing

@testable import GameConfStorage

@Suite("Kinds of served state")
struct StateKindsTests {
  private static let player = PlayerID(game: "g", player: "p")

  /// A state without an empty member, with the player's part of each kind of players' state.
  private static let full: StoredState = {
    let instant = Instant(seconds: 900)
    let clock = SimulatedClock(anchor: Instant(seconds: 9_000), hostAnchor: instant, rateThousandths: 2_000)
    let template = ActiveTemplate(number: 1, document: Array("{}".utf8), since: instant, template: Template())
    var state = StoredState(revisions: ["g": 9], playerRevisionMax: 4, templates: ["g": template.saved], clocks: ["g": clock])
    state.activations["g"] = template.activation
    (state.epoch, state.catalogDigests["g"], state.hostSeen) = (3, 5, instant)
    for player in [nil, player.player] {
      let slot = OverrideSlot(game: "g", player: player, key: "a")
      let record = OverrideRecord(slot: slot, value: 7, author: Author(uid: 1, name: "ada"), at: instant, revision: 8)
      state.put(KeyOverrides(slot: slot, records: [record]))
    }
    return state
  }()

  /// The members that `last-good.json` does not have, and the reasons.
  private static let notInLastGood = [
    "epoch": "every database has its own", "activations": "made from the templates", "catalogDigests": "catalogs have files of their own",
    "hostSeen": "set by the next write",
  ]

  /// The members that a rebuild does not write, and the reasons.
  private static let notRebuilt = [
    "epoch": "every database has its own", "revisions": "raised when the database is put in place",
    "playerRevisionMax": "raised when the database is put in place", "catalogDigests": "catalogs have files of their own",
    "hostSeen": "set by the next write",
  ]

  private static func lastGood() throws -> StoredState {
    let document = LastGoodDocument.document(of: LastGoodState(savedAt: Instant(seconds: 1_000), state: full))
    return try #require(LastGoodDocument.state(in: document)).state
  }

  @Test("the state of these tests has no empty member")
  func filled() {
    #expect(Self.full.members(differingFrom: StoredState()) == StoredState.members, "add the member to the full state")
  }

  @Test("last-good.json has every member of the stored state, or there is a reason why not")
  func stored() throws {
    let missing = Self.full.members(differingFrom: try Self.lastGood())
    #expect(missing == Set(Self.notInLastGood.keys), "add the kind's lastGood, or say why not")
  }

  @Test("a database that is rebuilt from last-good.json has every member of the stored state, or there is a reason why not")
  func rebuilt() async throws {
    let lastGood = try Self.lastGood()
    let rebuilt = try await StoreUnderTest(.sqlite).write { transaction in
      var rebuilt = StoredState()
      for kind in StateKinds.all { try kind.rebuild(lastGood, in: transaction) }
      for kind in StateKinds.all { try kind.load(into: &rebuilt, from: transaction) }
      return rebuilt
    }
    let missing = Self.full.members(differingFrom: rebuilt).subtracting(Self.notRebuilt.keys)
    #expect(missing.isEmpty, "let the kind's rebuild write it, or say why not")
  }

  @Test("last-good.json is written again after a player is forgotten whose state it contains")
  func forgotten() {
    for kind in StateKinds.ofPlayers {
      var before = Self.full
      // A use case empties the slots before, so only revisions of removed overrides are left.
      before.note(8, at: OverrideSlot(game: "g", player: Self.player.player, key: "b"))
      var after = before
      let change = StoreChange.forgotten(Self.player, [kind.served])
      after.apply(change)
      #expect(after != before, "\(kind): add some of the player to the full state")
      for member in StateKinds.lastGood where member.value(after) != member.value(before) {
        #expect(member.isChanged(change), "the member \(member.name)")
      }
    }
  }

  @Test("forgetting a player of whom only one kind of state is stored is audited")
  func audited() async throws {
    let full = Self.full
    for kind in StateKinds.ofPlayers {
      let host = try HistoryHost("host", HistoryFile(), on: nil)
      let run = try await host.start()
      // The host's files are removed when the host is deallocated.
      defer { withExtendedLifetime(host) { run.close() } }
      try await run.store.write(refusing: HistoryRefusal.self) { try kind.rebuild(full, in: $0) }
      let change = ChangeContext(
        author: Author(uid: 1, name: "ada"), reason: nil, now: Instant(seconds: 1_000), isDryRun: false, isAdmin: true)
      _ = try await run.service.change(Self.player, .forget, change)
      let actions = try await run.store.read { try $0.audits(AuditSelection()) }.map(\.action.rawValue)
      #expect(actions.contains("player.forget"), "count \(kind) in PlayerRemovalOutcome.isKnown")
    }
  }
}
