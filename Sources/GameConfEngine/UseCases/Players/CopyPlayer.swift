// Makes a player what another is, or was elsewhere.
public import GameConfCore
public import GameConfStorage

/// The stored content of a player, in a form that another player can take.
public struct PlayerContent: Sendable {
  /// The player's state.
  public var state: PlayerState?
  /// The simulated purchases.
  public var ledger: Ledger?
  /// The time by which the player is ahead of the game.
  public var clock = PlayerClock.game
  /// The history, the oldest line first.
  public var lines: [HistoryEntry] = []

  /// Nothing yet.
  public init() {}
}

/// The outcome for a player who is a copy.
public struct PlayerCopyOutcome: Sendable {
  /// The content that was removed before.
  public var removed: PlayerResetOutcome
  /// The number of lines of history that the player has now.
  public var historyEntries: Int
  /// The number of settings.
  public var settings: Int
  /// The number of transactions.
  public var transactions: Int
}

extension PlayerAct<PlayerCopyOutcome> {
  /// Replaces all that is stored of a player by what was stored of another: scores, counters, history, settings, context, ads, purchases, how the
  /// store behaves, and the clock.
  ///
  /// The player is made new first, as by ``PlayerAct/reset``, which removes overrides and so reaches the game. Bests and rows of leaderboards, plays, and what is done of the queues of clients do not
  /// come along: those belong to the other player's devices.
  /// - Parameter source: The player whose content it is, for the audit log; nil for a file's.
  public static func copy(_ content: PlayerContent, from source: String?) -> Self {
    Self(reach: .game, trustsMemory: false) { edit in try edit.take(content, from: source) }
  }
}

extension PlayerEdit {
  fileprivate func take(_ content: PlayerContent, from source: String?) throws -> PlayerChangeOutcome<PlayerCopyOutcome> {
    let fresh = try reset()
    let terms = view.terms
    let lines = content.lines.map { entry in PlayerLine(entry: entry, kept: entry.event.flatMap { terms.historyKept(of: $0) }) }
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
  /// A player was made a copy of another, or of what a file has.
  public static let playerCopied = AuditAction(.playerCopied)
}
