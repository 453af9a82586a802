// What a store on disk keeps in memory of a player who is forgotten.
import GameConfCore
import GameConfEngine
import GameConfStorage
import TestStore
import Testing

@Suite("Revisions of forgotten players")
struct ForgottenRevisionTests {
  @Test("those that were read at start go with the player, unless the turn does not come to its end")
  func served() async throws {
    let fixture = try DiskFixture()
    let slots = ["p1", "p2"].map { OverrideSlot(game: "g", player: $0, key: "time") }
    for slot in slots { try await fixture.open().force(3, slot.key, player: slot.player) }
    let store = try fixture.open()
    #expect(try await store.contents().state.slotRevisions == [slots[0]: 1, slots[1]: 2])
    let id = PlayerID(game: "g", player: "p1")
    await #expect(throws: TestRefusal.no(1)) {
      try await store.write(refusing: TestRefusal.self) { transaction in
        _ = try transaction.forget(id)
        throw TestRefusal.no(1)
      }
    }
    #expect(try await store.contents().state.slotRevisions.count == 2)
    _ = try await store.write(refusing: TestRefusal.self) { try $0.forget(id) }
    #expect(try await store.contents().state.slotRevisions == [slots[1]: 2])
    #expect(try await fixture.open().contents().state.slotRevisions == [slots[1]: 2])
  }
}
