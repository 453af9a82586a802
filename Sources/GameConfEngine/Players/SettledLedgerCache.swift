// A cache of ledgers with the events due since their last write, so that years of renewals are not computed at each read.
public import GameConfCore
public import GameConfStorage
internal import Synchronization

/// A cache of settled ledgers of recently read players.
///
/// A stored ledger has the state of its last write. The events due since then are computed from the stored ledger and the instant of the
/// read. If the events are many, the computed ledger is cached while the stored one stays unchanged, and later reads continue from the
/// cached ledger: one step or many give the same ledger.
public final class SettledLedgerCache: Sendable {
  /// The approximate size of the cache in bytes.
  public static let bytesMax = 16 << 20
  /// The minimum number of log entries of a cached ledger.
  static let entriesMin = 8

  private struct SettledLedger {
    var base: Ledger
    var settled: Ledger
  }

  private struct CachedLedgers {
    var cached = LRUCache<PlayerID, SettledLedger>(costMax: bytesMax)
    var reuses = 0
  }

  private let held = Mutex(CachedLedgers())

  /// The common cache of this process, which every ``PlayerView`` uses.
  public static let shared = SettledLedgerCache()

  init() {}

  /// The number of reads that continued from a cached ledger.
  var reuses: Int { held.withLock { $0.reuses } }

  /// Returns the ledger with all events due until an instant, continuing from the cached ledger if there is one.
  public func settled(_ ledger: Ledger, of id: PlayerID, at now: Instant) -> Ledger {
    guard let due = ledger.nextDueAt, due <= now else { return ledger.settled(at: now) }
    let earlier: Ledger? = held.withLock { held in
      guard let cached = held.cached.value(of: id), cached.settled.settledUntil <= now, cached.base.isSame(as: ledger) else { return nil }
      held.reuses += 1
      return cached.settled
    }
    let settled = (earlier ?? ledger).settled(at: now)
    let isGrown = settled.logCount != (earlier ?? ledger).logCount
    if isGrown, settled.logCount - ledger.logCount >= Self.entriesMin {
      held.withLock { $0.cached.set(SettledLedger(base: ledger, settled: settled), for: id, cost: settled.cost + ledger.cost) }
    }
    return settled
  }
}

extension Ledger {
  /// True if the two ledgers are equal. The counters are compared first, because they only rise and cost less than the whole ledgers.
  fileprivate func isSame(as other: Ledger) -> Bool {
    settledUntil == other.settledUntil && logCount == other.logCount && transactionCount == other.transactionCount
      && transactions.count == other.transactions.count && self == other
  }

  /// The approximate size in memory, in bytes.
  var cost: Int { 1_024 + 512 * transactions.count + 256 * log.count + 64 * partners.count }
}
