// The table of revisions: of games, of keys, of players. None ever falls or repeats.
public import GameConfCore

/// Reads revisions.
public protocol RevisionReading {
  /// The game's last revision; 0 before its first.
  func revision(of game: String) throws(StoreError) -> Int64
  /// The last revision of every game that ever had one.
  func revisions() throws(StoreError) -> [String: Int64]
  /// The revision that last changed a slot: for the game-wide slot any game-wide layer of its key, for a player's the override. Nil before
  /// the first; kept after an unset. Never less than the revision of an override that stands there.
  func revision(at slot: OverrideSlot) throws(StoreError) -> Int64?
  /// The revisions of the game-wide slots, by key.
  func keyRevisions(of game: String) throws(StoreError) -> [String: Int64]
  /// The player's last revision; 0 before the first.
  func playerRevision(_ player: String, in game: String) throws(StoreError) -> Int64
}

/// Raises revisions.
public protocol RevisionWriting: RevisionReading {
  /// Raises the game's revision by one, and publishes ``StoreChange/revision(game:revision:)``.
  func nextRevision(of game: String) throws(StoreError) -> Int64
  /// Notes that a revision changed the game-wide answers at keys, and publishes ``StoreChange/keys(_:game:revision:)``.
  func setRevision(_ revision: Int64, at keys: Set<String>, of game: String) throws(StoreError)
  /// Raises the player's revision by one.
  func nextPlayerRevision(_ player: String, in game: String) throws(StoreError) -> Int64
  /// The same for many players, of whom none is named twice.
  /// - Returns: their revisions, in order.
  func nextPlayerRevisions(_ players: [String], in game: String) throws(StoreError) -> [Int64]
}

extension RevisionWriting {
  /// One after the other.
  public func nextPlayerRevisions(_ players: [String], in game: String) throws(StoreError) -> [Int64] {
    var revisions: [Int64] = []
    for player in players { revisions.append(try nextPlayerRevision(player, in: game)) }
    return revisions
  }
}
