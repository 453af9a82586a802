// The in-memory index of one game's overrides, game-wide and by player.

public import GameConfCore
public import HashTreeCollections
internal import Synchronization

/// Every override of a game, indexed by key and player. Player ids are compared by their bytes.
///
/// The trees are persistent: a change copies the path to the changed node and shares the rest, instead of copying 20,000 overrides.
public struct OverrideIndex: Sendable {
  /// A player's overrides in a game, whether in force or not.
  public struct PlayerOverrides: Sendable, Hashable {
    /// The player's permanent overrides and windows, by key.
    public internal(set) var slots: [String: KeyOverrides] = [:]
    /// The player's override values that are in force, by key.
    public internal(set) var values: [String: Value] = [:]
    /// The game's revision that last changed this player's override at each key, retained after the override is removed.
    public internal(set) var revisions: [String: Int64] = [:]
  }

  /// The number of changes of all indexes so far, from which a changed index takes its number. Two indexes with the same number have the
  /// same contents.
  private static let numbers = Atomic<UInt64>(0)

  /// The overrides for the whole game, by key.
  public private(set) var game: TreeDictionary<String, KeyOverrides> = [:]
  /// The revision that last changed the game-wide value of each key. A key without an entry has the revision of its game.
  public private(set) var keyRevisions: TreeDictionary<String, Int64> = [:]
  /// The overrides of each player who has or had one, by the bytes of the player's id.
  public private(set) var players: TreeDictionary<ByteText, PlayerOverrides> = [:]
  /// The targets (a key, for the game or for one player) of overrides with a time window. Only for these targets can a window begin or end.
  public private(set) var slotsWithWindows: TreeSet<OverrideSlot> = []
  private var playersByKey: TreeDictionary<String, Int> = [:]
  private var number: UInt64 = 0
  /// The number of revisions that are retained for keys of players whose override of the key was removed.
  private var revisionsOfRemoved = 0

  /// Creates an index without overrides.
  public init() {}

  /// True if neither index has changed since one was copied from the other. Equal contents alone do not suffice.
  package func isSame(as other: OverrideIndex) -> Bool { number == other.number }

  /// The overrides of a key, for this game or for one player; nil if there are none.
  public subscript(slot: OverrideSlot) -> KeyOverrides? {
    if let player = slot.player { players[ByteText(player)]?.slots[slot.key] } else { game[slot.key] }
  }

  /// Returns the revision that last changed a key, for the game or for one player; nil if unknown.
  public func revision(at slot: OverrideSlot) -> Int64? {
    if let player = slot.player { players[ByteText(player)]?.revisions[slot.key] } else { keyRevisions[slot.key] }
  }

  /// True if the index has neither overrides nor revisions.
  var isEmpty: Bool { game.isEmpty && players.isEmpty && keyRevisions.isEmpty }

  /// Every override, unordered.
  public var all: some Sequence<KeyOverrides> { [game.values.map { $0 }, players.values.flatMap(\.slots.values)].joined() }

  /// Every override, ordered by its target: the game's before the players', then by player and key. Only ids and keys are compared and
  /// moved, because the last good state has up to 20,000 overrides and is saved after each change.
  var sorted: [KeyOverrides] {
    let ofGame = game.keys.map(ByteText.init).sorted().compactMap { game[$0.text] }
    let ofPlayers = players.keys.sorted().flatMap { id in
      let slots = players[id]?.slots ?? [:]
      return slots.keys.map(ByteText.init).sorted().compactMap { slots[$0.text] }
    }
    return ofGame + ofPlayers
  }

  /// Returns the targets (a key, for the game or for one player) that have overrides or a revision, unordered.
  func slots(of name: String) -> some Sequence<OverrideSlot> {
    let ofGame = Set(game.keys).union(keyRevisions.keys).map { OverrideSlot(game: name, key: $0) }
    let ofPlayers = players.flatMap { id, player in
      Set(player.slots.keys).union(player.revisions.keys).map { OverrideSlot(game: name, player: id.text, key: $0) }
    }
    return [ofGame, ofPlayers].joined()
  }

  /// Returns a player's overrides; empty if there are none. The overrides of a scenario are stored under the prefix that its players' ids
  /// share, and a player's own overrides take precedence over them.
  public func player(_ player: String) -> PlayerOverrides {
    let own = players[ByteText(player)] ?? PlayerOverrides()
    guard let shared = ScenarioNames.prefix(ofPlayer: player), let ofAll = players[ByteText(shared)] else { return own }
    return own.over(ofAll)
  }

  /// True if any player has a value in force at a key.
  public func hasPlayerValue(at key: String) -> Bool { (playersByKey[key] ?? 0) > 0 }

  /// The numbers of overrides, windows included: game-wide, of players, and in quarantine.
  public private(set) var counts = OverrideCounts()

