// Everything the store in memory holds, as one value.
public import GameConfCore

/// A store's tables as a value; a copy of it is a savepoint.
public struct MemoryState: Sendable {
  /// What is served.
  public var stored: StoredState
  /// The newest acceptances of each game's catalog, the oldest first.
  public var catalogs: [String: [StoredCatalog]] = [:]
  /// What was taken back of each game's catalogs.
  public var revertedDigests: [String: Int64] = [:]
  /// The last revision of each player.
  public var playerRevisions: [PlayerID: Int64] = [:]
  /// Every version of each game's template, the oldest first.
  public var templateVersions: [String: [StoredTemplate]] = [:]
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

  /// Tables in which nothing is but what is served.
  public init(_ stored: StoredState = StoredState()) { self.stored = stored }

  /// The highest revision of any player.
  public var playerRevisionMax: Int64 {
    max(playerRevisions.values.reduce(stored.playerRevisionMax, max), forgotten.values.max() ?? 0)
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
