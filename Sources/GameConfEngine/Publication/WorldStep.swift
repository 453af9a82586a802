// The contents of a publication: the committed batch, and the games, keys and players it touches.

internal import GameConfCore
public import GameConfStorage

/// One step of the daemon's state that every reader sees by now.
public struct WorldStep: Sendable {
  /// The committed batch; nil when the world changed without a commit, as when a catalog's file turns out to be bad.
  public let batch: CommittedBatch?
  /// The world before it.
  public let before: World
  /// The world with it.
  public let world: World

  /// A step.
  public init(_ batch: CommittedBatch?, before: World, world: World) {
    self.batch = batch
    self.before = before
    self.world = world
  }

  /// The games that are another snapshot now, by id.
  public var games: [GameChange] {
    var changes: [GameChange] = []
    for game in world.games where before[game.game] !== game {
      changes.append(GameChange(before: before[game.game], after: game))
    }
    for game in before.games where world[game.game] == nil { changes.append(GameChange(before: game, after: nil)) }
    return changes
  }

  /// The lines written to the audit log, those marked as reverted included.
  public var lines: [AuditRecord] {
    var lines: [AuditRecord] = []
    for change in batch?.changes ?? [] {
      switch change {
      case .audited(let line): lines.append(line)
      case .auditedMany(let many): lines += many
      default: break
      }
    }
    return lines
  }

  /// The id up to which the audit log has lines, where the batch says so: those of other hosts are read from the log.
  public var auditLogReaches: Int64? {
    var newest: Int64?
    for case .auditLogReaches(let id) in batch?.changes ?? [] { newest = id }
    return newest
  }

  /// True if the whole database was replaced: what was known of players counts no more.
  public var isReplaced: Bool {
    batch?.changes.contains { if case .replaced = $0 { true } else { false } } ?? false
  }
}

/// A game before and after a step.
public struct GameChange: Sendable {
  /// The game before; nil when it was not served.
  public let before: GameSnapshot?
  /// The game after; nil when it is served no more.
  public let after: GameSnapshot?

  /// A game's step.
  public init(before: GameSnapshot?, after: GameSnapshot?) {
    self.before = before
    self.after = after
  }

  /// The game's id.
  public var game: String { after?.game ?? before?.game ?? "" }

  /// The keys of which a game-wide layer, or whether players have overrides of it, may have changed, in the catalog's order; with another
  /// catalog or clock every key that may answer otherwise.
  public var touched: [String] {
    guard let after else { return [] }
    guard let before else { return after.catalog.parameters.map(\.key) }
    let isSameClock = before.clock == after.clock
    if before.table.isSameCatalog(as: after.table) {
      return after.table.entries.indices.filter { at in
        let entry = after.table.entries[at]
        return entry !== before.table.entries[at] || (!isSameClock && entry.variation.contains(.clock))
      }.map { after.table.entries[$0].parameter.key }
    }
    return after.table.entries.filter { entry in
      guard let old = before.table.entry(entry.parameter.key) else { return true }
      return old.parameter != entry.parameter || old.layers != entry.layers || old.variation != entry.variation || !isSameClock
    }.map(\.parameter.key)
  }

  /// The keys the game has no more.
  public var removed: [String] {
    guard let before else { return [] }
    guard let after else { return before.catalog.parameters.map(\.key) }
    if before.table.isSameCatalog(as: after.table) { return [] }
    return before.catalog.parameters.map(\.key).filter { after.table.entry($0) == nil }
  }
}
