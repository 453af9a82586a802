// Replaces a player's data by another player's, or by an exported file.
public import GameConfCore
public import GameConfStorage

/// The stored data of a player, in a form that can be written to another player.
public struct PlayerContent: Sendable {
  /// Scores, counters, settings, context and ads; nil for a player without them.
  public var state: PlayerState?
  /// The simulated purchases; nil for a player without any.
  public var ledger: Ledger?
  /// The offset of the player's clock from the game's.
  public var clock = PlayerClock.game
  /// The lines of the player's history, oldest first.
  public var lines: [HistoryEntry] = []

  /// Creates the content of a new player.
  public init() {}
}

/// The outcome of copying a player: the number of copied items of each kind, and the data that was removed before.
public struct PlayerCopyOutcome: Sendable {
  /// The data of the target player that was removed before the copy.
  public var removed: PlayerResetOutcome
  /// The number of the player's history lines after the copy.
  public var historyEntries: Int
  /// The number of copied settings.
  public var settings: Int
  /// The number of copied store transactions.
  public var transactions: Int
}

extension PlayerAct<PlayerCopyOutcome> {
  /// Replaces a player's stored data by another's: scores, counters, history, settings, context, ads, purchases, the behaviour of the
  /// simulated store, and the clock.
  ///
  /// The player is first reset as by ``PlayerAct/reset``, which removes overrides and therefore changes the game. Best scores, leaderboard
  /// rows, plays and the positions of clients' queues are not copied, because they belong to the other player's devices.
  /// - Parameter source: The player whose data is copied, for the audit log; nil if it comes from a file.
  public static func copy(_ content: PlayerContent, from source: String?) -> Self {
    Self(reach: .game, trustsMemory: false) { edit in try edit.take(content, from: source) }
  }
}

extension PlayerEdit {
  fileprivate func take(_ content: PlayerContent, from source: String?) throws -> PlayerChangeOutcome<PlayerCopyOutcome> {
    let fresh = try reset()
    let terms = view.terms
    let lines = content.lines.map { entry in PlayerLine(entry: entry, retained: entry.event.flatMap { terms.linesMax(of: $0) }) }
    var write = PlayerWrite(
      state: content.state, lines: content.state == nil ? [] : lines, ledger: content.ledger, clock: content.clock)
    write.at = change.now
    if !change.isDryRun {
      if view.stored.isUnknown { try service.rates.countUnknownPlayer(by: change.author.uid) }
      try service.rates.countGrowth(bytes: write.growth(over: fresh.player), by: change.author.uid)
    }
    guard let stored = try transaction.write(write, of: id, over: fresh.player) else {
      throw ChangeRefusal.store(.failed("a player of \(id.game) has another revision than was just read"))
    }
    let copied = PlayerCopyOutcome(
      removed: fresh.outcome, historyEntries: write.lines.count, settings: content.state?.settings.count ?? 0,
      transactions: content.ledger?.transactions.count ?? 0)
    var line = line(.playerCopied)
    line.detail = [
      "from_player": source.map(Value.string) ?? .null, "history_entries": .integer(Int64(copied.historyEntries)),
      "settings": .integer(Int64(copied.settings)), "transactions": .integer(Int64(copied.transactions)),
    ]
    try transaction.append(line)
    return PlayerChangeOutcome(outcome: copied, player: stored)
  }
}

extension AuditAction {
  /// A player's data was replaced by another's, or by a file's.
  public static let playerCopied = AuditAction(.playerCopied)
}
