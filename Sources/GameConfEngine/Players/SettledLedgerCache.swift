// Ledgers with what came due since their last write: kept for the next read, so that years of renewals are not gone through at each.
public import GameConfCore
public import GameConfStorage
internal import Synchronization

/// Settled ledgers of players who were read lately.
///
/// A ledger says what it was at its last write; what came due since follows from it and the instant. Where that is much, the outcome is kept
/// beside the player as long as the player is the same, and goes on from there: one step or a hundred give the same ledger.
public final class SettledLedgerCache: Sendable {
  /// About how many bytes of memory all of them may take.
  public static let bytesMax = 16 << 20
  /// The number of log entries from which a ledger is worth keeping.
  static let entriesMin = 8

  private struct SettledLedger {
    var base: Ledger
    var settled: Ledger
  }

  private struct Storage {
    var kept = LRUCache<PlayerID, SettledLedger>(costMax: bytesMax)
    var reuses = 0
  }

  private let held = Mutex(Storage())

  /// Those of this process.
  public static let shared = SettledLedgerCache()

  /// Nothing is kept yet.
  init() {}

  /// The number of times that a kept one was continued from.
  var reuses: Int { held.withLock { $0.reuses } }

  /// The ledger with all that came due until an instant.
  public func settled(_ ledger: Ledger, of id: PlayerID, at now: Instant) -> Ledger {
    guard let due = ledger.nextDueAt, due <= now else { return ledger.settled(at: now) }
    let earlier: Ledger? = held.withLock { held in
      guard let kept = held.kept.value(of: id), kept.settled.settledUntil <= now, kept.base.isSame(as: ledger) else { return nil }
      held.reuses += 1
      return kept.settled
    }
    let settled = (earlier ?? ledger).settled(at: now)
    let isGrown = settled.logCount != (earlier ?? ledger).logCount
    if isGrown, settled.logCount - ledger.logCount >= Self.entriesMin {
      held.withLock { $0.kept.set(SettledLedger(base: ledger, settled: settled), for: id, cost: settled.cost + ledger.cost) }
    }
    return settled
  }
}

extension Ledger {
  /// True if nothing was written between the two; what a player bought and what happened is counted and never taken back.
  fileprivate func isSame(as other: Ledger) -> Bool {
    settledUntil == other.settledUntil && logCount == other.logCount && transactionCount == other.transactionCount
      && transactions.count == other.transactions.count && self == other
  }

  /// About how many bytes of memory it takes.
  var cost: Int { 1_024 + 512 * transactions.count + 256 * log.count + 64 * partners.count }
}
