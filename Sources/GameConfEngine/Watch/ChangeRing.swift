// The changes of a game lately, by key: what a watcher that comes back is due.

public import GameConfCore

/// The newest changes of one game. It keeps which keys changed at which revision, for everyone or for one player, and no values.
public struct ChangeRing: Sendable {
  /// The number of changes that are kept.
  public static let changesMax = 1_024
  /// Of how many players one change names the keys; one that touches more counts as touching everything of every player.
  public static let playersNamedMax = 256
  /// The number of keys and players all kept changes name together; the oldest changes go for it, whatever their number.
  public static let namesMax = 65_536

  /// The change of one step.
  public struct Change: Sendable, Hashable {
    /// The game's revision with it.
    public var revision: Int64
    /// The keys it touches for everyone, removed ones included; nil for everything.
    public var keys: Set<String>?
    /// The keys it touches of single players.
    public var players: AffectedPlayers

    /// A change.
    public init(revision: Int64, keys: Set<String>?, players: AffectedPlayers = AffectedPlayers()) {
      self.revision = revision
      self.keys = keys
      self.players = players
    }

    fileprivate var namesCount: Int { (keys?.count ?? 0) + players.namesCount }
  }

  /// The players whose overrides a change touches; of more than ``playersNamedMax`` none is named, so that an import of twenty thousand is not held
  /// for as long as the ring holds the change.
  public struct AffectedPlayers: Sendable, Hashable {
    /// The keys of each player; nil for everything of that player, and for all of them when they are too many to be named.
    private var named: [ByteText: Set<String>?]? = [:]
    fileprivate private(set) var namesCount = 0

    /// Nobody's.
    public init() {}

    /// True if everything of every player is touched: what is added changes nothing.
    public var isAll: Bool { named == nil }

    /// Adds keys of a player; nil for everything of that player.
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

    /// The touched keys of a player; nil for everything.
    fileprivate func keys(of player: ByteText) -> Set<String>? {
      guard let named else { return nil }
      return named[player] ?? []
    }
  }

  /// The changes since a revision.
  public enum PendingChanges: Sendable, Hashable {
    /// These keys may answer otherwise, or are there no more.
    case keys(Set<String>)
    /// More than is known.
    case everything
  }

  /// In the order of their revisions; those before ``first`` are gone, and taken out now and then.
  private var changes: [Change] = []
  private var first = 0
  private var namesCount = 0
  /// Changes up to this revision are not known.
  private var floor: Int64
  /// Changes up to this revision are known.
  private var newest: Int64

  /// A ring that knows nothing of what happened up to a revision.
  public init(from revision: Int64) { (floor, newest) = (revision, revision) }

  /// Adds a change that is not older than those before it.
  public mutating func add(_ change: Change) {
    newest = max(newest, change.revision)
    changes.append(change)
    namesCount += change.namesCount
    while changes.count - first > Self.changesMax || namesCount > Self.namesMax {
      floor = max(floor, changes[first].revision)
      namesCount -= changes[first].namesCount
      changes[first] = Change(revision: changes[first].revision, keys: [])
      first += 1
    }
    if first >= Self.changesMax {
      changes.removeFirst(first)
      first = 0
    }
  }

  /// The changes that a caller who knows everything up to a revision is due at another.
  public func due(since revision: Int64, at present: Int64, player: String?) -> PendingChanges {
    // A change is shown a moment before it is here.
    if revision < floor || present > newest || revision > present { return .everything }
    // A scenario's values are overridden for all of its players under the beginning that their ids share.
    let names = player.map { [$0] + (ScenarioNames.prefix(ofPlayer: $0).map { [$0] } ?? []) }?.map(ByteText.init) ?? []
    var keys: Set<String> = []
    for change in changes[first...].reversed() {
      if change.revision <= revision { break }
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