  /// Replaces the overrides of a key, for this game or for one player.
  /// - Parameter revision: The game's revision of the change. If nil, the game-wide revision of the key stays, and the player's revision of
  ///   the key becomes the highest one of the overrides.
  package mutating func put(_ overrides: KeyOverrides, revision: Int64?) {
    number = Self.numbers.add(1, ordering: .relaxed).newValue
    let key = overrides.slot.key
    if !overrides.windows.isEmpty {
      slotsWithWindows.insert(overrides.slot)
    } else if !slotsWithWindows.isEmpty {
      slotsWithWindows.remove(overrides.slot)
    }
    guard let id = overrides.slot.player.map(ByteText.init) else {
      counts.change(from: game[key], to: overrides)
      game[key] = overrides.isEmpty ? nil : overrides
      if let revision { keyRevisions[key] = revision }
      return
    }
    let revision = revision ?? overrides.records.map(\.revision).max() ?? 0
    var player = players[id] ?? PlayerOverrides()
    counts.change(from: player.slots[key], to: overrides)
    let had = player.values[key] != nil
    let wasBare = player.isBare(key)
    player.slots[key] = overrides.isEmpty ? nil : overrides
    player.values[key] = overrides.inForce?.value
    player.revisions[key] = revision
    player.compact()
    let has = player.values[key] != nil
    if had != has {
      let count = (playersByKey[key] ?? 0) + (has ? 1 : -1)
      playersByKey[key] = count > 0 ? count : nil
    }
    revisionsOfRemoved += (player.isBare(key) ? 1 : 0) - (wasBare ? 1 : 0)
    players[id] = player
    if revisionsOfRemoved > StoreLimits.revisionsOfRemovedMax { forgetOldRevisions() }
  }

  /// Records the revision that last changed a key, for the game or for one player. For a player, a newer recorded revision stays.
  mutating func note(_ revision: Int64, at slot: OverrideSlot) {
    number = Self.numbers.add(1, ordering: .relaxed).newValue
    guard let id = slot.player.map(ByteText.init) else { return keyRevisions[slot.key] = revision }
    var player = players[id] ?? PlayerOverrides()
    guard revision > player.revisions[slot.key] ?? 0 else { return }
    if player.revisions.updateValue(revision, forKey: slot.key) == nil, player.isBare(slot.key) { revisionsOfRemoved += 1 }
    players[id] = player
    if revisionsOfRemoved > StoreLimits.revisionsOfRemovedMax { forgetOldRevisions() }
  }

  /// Removes the revisions of a forgotten player's keys that have no override.
  ///
  /// The player then gets the keys' game-wide revisions, which the removal of the player's overrides has raised.
  mutating func forget(_ player: String) {
    let id = ByteText(player)
    guard var known = players[id] else { return }
    number = Self.numbers.add(1, ordering: .relaxed).newValue
    let standing = known.revisions.filter { !known.isBare($0.key) }
    revisionsOfRemoved -= known.revisions.count - standing.count
    known.revisions = standing
    known.compact()
    players[id] = known.slots.isEmpty ? nil : known
  }

  /// Evicts the older half of the revisions of removed overrides, so that evictions are rare.
  private mutating func forgetOldRevisions() {
    let bare = players.flatMap { id, player in player.revisions.filter { player.isBare($0.key) }.map { (id, $0.key, $0.value) } }
    for (id, key, _) in bare.sorted(by: { $0.2 < $1.2 }).prefix(bare.count / 2) {
      guard var player = players[id] else { continue }
      player.revisions[key] = nil
      players[id] = player.revisions.isEmpty ? nil : player
      revisionsOfRemoved -= 1
    }
  }
}

extension OverrideIndex: Hashable {
  /// Compares the contents only if `isSame(as:)` is false.
  public static func == (left: OverrideIndex, right: OverrideIndex) -> Bool {
    left.isSame(as: right) || (left.game == right.game && left.keyRevisions == right.keyRevisions && left.players == right.players)
  }

  /// Hashes the number of overrides and the game's own revisions.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(counts)
    hasher.combine(keyRevisions)
  }
}

extension OverrideIndex.PlayerOverrides {
  /// Returns these overrides merged over those of all players of a scenario.
  fileprivate func over(_ shared: OverrideIndex.PlayerOverrides) -> OverrideIndex.PlayerOverrides {
    var both = shared
    both.slots.merge(slots) { $1 }
    both.values.merge(values) { $1 }
    both.revisions.merge(revisions) { max($0, $1) }
    return both
  }

  /// Frees the memory of empty dictionaries, which otherwise keep their capacity (20 MB for 20,000 players).
  fileprivate mutating func compact() {
    if slots.isEmpty { slots = [:] }
    if values.isEmpty { values = [:] }
    if revisions.isEmpty { revisions = [:] }
  }

  /// True if the key has a revision but no override.
  fileprivate func isBare(_ key: String) -> Bool { revisions[key] != nil && slots[key] == nil }
}

/// Numbers of overrides, windows included.
public struct OverrideCounts: Sendable, Hashable {
  /// The number of game-wide overrides.
  public private(set) var game = 0
  /// The number of overrides for single players.
  public private(set) var players = 0
  /// The number of quarantined overrides, both game-wide and players'.
  public private(set) var quarantined = 0

  mutating func change(from old: KeyOverrides?, to new: KeyOverrides) {
    let before = old?.records ?? []
    let after = new.records
    if new.slot.player == nil { game += after.count - before.count } else { players += after.count - before.count }
    quarantined += after.count { $0.quarantined != nil } - before.count { $0.quarantined != nil }
  }
}
