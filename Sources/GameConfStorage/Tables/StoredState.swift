// The state that answers are served from: the contents of the database, and the changes that could not be stored.
public import GameConfCore

/// The state of every game; players' own state and the audit log are not included.
///
/// ``apply(_:)`` is the one place where a change becomes state: for serving, for `last-good.json`, after a restore, for another host's
/// changes, and while the database is lost. A copy shares its storage with the original, however many overrides there are.
public struct StoredState: Sendable, Hashable {
  /// The store's epoch, a random number. A restore, a rebuild and a detected loss change it. Revisions compare only within one epoch.
  public var epoch: UInt64 = 0
  /// The last revision of each game; a game without revisions has no entry.
  public var revisions: [String: Int64] = [:]
  /// The highest revision of any player. A new player's revision begins above it.
  public var playerRevisionMax: Int64 = 0
  /// The overrides of each game with the revisions of their keys, whether the game is served or not.
  public internal(set) var overrides: [String: OverrideIndex] = [:]
  /// The active template of each game: its document and metadata.
  public var templates: [String: Value] = [:]
  /// The active and the scheduled version of each game's template.
  public var activations: [String: TemplateActivation] = [:]
  /// The digest of the files of each game's newest accepted catalog.
  public var catalogDigests: [String: Int64] = [:]
  /// The clock of each game whose clock was ever set.
  public var clocks: [String: SimulatedClock] = [:]
  /// The latest host time of any write; nil if unknown.
  public var hostSeen: Instant?

  /// Creates a state without overrides, empty by default.
  public init(
    revisions: [String: Int64] = [:], playerRevisionMax: Int64 = 0, templates: [String: Value] = [:], clocks: [String: SimulatedClock] = [:]
  ) {
    self.revisions = revisions
    self.playerRevisionMax = playerRevisionMax
    self.templates = templates
    self.clocks = clocks
  }

  /// Applies the changes of one commit. A precomputed index of overrides replaces the changes of single overrides.
  public mutating func apply(_ changes: some Sequence<StoreChange>) {
    // The revision of each game's precomputed index. The following changes of that revision are already in the index.
    var precomputed: [String: Int64] = [:]
    for change in changes {
      switch change {
      case .precomputed(let before, let after):
        // An index that was precomputed from other overrides than the present ones would undo changes.
        guard overrides(of: after.game).isSame(as: before.overrides) else { continue }
        overrides[after.game] = after.overrides
        precomputed[after.game] = after.revision
      case .overrides(let changed, let revision, _) where precomputed[changed.slot.game] == revision: continue
      case .overridesMany(let many) where many.slots.first.flatMap({ precomputed[$0.slot.game] }) == many.revision: continue
      default: apply(change)
      }
    }
  }

  /// Applies a change. A change of something outside the state has no effect.
  public mutating func apply(_ change: StoreChange) {
    switch change {
    case .overrides(let changed, let revision, _): put(changed, revision: revision)
    case .overridesMany(let many): for changed in many.slots { put(changed, revision: many.revision) }
    case .revision(let game, let revision): revisions[game] = max(revision, revisions[game] ?? 0)
    case .keys(let keys, let game, let revision): for key in keys { note(revision, at: OverrideSlot(game: game, key: key)) }
    case .catalogAccepted(let game, let digest, let keyRevisions):
      catalogDigests[game] = digest
      for (key, revision) in keyRevisions { note(revision, at: OverrideSlot(game: game, key: key)) }
    case .catalogForgotten(let game): catalogDigests[game] = nil
    case .template(let game, let template, let changed, let revision):
      activations[game] = template.activation
      templates[game] = template.saved
      apply(.keys(changed, game: game, revision: revision))
    case .templateStored(let game, let template): templates[game] = template
    case .scheduled(let game, let activation): activations[game] = activation
    case .clock(let game, let clock): clocks[game] = clock
    case .forgotten(let id, let served): for each in served { forget(id, each) }
    case .precomputed, .catalog, .playersForgotten, .player, .play, .event, .audited, .auditedMany, .auditLogReaches, .replaced: break
    }
  }

  /// Replaces the overrides of one key, for the game or for one player.
  /// - Parameter revision: The game's revision of the change; nil if the key's revision is unknown or is recorded later.
  public mutating func put(_ changed: KeyOverrides, revision: Int64? = nil) {
    changeIndex(of: changed.slot.game) { $0.put(changed, revision: revision) }
  }

  /// Records the revision that last changed a key, for the game or for one player.
  public mutating func note(_ revision: Int64, at slot: OverrideSlot) {
    changeIndex(of: slot.game) { $0.note(revision, at: slot) }
  }

  private mutating func forget(_ id: PlayerID, _ served: PlayerServedState) {
    switch served {
    case .overrides: changeIndex(of: id.game) { $0.forget(id.player) }
    }
  }

  private mutating func changeIndex(of game: String, _ body: (inout OverrideIndex) -> Void) {
    body(&overrides[game, default: OverrideIndex()])
    if overrides[game]?.isEmpty ?? false { overrides[game] = nil }
  }

  /// Returns the overrides of a game; an empty index for an unknown game.
  public func overrides(of game: String) -> OverrideIndex { overrides[game] ?? OverrideIndex() }

  /// Returns the overrides of a key, for the game or for one player; nil if there are none.
  public subscript(slot: OverrideSlot) -> KeyOverrides? { overrides[slot.game]?[slot] }

  /// Every override, unordered.
  public var allOverrides: some Sequence<KeyOverrides> { overrides.values.lazy.map(\.all).joined() }

  /// Every override, ordered by its target: game, player and key.
  public var sortedOverrides: [KeyOverrides] {
    overrides.sorted { ByteText($0.key) < ByteText($1.key) }.flatMap(\.value.sorted)
  }

  /// The targets (a key, for the game or for one player) that have overrides or a revision of their own.
  public var slots: some Sequence<OverrideSlot> { overrides.lazy.map { $1.slots(of: $0) }.joined() }

  /// The targets of overrides with a time window, unordered. Only for these targets can a window begin or end.
  public var slotsWithWindows: some Sequence<OverrideSlot> { overrides.values.lazy.map(\.slotsWithWindows).joined() }

  /// Returns the targets of overrides with a time window that has ended, or whose stored state (open or not) is wrong at `now`. They are in
  /// ascending order.
  public func slotsWithEdges(at now: Instant) -> [OverrideSlot] {
    slotsWithWindows.filter { self[$0]?.hasEdgeToApply(at: now) ?? false }.sorted()
  }

  /// Returns the revision that last changed the game-wide value of each key of a game.
  public func keyRevisions(of game: String) -> [String: Int64] {
    Dictionary(uniqueKeysWithValues: overrides(of: game).keyRevisions.map { ($0, $1) })
  }

  /// Returns the revision that last changed a key, for the game or for one player; nil if unknown.
  public func revision(at slot: OverrideSlot) -> Int64? {
    let index = overrides(of: slot.game)
    return ([index.revision(at: slot)] + (index[slot]?.records.map(\.revision) ?? [])).compactMap { $0 }.max()
  }
}

extension KeyOverrides {
  /// True if a time window has ended, or is open or closed and should not be at `now`.
  public func hasEdgeToApply(at now: Instant) -> Bool {
    windows.contains { $0.window.map { $0.until <= now || $0.isOpen != ($0.from <= now) } ?? false }
  }
}
