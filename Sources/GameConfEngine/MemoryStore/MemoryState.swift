// Everything a store holds, as one value: the store in memory, and what a lost database still serves.
public import GameConfCore

/// A store's tables as a value; a copy of it is a savepoint.
public struct MemoryState: Sendable {
  /// For how many overrides room is kept when there are fewer.
  private static let roomKept = 1_024

  /// The store's epoch; what is not read from a store begins one of its own.
  public var epoch = UInt64.random(in: .min ... .max)
  /// The last revision of each game.
  public var revisions: [String: Int64] = [:]
  /// The revision that last changed each slot.
  public var slotRevisions: [OverrideSlot: Int64] = [:]
  /// Which files the catalog of each game was accepted from.
  public var catalogDigests: [String: Int64] = [:]
  /// The newest acceptances of each game's catalog, the oldest first.
  public var catalogs: [String: [StoredCatalog]] = [:]
  /// What was taken back of each game's catalogs.
  public var revertedDigests: [String: Int64] = [:]
  /// The last revision of each player.
  public var playerRevisions: [PlayerID: Int64] = [:]
  /// The least revision a player without one begins after.
  public var playerRevisionFloor: Int64 = 0
  /// What is forced, by slot; no slot is empty.
  public private(set) var overrides: [OverrideSlot: KeyOverrides] = [:]
  /// The slots that have windows.
  public private(set) var slotsWithWindows: Set<OverrideSlot> = []
  /// The template in force of each game, as it is kept beside the store.
  public var templates: [String: Value] = [:]
  /// Every version of each game's template, the oldest first.
  public var templateVersions: [String: [StoredTemplate]] = [:]
  /// What of them is in force, and what is to be.
  public var activations: [String: TemplateActivation] = [:]
  /// The audit log, by rising id.
  public var audits: [AuditRecord] = []
  /// The keys of lines that are about many, by the lines' ids.
  var auditKeys: [Int64: Set<String>] = [:]
  /// The last id of the audit log.
  public var lastAudit: Int64 = 0
  /// Answers given, by request.
  public var answers: [RepeatID: MemoryAnswer] = [:]
  /// The requests in ``answers``, the oldest first.
  public var answersOrder: [RepeatID] = []
  /// How much time was seen passing, in milliseconds.
  public var seenMilliseconds: Int64 = 0
  /// The latest instant of the host's clock that something was written at.
  public var hostSeen: Instant?

  /// The games' streams, the oldest line first.
  public var stream: [MemoryLine] = []
  /// The number of the last line.
  public var lastLine: Int64 = 0
  /// The number of the newest line that is kept no longer.
  public var streamTail: Int64 = 0
  /// The rows of leaderboards, by list and player.
  public var boards: [BoardList: [ByteText: BoardRow]] = [:]

  /// The scenarios in force, by id.
  public var scenarios: [String: StoredScenario] = [:]
  /// The plays of each player, the oldest first.
  public var plays: [PlayerID: [StoredPlay]] = [:]
  /// The states of plays that have one, by the plays' ids.
  public var playStates: [String: [UInt8]] = [:]
  /// The values of plays by digest: as they are kept, who pinned them first, and how many plays have them.
  public var pinned: [String: (bytes: [UInt8], uid: UInt32, uses: Int)] = [:]
  /// Players of whom something is stored.
  public var players: [PlayerID: MemoryPlayer] = [:]
  /// Revisions of players who were forgotten.
  public var forgotten: [PlayerID: Int64] = [:]
  /// The clock of each game that was ever set.
  public var clocks: [String: SimulatedClock] = [:]

  /// Empty tables.
  public init() {}

  /// Tables that hold a last good state.
  public init(_ state: LastGoodState) {
    revisions = state.revisions
    playerRevisionFloor = state.playerRevisionMax
    templates = state.templates
    clocks = state.clocks
    let slots = Dictionary(grouping: state.overrides, by: \.slot)
    for (slot, records) in slots { put(KeyOverrides(slot: slot, records: records)) }
  }

  /// The highest revision of any player.
  public var playerRevisionMax: Int64 {
    max(playerRevisions.values.reduce(playerRevisionFloor, max), forgotten.values.max() ?? 0)
  }

  /// Applies a change of what is served; others change nothing here.
  /// - Parameter leavesOverrides: True if the caller puts the overrides later.
  public mutating func apply(_ change: StoreChange, leavingOverrides leavesOverrides: Bool = false) {
    func take(_ overrides: KeyOverrides, _ revision: Int64, in state: inout MemoryState) {
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
    case .foreseen, .catalog, .player, .play, .event, .audited, .auditedMany, .auditLogReaches, .replaced: break
    }
  }

  /// Replaces what is forced at a slot.
  public mutating func put(_ changed: KeyOverrides) {
    overrides[changed.slot] = changed.isEmpty ? nil : changed
    if changed.windows.isEmpty { slotsWithWindows.remove(changed.slot) } else { slotsWithWindows.insert(changed.slot) }
    if changed.isEmpty { compact() }
  }

  /// Takes what is forced from other tables, and leaves them what was forced here.
  public mutating func exchangeOverrides(with other: inout MemoryState) {
    swap(&overrides, &other.overrides)
    swap(&slotsWithWindows, &other.slotsWithWindows)
  }

  /// Gives back the room of many overrides that are no more, which a dictionary keeps.
  private mutating func compact() {
    // Built anew: a filter that keeps everything gives back the same storage.
    if overrides.capacity > Self.roomKept, overrides.count < overrides.capacity / 8 {
      overrides = Dictionary(uniqueKeysWithValues: overrides.map { ($0.key, $0.value) })
    }
    if slotsWithWindows.capacity > Self.roomKept, slotsWithWindows.count < slotsWithWindows.capacity / 8 {
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

  /// What of it must be served when everything else is lost.
  public func lastGood(savedAt: Instant) -> LastGoodState {
    LastGoodState(
      savedAt: savedAt, revisions: revisions, playerRevisionMax: playerRevisionMax,
      overrides: overrides.values.sorted { $0.slot < $1.slot }.flatMap(\.records), templates: templates,
      clocks: clocks)
  }

  /// What of it must be in memory to serve.
  public func contents(_ origin: StoreContents.Origin) -> StoreContents {
    var contents = StoreContents(origin: origin, revisions: revisions, templates: templates, clocks: clocks)
    contents.epoch = epoch
    contents.overrides = overrides.values.sorted { $0.slot < $1.slot }
    contents.catalogDigests = catalogDigests
    contents.activations = activations
    contents.hostSeen = hostSeen
    for (slot, revision) in slotRevisions {
      if slot.player == nil {
        contents.keyRevisions[slot.game, default: [:]][slot.key] = revision
      } else {
        contents.playerSlotRevisions[slot] = revision
      }
    }
    return contents
  }
}

extension KeyOverrides {
  /// Whether one of the windows is open that should not be, or the other way round.
  public func hasEdgeToApply(at now: Instant) -> Bool {
    windows.contains { $0.window.map { $0.until <= now || $0.isOpen != ($0.from <= now) } ?? false }
  }
}

/// An answer that is remembered.
public struct MemoryAnswer: Sendable {
  /// The answer.
  public var answer: RememberedAnswer
  /// Whose request it was.
  public var uid: UInt32
  /// How much time had been seen passing.
  public var seenMilliseconds: Int64
}
