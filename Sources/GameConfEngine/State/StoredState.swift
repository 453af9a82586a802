// The state that every answer is made of, as the database has it.
public import GameConfCore

/// The sum of the committed changes of every game, players' own state and the audit log aside.
///
/// ``apply(_:leavingOverrides:)`` is the one place where a change becomes state: for what is served, for `last-good.json`, after a restore, for what
/// another host has changed, and while the database is lost.
public struct StoredState: Sendable, Hashable {
  /// The number of overrides for which capacity is kept when there are fewer.
  private static let capacityKept = 1_024

  /// The store's epoch: random, and another after a restore, a rebuild and a loss that was found. Revisions compare only within one.
  public var epoch: UInt64 = 0
  /// The last revision of each game; a game without one has none yet.
  public var revisions: [String: Int64] = [:]
  /// The revision that last changed a slot. A slot that is not here has the newest revision of its overrides, a game-wide one that of its game.
  public var slotRevisions: [OverrideSlot: Int64] = [:]
  /// The highest revision of any player: a player without a revision begins above it.
  public var playerRevisionMax: Int64 = 0
  /// Every override, by slot; no slot is empty.
  public private(set) var overrides: [OverrideSlot: KeyOverrides] = [:]
  /// The slots that have windows.
  public private(set) var slotsWithWindows: Set<OverrideSlot> = []
  /// The template in force of each game, as its document and what is known about it.
  public var templates: [String: Value] = [:]
  /// The versions of each game's template that are in force and that come into force later.
  public var activations: [String: TemplateActivation] = [:]
  /// The digest of the files that each game's catalog was accepted from at its newest revision.
  public var catalogDigests: [String: Int64] = [:]
  /// The clock of each game that was ever set.
  public var clocks: [String: SimulatedClock] = [:]
  /// The latest instant that the host's clock showed when something was written; nil if that is not known.
  public var hostSeen: Instant?

  /// A state without overrides; nothing is in it by default.
  public init(
    revisions: [String: Int64] = [:], playerRevisionMax: Int64 = 0, templates: [String: Value] = [:], clocks: [String: SimulatedClock] = [:]
  ) {
    self.revisions = revisions
    self.playerRevisionMax = playerRevisionMax
    self.templates = templates
    self.clocks = clocks
  }

  /// Applies a change of what is served; others change nothing here.
  /// - Parameter leavesOverrides: True if the caller puts the overrides later.
  public mutating func apply(_ change: StoreChange, leavingOverrides leavesOverrides: Bool = false) {
    func take(_ overrides: KeyOverrides, _ revision: Int64, in state: inout StoredState) {
      if !leavesOverrides { state.put(overrides) }
      if overrides.slot.player == nil { state.slotRevisions[overrides.slot] = revision }
    }
    switch change {
    case .overrides(let overrides, let revision, _): take(overrides, revision, in: &self)
    case .overridesMany(let many): for overrides in many.slots { take(overrides, many.revision, in: &self) }
    case .revision(let game, let revision): revisions[game] = max(revision, revisions[game] ?? 0)
    case .keys(let keys, let game, let revision): for key in keys { slotRevisions[OverrideSlot(game: game, key: key)] = revision }
    case .catalogAccepted(let game, let digest, let keyRevisions):
      catalogDigests[game] = digest
      for (key, revision) in keyRevisions { slotRevisions[OverrideSlot(game: game, key: key)] = revision }
    case .catalogForgotten(let game): catalogDigests[game] = nil
    case .template(let game, let template, let changed, let revision):
      activations[game] = template.activation
      templates[game] = template.kept
      apply(.keys(changed, game: game, revision: revision))
    case .scheduled(let game, let activation): activations[game] = activation
    case .clock(let game, let clock): clocks[game] = clock
    case .forgotten(let id): forgetSlotRevisions(of: id)
    case .precomputed, .catalog, .player, .play, .event, .audited, .auditedMany, .auditLogReaches, .replaced: break
    }
  }

  /// Replaces what is forced at a slot.
  public mutating func put(_ changed: KeyOverrides) {
    overrides[changed.slot] = changed.isEmpty ? nil : changed
    if changed.windows.isEmpty { slotsWithWindows.remove(changed.slot) } else { slotsWithWindows.insert(changed.slot) }
    if changed.isEmpty { compact() }
  }

  /// Exchanges the overrides with those of another state.
  public mutating func exchangeOverrides(with other: inout StoredState) {
    swap(&overrides, &other.overrides)
    swap(&slotsWithWindows, &other.slotsWithWindows)
  }

  /// Gives back the room of many overrides that are no more, which a dictionary keeps.
  private mutating func compact() {
    // Built again, since a filter that keeps everything returns the same storage.
    if overrides.capacity > Self.capacityKept, overrides.count < overrides.capacity / 8 {
      overrides = Dictionary(uniqueKeysWithValues: overrides.map { ($0.key, $0.value) })
    }
    if slotsWithWindows.capacity > Self.capacityKept, slotsWithWindows.count < slotsWithWindows.capacity / 8 {
      slotsWithWindows = Set(Array(slotsWithWindows))
    }
  }

  /// Forgets which revisions last changed a player's slots.
  public mutating func forgetSlotRevisions(of id: PlayerID) {
    for slot in slotRevisions.keys where slot.game == id.game && slot.isOf(player: id.player) { slotRevisions[slot] = nil }
  }

  /// The slots that have an edge to apply.
  public func slotsWithEdges(at now: Instant) -> [OverrideSlot] {
    slotsWithWindows.filter { overrides[$0]?.hasEdgeToApply(at: now) ?? false }.sorted()
  }

  /// The overrides in the order of their slots.
  public var sortedOverrides: [KeyOverrides] { overrides.values.sorted { $0.slot < $1.slot } }

  /// The revision that last changed the game-wide answers at each key of a game.
  public func keyRevisions(of game: String) -> [String: Int64] {
    var revisions: [String: Int64] = [:]
    for (slot, revision) in slotRevisions where slot.player == nil && slot.game == game { revisions[slot.key] = revision }
    return revisions
  }
}

extension KeyOverrides {
  /// True if a window is open that should not be, or closed that should be open.
  public func hasEdgeToApply(at now: Instant) -> Bool {
    windows.contains { $0.window.map { $0.until <= now || $0.isOpen != ($0.from <= now) } ?? false }
  }
}
