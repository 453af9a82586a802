// Another host's templates and forgotten players arrive as single changes instead of a whole state.
import GameConfCore
import Synchronization
import Testing

@testable import GameConfStorage

/// Collects the changes that a host has published.
private final class ReceivedChanges: Sendable {
  private let held = Mutex<[StoreChange]>([])

  var parts: HistoryParts {
    var parts = HistoryParts()
    parts.publication = { [self] publication, _, _ in
      { [self] batch in
        held.withLock { $0 += batch.changes }
        return publication(batch)
      }
    }
    return parts
  }

  /// Returns the changes since the last call, and removes them.
  func take() -> [StoreChange] {
    held.withLock { held in
      defer { held = [] }
      return held
    }
  }
}

extension StoreChange {
  fileprivate var isReplaced: Bool { if case .replaced = self { true } else { false } }
}

extension FleetTests {
  /// Runs a body with two hosts, of which the second reads the first's changes only on request.
  private func pair(_ received: ReceivedChanges, _ body: (HistoryRun, HistoryRun, _ catchUp: () async throws -> Void) async throws -> Void)
    async throws
  {
    var deaf = settings
    deaf.listens = false
    let file = HistoryFile()
    let (one, other) = (try HistoryHost("one", file, on: deaf), try HistoryHost("other", file, on: deaf, received.parts))
    let (oneRun, otherRun) = (try await one.start(), try await other.start())
    defer {
      oneRun.close()
      otherRun.close()
    }
    func catchUp() async throws {
      try await one.catchUp(oneRun)
      try await other.catchUp(otherRun)
    }
    try await otherRun.follow()
    _ = received.take()
    try await body(oneRun, otherRun, catchUp)
  }

  private func expectSame(_ one: HistoryRun, _ other: HistoryRun, now: Int64) {
    #expect(HistoryWorld.lines(one.live.present.world, now: now) == HistoryWorld.lines(other.live.present.world, now: now))
  }

  @Test("another host's push, schedule, activation and rollback of a template each arrive as a change of the template's keys")
  func templates() async throws {
    let received = ReceivedChanges()
    let model = HistoryModel()
    try await pair(received) { one, other, catchUp in
      try await one.perform(.set(HistorySlot(player: nil, key: "c"), 4))
      try await one.perform(.push(["a": 8, "c": 9], after: nil))
      try await catchUp()
      #expect(other.live.present.world["g"]?.template?.number == 1)
      expectSame(one, other, now: model.now)
      try await one.perform(.push(["b": 9], after: 30))
      try await catchUp()
      #expect(other.live.present.world["g"]?.scheduledTemplate?.scheduled == 2)
      expectSame(one, other, now: model.now)
      try await one.applyDue(now: model.now + 40)
      try await catchUp()
      #expect(other.live.present.world["g"]?.template?.number == 2)
      expectSame(one, other, now: model.now)
      // Two pushes between two polls, and an override of a key that is in both templates.
      try await one.perform(.activate(1))
      try await one.perform(.push(["a": 7, "d": 3], after: nil))
      try await one.perform(.set(HistorySlot(player: nil, key: "a"), 5))
      try await catchUp()
      expectSame(one, other, now: model.now)
      #expect(received.take().allSatisfy { !$0.isReplaced })
    }
  }

  @Test("when another host forgets or resets a player, this host forgets that player's state and no other player's")
  func forgets() async throws {
    let received = ReceivedChanges()
    let model = HistoryModel()
    try await pair(received) { one, other, catchUp in
      for player in HistoryGenerator.players {
        for key in ["a", "b"] { try await one.perform(.set(HistorySlot(player: player, key: key), 4)) }
        try await one.perform(.remove(HistorySlot(player: player, key: "b")))
        try await one.perform(.visit(player))
      }
      try await catchUp()
      _ = received.take()
      let steps: [(HistoryStep, String)] = [(.forget("p1"), "p1"), (.reset("p2"), "p2")]
      for (step, player) in steps {
        try await one.perform(step)
        // A player who returns before the other host polls is a new player.
        try await one.perform(.set(HistorySlot(player: player, key: "b"), 6))
        try await catchUp()
        expectSame(one, other, now: model.now)
        let changes = received.take()
        #expect(changes.allSatisfy { !$0.isReplaced })
        #expect(changes.contains { if case .playersForgotten("g") = $0 { true } else { false } })
        let forgotten = changes.compactMap { if case .forgotten(let id, _) = $0 { id.player } else { nil } }
        #expect(forgotten == [player])
        let emptied = changes.compactMap { if case .overrides(let overrides, _, _) = $0, overrides.isEmpty { overrides.slot } else { nil } }
        #expect(emptied.filter { $0.player != nil } == [HistorySlot(player: player, key: "a").slot])
        let served = other.live.present.world["g"]?.overrides.player(player).values
        #expect(served == ["b": 6])
      }
      #expect(try await other.store.contents().state.sortedOverrides.count == 3)
    }
  }
}
