// Random histories: after every event, a watcher's state equals the state that a read returns.
import GameConfCore
import GameConfEngine
import GameConfStorage
import TestSupport
import Testing

@Suite("Watchers over random histories")
struct WatchModelTests {
  /// The state that a client has built from events alone.
  private struct ClientState {
    var values: [String: EvaluatedValue] = [:]
    var clocks: (SimulatedClock, PlayerClock)?
    var themes: [WatchedPlayerPart.WatchedTheme]?
    var held: [ActiveEntitlement]?
    var ads: [WatchedPlayerPart.WatchedAdStatus]?

    mutating func take(_ difference: WatchDifference) {
      for value in difference.values { values[value.key] = value }
      for key in difference.removed { values[key] = nil }
      if let themes = difference.themes { self.themes = themes }
      if let part = difference.entitlements { held = part.held }
      if let ads = difference.ads { self.ads = ads }
    }
  }

  /// A watcher's cursor in the daemon, with the state of the watcher's client.
  private final class Client {
    let scope: WatchScope
    var cursor: WatchCursor
    var belief = ClientState()

    init(_ scope: WatchScope, _ state: WatchedState) {
      self.scope = scope
      cursor = WatchCursor(scope, sent: state, WatchedSnapshot(state.game))
      belief.take(scope.everything(of: state))
      belief.clocks = (state.game.clock, state.player?.clock ?? .game)
    }

    /// Applies a patch to the client's state. The header of an image, with the clocks, is part of every patch.
    private func take(_ difference: WatchDifference, _ state: WatchedState) {
      belief.take(difference)
      if !difference.isEmpty { belief.clocks = (state.game.clock, state.player?.clock ?? .game) }
    }

    /// Moves the watcher to the present state, and checks that an event which is sent contains a change.
    func move(_ game: GameSnapshot, _ player: StoredPlayer?, _ host: Instant) {
      let state = cursor.next(game, player: player, host: host)
      let step = WatchStep(from: cursor.sent.game, to: WatchedSnapshot(game))
      let before = cursor.position(epoch: 1)
      switch cursor.move(to: state, by: step, scope) {
      case .nothing: break
      case .shared: take(step.shared(scope.selection), state)
      case .own(let difference):
        #expect(!difference.isEmpty)
        #expect(cursor.position(epoch: 1) != before)
        take(difference, state)
      }
    }

    /// True if the client's state equals the state that a read returns.
    func agrees(with state: WatchedState) -> Bool {
      let view = state.view(of: scope.context)
      let seen = state.evaluation(for: scope.context, view)
      var count = 0
      for (at, entry) in state.game.table.entries.enumerated() where scope.selection.shows(entry.parameter) {
        guard let answer = seen.answer(at: at), let known = belief.values[entry.parameter.key] else { return false }
        if known.value != answer.value || known.layer != answer.layer { return false }
        if scope.selection.isWhole, known.resolution != answer.resolution || known.revision != answer.revision { return false }
        count += 1
      }
      guard count == belief.values.count else { return false }
      if scope.selection.isWhole, let clocks = belief.clocks, clocks != (state.game.clock, state.player?.clock ?? .game) { return false }
      guard let part = view.map(WatchedPlayerPart.init) else { return belief.themes == nil && belief.held == nil }
      return belief.themes == part.themes && belief.held == part.held && belief.ads == part.ads
    }
  }

