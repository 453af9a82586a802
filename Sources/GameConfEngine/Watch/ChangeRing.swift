// What has changed in a game lately, by key: what a watcher that comes back is due.

public import GameConfCore

/// The newest changes of one game. It keeps which keys changed at which revision, for everyone or for one player, and no values.
public struct ChangeRing: Sendable {
  /// How many changes are kept.
  public static let changesMax = 1_024
  /// Of how many players one change names the keys; one that touches more counts as touching everything of every player.
  public static let playersNamedMax = 256

  /// What one step changed.
  public struct Change: Sendable, Hashable {
    /// The game's revision with it.
    public var revision: Int64
    /// The keys it touches for everyone, removed ones included; nil for everything.
    public var keys: Set<String>?
    /// The keys it touches of single players; nil for everything of that player.
    public var players: [ByteText: Set<String>?]

    /// A change.
    public init(revision: Int64, keys: Set<String>?, players: [ByteText: Set<String>?] = [:]) {
      self.revision = revision
      self.keys = keys
      self.players = players
    }
  }

  /// What has changed since a revision.
  public enum Due: Sendable, Hashable {
    /// These keys may answer otherwise, or are there no more.
    case keys(Set<String>)
    /// More than is known.
    case everything
  }

  /// In the order of their revisions, the oldest at ``first``; a ring once it is full.
  private var changes: [Change] = []
  private var first = 0
  /// Changes up to this revision are not known.
  private var floor: Int64
  /// Changes up to this revision are known.
  private var newest: Int64

  /// A ring that knows nothing of what happened up to a revision.
  public init(from revision: Int64) { (floor, newest) = (revision, revision) }

  /// Adds a change that is not older than those before it.
  public mutating func add(_ change: Change) {
    newest = max(newest, change.revision)
    if changes.count < Self.changesMax {
      changes.append(change)
    } else {
      floor = max(floor, changes[first].revision)
      changes[first] = change
      first = (first + 1) % Self.changesMax
    }
  }

  /// What a caller who knows everything up to a revision is due at another.
  public func due(since revision: Int64, at present: Int64, player: String?) -> Due {
    // A change is shown a moment before it is here.
    if revision < floor || present > newest || revision > present { return .everything }
    // What is forced for all players of a scenario stands under the beginning that their ids share.
    let names = [player, player.flatMap(ScenarioNames.prefix(ofPlayer:))].compactMap { $0.map(ByteText.init) }
    var keys: Set<String> = []
    for place in stride(from: changes.count - 1, through: 0, by: -1) {
      let change = changes[(first + place) % changes.count]
      if change.revision <= revision { break }
      guard let common = change.keys else { return .everything }
      keys.formUnion(common)
      if names.isEmpty { continue }
      if change.players.count > Self.playersNamedMax { return .everything }
      for name in names {
        guard let own = change.players[name] else { continue }
        guard let own else { return .everything }
        keys.formUnion(own)
      }
    }
    return .keys(keys)
  }
}
