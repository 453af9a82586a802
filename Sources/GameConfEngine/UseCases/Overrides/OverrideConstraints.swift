// Checks a change of overrides against the game's constraints, now and at every later beginning or end of a time window.
import GameConfCore
import GameConfStorage

/// A check that refuses a change of overrides if it violates a constraint which held before the change.
struct OverrideConstraints {
  /// The database transaction that reads the stored overrides, before or after the changes are written.
  let view: ReadTransaction
  let checking: any OverrideChecking
  let game: String
  let now: Instant
  let changes: [OverrideEdit.SlotChange]

  init(view: ReadTransaction, checking: any OverrideChecking, game: String, now: Instant, changes: [OverrideEdit.SlotChange]) {
    self.view = view
    self.checking = checking
    self.game = game
    self.now = now
    self.changes = changes
  }

  init(edit: OverrideEdit, changes: [OverrideEdit.SlotChange]) {
    self.init(view: edit.transaction, checking: edit.checking, game: edit.game, now: edit.context.now, changes: changes)
  }

  /// - Returns: The number of examined overrides. It grows linearly with the number of changed and of constrained overrides.
  /// - Throws: `.constraint` with the violated constraints at the first instant that has any.
  @discardableResult
  func run() throws -> Int {
    guard let bound = boundKeys() else { return 0 }
    // The changes are grouped by player once, because a search for each player's changes would be quadratic in an import's rows.
    let changed = Dictionary(grouping: changes) { $0.after.slot.player.map(ByteText.init) }
    let players = changed.keys.compactMap { $0 }.sorted()
    var wide = ConstrainedOverrides(
      stored: try view.overrides(in: game, OverrideSelection(.game, keys: bound.keys)), changed: changed[nil] ?? [])
    wide.edges = wide.after.flatMap { $0.edges(after: now) }
    var looks = changes.count + wide.after.count
    var (after, before) = (FaultFinderCache(checking, game), FaultFinderCache(checking, game))
    if changed[nil] != nil { try check(game: wide, player: ConstrainedOverrides(), name: nil, &after, &before) }
    let stored = try stored(of: players, at: bound)
    for player in players {
      let own = ConstrainedOverrides(stored: try stored(player), changed: changed[player] ?? [])
      looks += own.after.count + own.before.count
      try check(game: wide, player: own, name: player.text, &after, &before)
    }
    return looks
  }

  /// The overrides of the constrained keys before and after the change, of the game or of one player.
  private struct ConstrainedOverrides {
    var before: [KeyOverrides] = []
    var after: [KeyOverrides] = []
    /// The instants after the change at which a game-wide window begins or ends.
    var edges: [Instant] = []

    init() {}

    init(stored: [KeyOverrides], changed: [OverrideEdit.SlotChange]) {
      let slots = Set(changed.map(\.after.slot))
      let others = stored.filter { !slots.contains($0.slot) }
      before = others + changed.map(\.before)
      after = others + changed.map(\.after)
    }
  }

  private struct ConstrainedKeys {
    var keys: Set<String>?
  }

  private func boundKeys() -> ConstrainedKeys? {
    var keys: Set<String> = []
    for key in Set(changes.map(\.after.slot.key)) {
      guard let bound = checking.keys(boundWith: key, in: game) else { return ConstrainedKeys(keys: nil) }
      keys.formUnion(bound)
    }
    return keys.isEmpty ? nil : ConstrainedKeys(keys: keys)
  }

  /// The most players whose overrides are read one by one. For more players, one query reads all players' overrides of the constrained
  /// keys.
  private static let singleReadsMax = 64

  private func stored(of players: [ByteText], at bound: ConstrainedKeys) throws -> (ByteText) throws -> [KeyOverrides] {
    guard players.count > Self.singleReadsMax else {
      return { try view.overrides(in: game, OverrideSelection(.player($0.text), keys: bound.keys)) }
    }
    let all = try view.overrides(in: game, OverrideSelection(.players, keys: bound.keys))
    let byPlayer = Dictionary(grouping: all) { ByteText($0.slot.player ?? "") }
    return { byPlayer[$0] ?? [] }
  }

  private func check(
    game: ConstrainedOverrides, player: ConstrainedOverrides, name: String?, _ after: inout FaultFinderCache,
    _ before: inout FaultFinderCache
  ) throws {
    let edges = game.edges + player.after.flatMap { $0.edges(after: now) }
    for instant in [now] + Set(edges).sorted() {
      let faults = after.find(for: name, Self.values(player.after, at: instant), at: instant) { Self.values(game.after, at: instant) }
      if faults.isEmpty { continue }
      let earlier = before.find(for: name, Self.values(player.before, at: instant), at: instant) { Self.values(game.before, at: instant) }
      let fresh = faults.filter { fault in !earlier.contains { $0.id == fault.id } }
      if !fresh.isEmpty { throw ChangeRefusal.constraint(fresh.byCause, at: instant == now ? nil : instant) }
    }
  }

  /// A cache of the functions that find violated constraints, by instant. All players use the same functions, because these depend only on
  /// the game-wide overrides.
  private struct FaultFinderCache {
    let checking: any OverrideChecking
    let game: String
    private var made: [Instant: CachedFinder] = [:]

    /// Wraps a function. Each access to a dictionary of bare functions adds a reabstraction thunk, so after 20,000 players a call would
    /// pass through 40,000 thunks on the stack.
    private struct CachedFinder {
      let find: FaultFinder
    }

    init(_ checking: any OverrideChecking, _ game: String) {
      self.checking = checking
      self.game = game
    }

    mutating func find(
      for player: String?, _ own: [String: Value], at instant: Instant, over gameWide: () -> [String: Value]
    ) -> [ConstraintFault] {
      if let known = made[instant] { return known.find(player, own) }
      let fresh = CachedFinder(find: checking.finder(in: game, over: gameWide(), at: instant))
      made[instant] = fresh
      return fresh.find(player, own)
    }
  }

  static func values(_ overrides: [KeyOverrides], at instant: Instant) -> [String: Value] {
    var values: [String: Value] = [:]
    for each in overrides { values[each.slot.key] = each.inForce(at: instant)?.value }
    return values
  }
}