  @Test(
    "a watcher that receives some or all changes, or reconnects with its last event's id, has the state that a read returns",
    arguments: TestLength.seeds(of: 1...12 as ClosedRange<UInt64>))
  func histories(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let fixture = PlayerFixture(Self.catalog)
    var ring = ChangeRing(from: 0)
    func game() throws -> GameSnapshot { try #require(fixture.live.present.world["g"]) }
    func player(_ id: String?) async throws -> StoredPlayer? {
      guard let id else { return nil }
      return try await fixture.recent.read(PlayerFixture.id(id))
    }
    var clients: [Client] = []
    for id in [nil, "p1", "p2"] as [String?] {
      let context = EvaluationContext(player: id)
      for selection in [WatchSelection(), WatchSelection(isWhole: true), WatchSelection(keys: ["every", "forest_at", "selected_theme"])] {
        clients.append(
          Client(WatchScope(context, selection), WatchedState(try game(), player: try await player(id), host: fixture.host)))
      }
    }
    // A watcher with a play sees the pinned values, and otherwise the values that everyone sees.
    let play = WatchScope(EvaluationContext(player: "p1", play: Self.play(at: fixture.host)))
    clients.append(Client(play, WatchedState(try game(), player: try await player("p1"), host: fixture.host)))
    for _ in 0..<60 {
      let before = try game()
      let players = try await act(fixture, &random)
      let after = try game()
      if before.revision != after.revision {
        ring.add(
          ChangeRing.RevisionChange(
            revision: after.revision, keys: Set(GameChange(before: before, after: after).touched), players: players))
      }
      // A restarted daemon has no earlier changes to send. Its epoch is still the store's.
      if Int.random(in: 0..<12, using: &random) == 0 { ring = ChangeRing(from: after.revision) }
      for client in clients where Int.random(in: 0..<3, using: &random) > 0 {
        let stored = try await player(client.scope.context.player)
        if Int.random(in: 0..<6, using: &random) == 0 {
          comeBack(client, WatchedState(after, player: stored, host: fixture.host), ring)
        } else {
          client.move(after, stored, fixture.host)
        }
        #expect(client.agrees(with: client.cursor.sent), "seed \(seed)")
      }
    }
    for client in clients {
      client.move(try game(), try await player(client.scope.context.player), fixture.host)
      #expect(client.agrees(with: client.cursor.sent))
    }
  }

  @Test("a caller that is shown one revision does not receive changes of later revisions")
  func later() {
    var ring = ChangeRing(from: 1)
    for (revision, key) in [(2, "a"), (3, "b")] { ring.add(ChangeRing.RevisionChange(revision: Int64(revision), keys: [key])) }
    #expect(ring.due(since: 1, at: 1, player: nil) == .keys([]))
    #expect(ring.due(since: 1, at: 2, player: nil) == .keys(["a"]))
    #expect(ring.due(since: 2, at: 2, player: "p") == .keys([]))
    #expect(ring.due(since: 1, at: 3, player: nil) == .keys(["a", "b"]))
  }

  /// Reconnects a client with the id of its last event.
  private func comeBack(_ client: Client, _ state: WatchedState, _ ring: ChangeRing) {
    let position = client.cursor.position(epoch: 1)
    let due = ring.due(since: position.revision, at: state.game.revision, player: client.scope.context.player)
    client.cursor = WatchCursor(client.scope, sent: state, WatchedSnapshot(state.game))
    client.belief.clocks = (state.game.clock, state.player?.clock ?? .game)
    guard case .keys(let keys) = due, let difference = client.scope.resumption(from: position, to: state, epoch: 1, keys: keys) else {
      client.belief = ClientState()
      return client.belief.take(client.scope.everything(of: state))
    }
    client.belief.take(difference)
  }

  /// Performs a random act of a game or an admin.
  /// - Returns: The players whose keys the act overrides.
  private func act(_ fixture: PlayerFixture, _ random: inout SeededGenerator) async throws -> ChangeRing.AffectedPlayers {
    let player = ["p1", "p2"].randomElement(using: &random) ?? "p1"
    switch Int.random(in: 0..<17, using: &random) {
    case 0: try await fixture.force(.integer(.random(in: 1...90, using: &random)), "forest_at")
    case 1: try? await fixture.unforce("forest_at")
    case 2:
      try await fixture.force(.integer(.random(in: 1...4, using: &random)), "every", player: player)
      return touching(["every"], player)
    case 3:
      try? await fixture.unforce("every", player: player)
      return touching(["every"], player)
    case 4: _ = try? await fixture.gameOver(.integer(.random(in: 1...30, using: &random)), player)
    case 5:
      _ = try? await fixture.choose(
        ["neon", "forest", "dark"].randomElement(using: &random).map { .string($0) }, for: "selected_theme", player)
    case 6: _ = try? await fixture.choose(nil, for: "selected_theme", player)
    case 7: _ = try? await fixture.choose(.bool(.random(using: &random)), for: "dark_mode", player)
    case 8: try await fixture.force(.string(["neon", "ocean"].randomElement(using: &random) ?? "neon"), "default_theme")
    case 9:
      _ = try? await fixture.service.change(PlayerFixture.id(player), .forget, fixture.change("gone", admin: true))
      return touching(nil, player)
    case 10:
      _ = try? await fixture.service.change(
        PlayerFixture.id(player), .moveClock(.offset(milliseconds: .random(in: 0...200_000_000, using: &random))),
        fixture.change("ahead", admin: true))
    case 11:
      let move = GameClockMove(.milliseconds(.random(in: 1...200_000_000, using: &random)))
      _ = try? await fixture.service.setClock(of: "g", move, fixture.context)
    case 12, 13: try? await fixture.force(.integer(.random(in: 4...5, using: &random)), "grid_side")
    case 14: try? await fixture.unforce("grid_side")
    default: fixture.wait(seconds: .random(in: 1...40_000, using: &random))
    }
    return ChangeRing.AffectedPlayers()
  }

  private func touching(_ keys: Set<String>?, _ player: String) -> ChangeRing.AffectedPlayers {
    var touched = ChangeRing.AffectedPlayers()
    touched.add(keys, of: ByteText(player))
    return touched
  }

  /// Returns a play with three pinned keys: admins override one for the game, one for the player, and one not at all.
  private static func play(at host: Instant) -> PinnedPlay {
    let pinned = [("grid_side", 3), ("every", 7), ("order_length_min", 4)].map { key, number in
      PinnedValue(key: key, type: .integer, value: .integer(number), layer: .catalogDefault)
    }
    let play = StoredPlay(id: "play", openedAt: host, revision: 0, keysCount: pinned.count, digest: "d", bytesCount: 1, uid: 1000)
    return PinnedPlay(player: PlayerFixture.id("p1"), play: play, values: PinnedValues(pinned, locales: ["en"]))
  }

  /// The fixture's game with a key that depends on time: a hash of the day.
  private static var catalog: Catalog {
    var catalog = Catalog.dots
    catalog.parameters.append(
      Parameter(key: "daily", type: .string, defaultValue: .dailyHash(salt: "s"), section: "S", description: "D"))
    return catalog
  }
}
