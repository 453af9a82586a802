// The revisions in a store's memory after a player is forgotten.
import GameConfCore
import GameConfStorage
import TestStore
import Testing

@Suite("Revisions of forgotten players")
struct ForgottenRevisionTests {
  /// Forgets a player together with the override of that slot.
  private static func forget(_ id: PlayerID, _ slot: OverrideSlot, in transaction: WriteTransaction) throws {
    let revision = try transaction.nextRevision(of: id.game)
    try transaction.put(
      KeyOverrides(slot: slot), revision: revision, playerRevision: try transaction.nextPlayerRevision(id.player, in: id.game))
    _ = try transaction.forget(id, by: .forget)
  }

  @Test("revisions that were read at start are removed with the player, unless the transaction fails")
  func served() async throws {
    let fixture = try DiskFixture()
    let slots = ["p1", "p2"].map { OverrideSlot(game: "g", player: $0, key: "time") }
    for slot in slots { try await fixture.open().force(3, slot.key, player: slot.player) }
    let store = try fixture.open()
    #expect(try await store.contents().state.slotRevisions == [slots[0]: 1, slots[1]: 2])
    let id = PlayerID(game: "g", player: "p1")
    await #expect(throws: TestRefusal.no(1)) {
      try await store.write(refusing: TestRefusal.self) { transaction in
        try Self.forget(id, slots[0], in: transaction)
        throw TestRefusal.no(1)
      }
    }
    #expect(try await store.contents().state.slotRevisions.count == 2)
    try await store.write(refusing: TestRefusal.self) { try Self.forget(id, slots[0], in: $0) }
    #expect(try await store.contents().state.slotRevisions == [slots[1]: 2])
    #expect(try await fixture.open().contents().state.slotRevisions == [slots[1]: 2])
  }
}
