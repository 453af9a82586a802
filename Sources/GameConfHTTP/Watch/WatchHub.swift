// Receives each published change of the world, and notifies the event loops whose watchers it concerns.

internal import GameConfCore
package import GameConfEngine
package import GameConfStorage
package import GameConfServer
internal import NIOCore
internal import Synchronization

/// The registry of all watchers. It passes each published change to the event loops whose watchers it concerns.
package final class WatchHub: PublicationObserver {
  private struct State {
    var rings: [String: ChangeRing] = [:]
    var loops: [ObjectIdentifier: NIOLoopBound<WatchLoop>] = [:]
    var admins: [ObjectIdentifier: NIOLoopBound<AdminWatches>] = [:]
    /// The number of event loops that have a watcher of a player, by player.
    var watched: [PlayerID: Int] = [:]
    /// The last published world, and the steps that admins' watchers were notified of.
    var world: World
    var adminRing = AdminRing()
    var epoch: UInt64 { world.epoch }
  }

  /// The cache of recently used players, from which a watcher takes its first state.
  let players: PlayerCache
  /// The memory quota of the plays that watchers refer to.
  let plays = WatchedPlayMemory()
  /// The viewers of live requests, who see the events that watchers are sent; nil in tests without viewers.
  let views: LiveViewers?
  private let clock: any HostClock
  private let limits: ServerLimits
  private let held: Mutex<State>

  /// Creates a registry without watchers. A watcher that resumes from a revision before this world's gets the whole state.
  package init(_ world: World, players: PlayerCache, clock: any HostClock, limits: ServerLimits = ServerLimits(), views: LiveViewers? = nil)
  {
    self.views = views
    self.players = players
    self.clock = clock
    self.limits = limits
    var held = State(world: world)
    for game in world.games { held.rings[game.game] = ChangeRing(from: game.revision) }
    self.held = Mutex(held)
  }

  package var epoch: UInt64 { held.withLock { $0.epoch } }

  /// Returns the maximum number of a user's waiting calls, which equals the user's limit of connections.
  func waitingCallsMax(_ user: UInt32) -> Int { limits.connectionsMax(of: user) }

  /// The last published world, and the ring buffer of steps that admins' watchers were notified of.
  var adminState: (world: World, ring: AdminRing) { held.withLock { ($0.world, $0.adminRing) } }

  /// The watchers of each event loop that has or had a watcher.
  var present: (loops: [NIOLoopBound<WatchLoop>], admins: [NIOLoopBound<AdminWatches>]) {
    held.withLock { (Array($0.loops.values), Array($0.admins.values)) }
  }

  /// Returns the watchers of an event loop. Must be called on that event loop.
  func loop(_ eventLoop: any EventLoop) -> WatchLoop {
    held.withLock { held in
      let id = ObjectIdentifier(eventLoop)
      if let known = held.loops[id] { return known.value }
      let made = WatchLoop(eventLoop, hub: self, clock: clock, epoch: held.epoch)
      held.loops[id] = NIOLoopBound(made, eventLoop: eventLoop)
      return made
    }
  }

  /// Returns the admins' watchers of an event loop. Must be called on that event loop.
  func admins(_ eventLoop: any EventLoop, _ services: DaemonServices) -> AdminWatches {
    held.withLock { held in
      let id = ObjectIdentifier(eventLoop)
      if let known = held.admins[id] { return known.value }
      let made = AdminWatches(self, services, on: eventLoop)
      held.admins[id] = NIOLoopBound(made, eventLoop: eventLoop)
      return made
    }
  }

  /// Answers all waiting calls, so that the daemon can stop without waiting for them.
  package func drain() {
    for each in held.withLock({ Array($0.loops.values) }) { each.eventLoop.execute { each.value.answerWaiting() } }
  }

  /// Notifies admins' watchers of the store's health.
  package func notify(_ health: StoreHealth) {
    let (admins, notice) = held.withLock { held in
      held.adminRing.add(isOfStore: true)
      return (Array(held.admins.values), AdminNotice(step: held.adminRing.step, world: held.world, store: health))
    }
    for each in admins { each.eventLoop.execute { each.value.take(notice) } }
  }

  /// Notifies admins' watchers that the degradations have changed.
  package func noteDegradations() {
    let (admins, notice) = held.withLock { held in
      held.adminRing.add(isOfStore: true)
      return (Array(held.admins.values), AdminNotice(step: held.adminRing.step, world: held.world, isOfDegradations: true))
    }
    for each in admins { each.eventLoop.execute { each.value.take(notice) } }
  }

  /// Returns the newest snapshot of a game for a new watcher, whose request was handled with this snapshot.
  ///
  /// The given snapshot may be old, because the request was handled on another thread or waited for the database. If the event loop had no
  /// watcher of the game, it was not notified of the game's changes since that snapshot. The given snapshot may also be newer than the
  /// published one, because event loops serve a world before watchers are notified of it. If the event loop still knows another epoch, the
  /// published snapshot is returned. The event loop is then notified of the new epoch next.
  func newest(_ snapshot: GameSnapshot, _ epoch: UInt64) -> GameSnapshot {
    held.withLock { held in
      guard let current = held.world[snapshot.game] else { return snapshot }
      return held.epoch == epoch && current.revision < snapshot.revision ? snapshot : current
    }
  }

  /// Returns the keys that changed since a revision that the client knows.
  func due(since revision: Int64, at present: Int64, in game: String, player: String?) -> ChangeRing.PendingChanges {
    held.withLock { $0.rings[game]?.due(since: revision, at: present, player: player) ?? .everything }
  }

  /// The players with at least one watcher on some event loop.
  package var watchedPlayers: [PlayerID] { held.withLock { Array($0.watched.keys) } }

  /// Registers an event loop that is to be notified of a player's changes.
  func watch(_ id: PlayerID) { held.withLock { $0.watched[id, default: 0] += 1 } }

  /// Removes one registration that ``watch(_:)`` has made.
  func unwatch(_ id: PlayerID) {
    held.withLock { held in
      let left = (held.watched[id] ?? 0) - 1
      held.watched[id] = left > 0 ? left : nil
    }
  }

  /// Records the changed keys, and notifies the event loops whose watchers the changes concern.
  package func receive(_ published: WorldStep) {
    let games = published.games
    var notice = WatchNotice(epoch: published.world.epoch)
    notice.isReplaced = published.isReplaced
    notice.games = games.compactMap(\.after)
    notice.goneGames = games.filter { $0.after == nil }.map(\.game)
    let (loops, admins, step) = held.withLock { held in
      let isOther = held.epoch != published.world.epoch
      held.world = published.world
      if !games.isEmpty { held.adminRing.add(games: games.map(\.game)) }
      note(games, published, isOther: isOther, in: &held)
      notice.concern(published.batch, watched: held.watched)
      let hasChanges = isOther || notice.hasChanges
      return (hasChanges ? Array(held.loops.values) : [], Array(held.admins.values), held.adminRing.step)
    }
    let lines = admins.isEmpty ? [] : Array(published.lines)
    let logReaches = admins.isEmpty ? nil : published.auditLogReaches
    if !lines.isEmpty || logReaches != nil || (!admins.isEmpty && !games.isEmpty) {
      let notice = AdminNotice(
        step: step, world: published.world, games: notice.games, goneGames: notice.goneGames, lines: lines, logReaches: logReaches)
      for each in admins { each.eventLoop.execute { each.value.take(notice) } }
    }
    for each in loops { each.eventLoop.execute { [notice] in each.value.take(notice) } }
  }

  private func note(_ games: [GameChange], _ published: WorldStep, isOther: Bool, in held: inout State) {
    var own: [String: ChangeRing.AffectedPlayers] = [:]
    var affected: [String: [String: Set<String>]] = [:]
    for change in published.batch?.changes ?? [] {
      switch change {
      case .overrides(let overrides, _, _):
        let (name, key) = (overrides.slot.game, overrides.slot.key)
        guard let player = overrides.slot.player.map(ByteText.init), let game = published.world[name] else { continue }
        let keys = affected[name]?[key] ?? game.table.affected(by: [key])
        affected[name, default: [:]][key] = keys
        own[name, default: ChangeRing.AffectedPlayers()].add(keys, of: player)
      case .overridesMany(let many):
        guard let name = many.slots.first?.slot.game, let game = published.world[name] else { continue }
        var touched = own.removeValue(forKey: name) ?? ChangeRing.AffectedPlayers()
        for overrides in many.slots where !touched.isAll {
          guard let player = overrides.slot.player.map(ByteText.init) else { continue }
          let key = overrides.slot.key
          let keys = affected[name]?[key] ?? game.table.affected(by: [key])
          affected[name, default: [:]][key] = keys
          touched.add(keys, of: player)
        }
        own[name] = touched
      case .forgotten(let id, _): own[id.game, default: ChangeRing.AffectedPlayers()].add(nil, of: ByteText(id.player))
      default: break
      }
    }
    for change in games {
      guard let after = change.after else {
        held.rings[change.game] = nil
        continue
      }
      guard !isOther, !published.isReplaced, let before = change.before else {
        held.rings[change.game] = ChangeRing(from: after.revision)
        continue
      }
      if before.revision == after.revision { continue }
      held.rings[change.game, default: ChangeRing(from: before.revision)].add(
        ChangeRing.RevisionChange(
          revision: after.revision, keys: Set(change.touched).union(change.removed),
          players: own[change.game] ?? ChangeRing.AffectedPlayers()))
    }
  }
}

extension WatchNotice {
  fileprivate var hasChanges: Bool {
    !games.isEmpty || !goneGames.isEmpty || !players.isEmpty || !playerRevisions.isEmpty || isReplaced
  }

  /// Adds those changes of a committed batch that concern watched players.
  fileprivate mutating func concern(_ batch: CommittedBatch?, watched: [PlayerID: Int]) {
    guard let batch, !watched.isEmpty else { return }
    for change in batch.changes {
      switch change {
      case .player(let id, let stored): if watched[id] != nil { players.append((id, stored)) }
      case .overrides(let overrides, _, let revision?):
        guard let player = overrides.slot.player else { continue }
        let id = PlayerID(game: overrides.slot.game, player: player)
        if watched[id] != nil { playerRevisions.append((id, revision)) }
      case .overridesMany(let many):
        guard let game = many.slots.first?.slot.game else { continue }
        for (player, revision) in zip(many.players, many.playerRevisions) {
          let id = PlayerID(game: game, player: player)
          if watched[id] != nil { playerRevisions.append((id, revision)) }
        }
      default: break
      }
    }
  }
}
