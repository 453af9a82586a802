// One step of a publication: the committed batch with the affected games, keys and players.

internal import GameConfCore
public import GameConfStorage

/// A step from one world (the snapshot of all games) to the next, which every reader has by now.
public struct WorldStep: Sendable {
  /// The committed batch; nil if the world changed without a commit, for example when a catalog's file becomes invalid.
  public let batch: CommittedBatch?
  /// The world that readers saw before the step.
  public let before: World
  /// The world that readers see after the step.
  public let world: World
  /// The games whose snapshots changed, by id.
  public let games: [GameChange]

  /// Creates a step; `batch` is nil for a change without a commit.
  public init(_ batch: CommittedBatch?, before: World, world: World) {
    self.batch = batch
    self.before = before
    self.world = world
    var changes: [GameChange] = []
    for game in world.games where before[game.game] !== game {
      changes.append(GameChange(before: before[game.game], after: game))
    }
    for game in before.games where world[game.game] == nil { changes.append(GameChange(before: game, after: nil)) }
    games = changes
  }

  /// Creates the step of a batch that changes no game, such as one of players' events.
  init(_ batch: CommittedBatch, within world: World) { (self.batch, before, self.world, games) = (batch, world, world, []) }

  /// The rows of the audit log that the batch has written, including rows that it has marked as reverted. They are made while the sequence
  /// is read, because a large change has 20,000 of them.
  public var lines: some Sequence<AuditRecord> {
    (batch?.changes ?? []).lazy.flatMap { change -> AuditLines in
      switch change {
      case .audited(let line): [line]
      case .auditedMany(let many): many
      default: []
      }
    }
  }

  /// The newest id in the audit log; nil if the batch does not name it. Rows up to it that other hosts wrote must be read from the log.
  public var auditLogReaches: Int64? {
    var newest: Int64?
    for case .auditLogReaches(let id) in batch?.changes ?? [] { newest = id }
    return newest
  }

  /// True if the whole database was replaced, so that cached players are invalid.
  public var isReplaced: Bool {
    batch?.changes.contains { if case .replaced = $0 { true } else { false } } ?? false
  }
}

/// A game before and after a step.
public struct GameChange: Sendable {
  /// The game before the step; nil if it was not served.
  public let before: GameSnapshot?
  /// The game after the step; nil if it is no longer served.
  public let after: GameSnapshot?

  /// Creates a change; `before` is nil for a new game, `after` for a removed one.
  public init(before: GameSnapshot?, after: GameSnapshot?) {
    self.before = before
    self.after = after
  }

  /// The game's id; empty only if both snapshots are nil.
  public var game: String { after?.game ?? before?.game ?? "" }

  /// The keys whose game-wide layers may have changed, or that players may have begun or ceased to override, in the catalog's order. If the
  /// step changes the catalog or the clock, every key whose value may differ.
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

  /// The keys that the game had before the step and no longer has.
  public var removed: [String] {
    guard let before else { return [] }
    guard let after else { return before.catalog.parameters.map(\.key) }
    if before.table.isSameCatalog(as: after.table) { return [] }
    return before.catalog.parameters.map(\.key).filter { after.table.entry($0) == nil }
  }
}
