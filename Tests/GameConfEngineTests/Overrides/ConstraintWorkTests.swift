// The amount of work of a constraint check when many overrides change together, counted instead of timed.
import GameConfCore
import Synchronization
import TestStore
import Testing

@testable import GameConfEngine
import GameConfStorage

/// An ``OverrideChecking`` that counts how often the game-wide state is prepared and how many players are checked.
private final class CountingChecking: OverrideChecking {
  private let table = TableChecking()
  private let counts = Mutex((finders: 0, players: 0))
  private let places = Mutex((lowest: UInt.max, highest: UInt.min))

  var finders: Int { counts.withLock { $0.finders } }
  var players: Int { counts.withLock { $0.players } }
  /// The distance between the highest and the lowest stack frame of the checks, in bytes.
  var stackBytes: Int { places.withLock { Int($0.highest - $0.lowest) } }

  func has(game: String) -> Bool { table.has(game: game) }
  func nearestNames(toUnknown key: String, in game: String) -> [String]? { table.nearestNames(toUnknown: key, in: game) }
  func keys(boundWith key: String, in game: String) -> Set<String>? { table.keys(boundWith: key, in: game) }
  func admit(_ value: Value, for key: String, player: String?, in game: String) throws(ChangeRefusal) -> Value {
    try table.admit(value, for: key, player: player, in: game)
  }
  func faults(in game: String, values: OverriddenValues, player: String?, at instant: Instant) -> [ConstraintFault] {
    counts.withLock { $0.players += 1 }
    var here = 0
    let place = withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    places.withLock { $0 = (min($0.lowest, place), max($0.highest, place)) }
    return table.faults(in: game, values: values, player: player, at: instant)
  }
  func finder(in game: String, over gameWide: [String: Value], at instant: Instant) -> FaultFinder {
    counts.withLock { $0.finders += 1 }
    return { player, own in self.faults(in: game, values: OverriddenValues(game: gameWide, player: own), player: player, at: instant) }
  }
}

@Suite("The work of checking constraints")
struct ConstraintWorkTests {
  /// Returns the number of lookups in a check of changes of this many players.
  private func looks(_ players: Int, clearing: Bool = false) async throws -> (looks: Int, checking: CountingChecking) {
    let checking = CountingChecking()
    let looks = try await MemoryStore().write(refusing: ChangeRefusal.self) { transaction in
      let edit = try OverrideEdit(transaction, checking, game: "g", OverrideFixture.context())
      let changes = (0..<players).map { number in
        let slot = OverrideFixture.slot("low", player: "p\(number)")
        var filled = KeyOverrides(slot: slot)
        filled.setPermanent(edit.record(5, at: slot, revision: 1))
        let bare = KeyOverrides(slot: slot)
        return OverrideEdit.SlotChange(
          before: clearing ? filled : bare, after: clearing ? bare : filled, action: clearing ? .overrideCleared : .overrideImported)
      }
      try transaction.put(changes.map { ChangedOverrides($0.after) }, revision: 1)
      return try OverrideConstraints(edit: edit, changes: changes).run()
    }
    return (looks, checking)
  }

  @Test("the work grows linearly with the number of players whose overrides change", arguments: [false, true])
  func linear(clearing: Bool) async throws {
    let hundred = try await looks(100, clearing: clearing)
    let thousand = try await looks(1_000, clearing: clearing)
    #expect(hundred.looks >= 200)
    #expect(thousand.looks <= 11 * hundred.looks)
    #expect(thousand.checking.players == 1_000)
    #expect(thousand.checking.finders == 1)
  }

  @Test("the check of the thousandth player needs no deeper stack than that of the first", arguments: [false, true])
  func direct(clearing: Bool) async throws {
    let checking = try await looks(1_000, clearing: clearing).checking
    // The states before and after the change are checked at two call sites, so the depth differs a little.
    #expect(checking.stackBytes < 8_192)
  }

  @Test("if few players change, each player's overrides are read alone, with few lookups")
  func few() async throws {
    let one = try await looks(1)
    #expect(one.looks <= 3 && one.checking.players == 1)
  }
}
