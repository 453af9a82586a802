// A ring of a game's latest changes by key, from which a reconnecting watcher gets the changes it missed.

public import GameConfCore

/// The newest changes of one game: which keys changed at which revision, for all players or for one, without values.
public struct ChangeRing: Sendable {
  /// The most changes in the ring; beyond this number, the oldest are removed.
  public static let changesMax = 1_024
  /// The most players in one change. A change of more players counts as a change of everything for every player.
  public static let playersNamedMax = 256
  /// The most keys and players in all changes of the ring together; beyond this number, the oldest changes are removed.
  public static let namesMax = 65_536

  /// The keys that changed at one revision, for all players and for single ones.
  public struct RevisionChange: Sendable, Hashable {
    /// The game's revision after the change.
    public var revision: Int64
    /// The keys that changed for all players, including removed ones; nil for everything.
    public var keys: Set<String>?
    /// The keys that changed for single players.
    public var players: AffectedPlayers

    /// Creates a change, by default of no single player.
    public init(revision: Int64, keys: Set<String>?, players: AffectedPlayers = AffectedPlayers()) {
      self.revision = revision
      self.keys = keys
      self.players = players
    }

    fileprivate var namesCount: Int { (keys?.count ?? 0) + players.namesCount }
  }

  /// The players whose overrides changed. If they are more than ``playersNamedMax``, their ids are not stored, so that the ring does not
  /// retain the 20 000 ids of an import.
  public struct AffectedPlayers: Sendable, Hashable {
    /// The changed keys of each player, nil for everything of that player; nil if there are too many players.
    private var named: [ByteText: Set<String>?]? = [:]
    fileprivate private(set) var namesCount = 0

    /// Creates an empty set, for a change of no single player.
    public init() {}

    /// True if everything of every player counts as changed, so that additions have no effect.
    public var isAll: Bool { named == nil }

    /// Adds changed keys of a player; nil for everything of that player.
    public mutating func add(_ keys: Set<String>?, of player: ByteText) {
      guard let known = named?[player] else {
        if named?.count == playersNamedMax { (named, namesCount) = (nil, 0) }
        if named == nil { return }
        named?[player] = .some(keys)
        namesCount += 1 + (keys?.count ?? 0)
        return
      }
      let both = known.flatMap { known in keys.map(known.union) }
      namesCount += (both?.count ?? 0) - (known?.count ?? 0)
      named?[player] = .some(both)
    }

    /// Returns the changed keys of a player; nil for everything.
    fileprivate func keys(of player: ByteText) -> Set<String>? {
      guard let named else { return nil }
      return named[player] ?? []
    }
  }

  /// The keys that a reconnecting watcher must evaluate again; `everything` if the ring lacks a change.
  public enum PendingChanges: Sendable, Hashable {
    /// These keys may have other values, or were removed.
    case keys(Set<String>)
    /// The changes are no longer in the ring, so every key may have another value.
    case everything
  }

  /// The changes in the order of their revisions. Those before the index ``first`` are expired, and are removed in batches.
  private var changes: [RevisionChange] = []
  private var first = 0
  private var namesCount = 0
  /// The revision up to which changes are unknown, because the ring began later or has removed them.
  private var floor: Int64
  /// The revision of the newest change in the ring.
  private var newest: Int64

  /// Creates a ring that begins after a revision.
  public init(from revision: Int64) { (floor, newest) = (revision, revision) }

  /// Adds a change, whose revision must not be lower than those of earlier changes.
  public mutating func add(_ change: RevisionChange) {
    newest = max(newest, change.revision)
    changes.append(change)
    namesCount += change.namesCount
    while changes.count - first > Self.changesMax || namesCount > Self.namesMax {
      floor = max(floor, changes[first].revision)
      namesCount -= changes[first].namesCount
      changes[first] = RevisionChange(revision: changes[first].revision, keys: [])
      first += 1
    }
    if first >= Self.changesMax {
      changes.removeFirst(first)
      first = 0
    }
  }

  /// Returns the changes from one revision to another that concern a player; `.everything` if the ring no longer has all of them.
  public func due(since revision: Int64, at present: Int64, player: String?) -> PendingChanges {
    // An event loop may serve a revision a moment before the revision's change is added to the ring.
    if revision < floor || present > newest || revision > present { return .everything }
    // A scenario's overrides are stored under the prefix of its players' ids.
    let names = player.map { [$0] + (ScenarioNames.prefix(ofPlayer: $0).map { [$0] } ?? []) }?.map(ByteText.init) ?? []
    var keys: Set<String> = []
    for change in changes[first...].reversed() {
      if change.revision <= revision { break }
      // The ring may have a change a moment before the watcher's event loop serves it. The loop sends the change with its next revision.
      if change.revision > present { continue }
      guard let common = change.keys else { return .everything }
      keys.formUnion(common)
      for name in names {
        guard let own = change.players.keys(of: name) else { return .everything }
        keys.formUnion(own)
      }
    }
    return .keys(keys)
  }
}
