// A cache of histograms, which estimate ranks on leaderboard lists that are too long to count.
internal import GameConfCore
package import GameConfStorage
internal import Synchronization

/// A cache of the score histograms of recently requested leaderboard lists.
///
/// To compute a histogram, the whole list is read. Only one is computed at a time, so that the store's other reader thread stays free.
/// Requests for a list whose histogram is being computed wait for it.
public final class BoardHistograms: Sendable {
  private typealias Computation = Task<Result<BoardHistogram, StoreError>, Never>

  private enum CachedHistogram {
    case known(BoardHistogram, madeAt: Instant)
    case coming(Computation)
  }

  private struct HistogramCache {
    var entries: [BoardList: CachedHistogram] = [:]
    /// The lists of ``entries``, in the order in which the computations of their histograms began.
    var order: [BoardList] = []
    /// The last queued computation, which the next one waits for; nil if no computation runs.
    var last: (making: Computation, number: Int)?
    var lastNumber = 0

    mutating func begin(_ list: BoardList, _ make: (_ before: Computation?, _ number: Int) -> Computation) -> Computation {
      lastNumber += 1
      let making = make(last?.making, lastNumber)
      last = (making, lastNumber)
      entries[list] = .coming(making)
      order.removeAll { $0 == list }
      order.append(list)
      return making
    }

    mutating func end(_ list: BoardList, _ entry: CachedHistogram?, number: Int) {
      if last?.number == number { last = nil }
      entries[list] = entry
      if entry == nil { order.removeAll { $0 == list } }
      // Evicts the oldest results. A running computation stays, so that requests for it do not begin another.
      var at = 0
      while order.count > BoardLimits.histogramsMax, at < order.count {
        guard case .known? = entries[order[at]] else {
          at += 1
          continue
        }
        entries[order.remove(at: at)] = nil
      }
    }
  }

  private let store: any Store
  private let deadlineMilliseconds: Int
  private let held = Mutex(HistogramCache())

  /// Creates an empty cache.
  /// - Parameter deadlineMilliseconds: The timeout of a computation, including its wait in the queue.
  package init(store: any Store, deadlineMilliseconds: Int = BoardLimits.histogramDeadlineMilliseconds) {
    self.store = store
    self.deadlineMilliseconds = deadlineMilliseconds
  }

  /// The number of histograms that are queued or being computed.
  var comingCount: Int {
    held.withLock { held in
      held.entries.values.count { entry in if case .coming = entry { true } else { false } }
    }
  }

  /// Returns a list's histogram, at most ``BoardLimits/histogramMilliseconds`` old.
  /// - Throws: ``StoreError``; `.late` if earlier computations took the whole timeout.
  func histogram(of list: BoardList, now: Instant) async throws(StoreError) -> BoardHistogram {
    let (known, coming) = held.withLock { held -> (BoardHistogram?, Computation?) in
      switch held.entries[list] {
      case .known(let histogram, let madeAt)?
      where abs(now.milliseconds - madeAt.milliseconds) < BoardLimits.histogramMilliseconds:
        return (histogram, nil)
      case .coming(let making)?: return (nil, making)
      default: return (nil, held.begin(list) { before, number in make(list, now: now, after: before, number: number) })
      }
    }
    if let known { return known }
    guard let coming else { throw .failed("a histogram is neither there nor coming") }
    return try await coming.value.get()
  }

  private func make(_ list: BoardList, now: Instant, after before: Computation?, number: Int) -> Computation {
    let requestedAt = ContinuousClock.now
    return Task {
      var deadline = deadlineMilliseconds
      if let before {
        _ = await before.value
        deadline -= Int((ContinuousClock.now - requestedAt) / .milliseconds(1))
      }
      let result: Result<BoardHistogram, StoreError>
      do throws(StoreError) {
        guard deadline > 0 || before == nil else { throw .late }
        result = .success(try await store.read(deadlineMilliseconds: deadline) { view in try view.histogram(of: list) })
      } catch { result = .failure(error) }
      // A histogram's age counts from the request, which precedes the read, so that a histogram never seems newer than its rows.
      held.withLock { held in held.end(list, (try? result.get()).map { .known($0, madeAt: now) }, number: number) }
      return result
    }
  }
}
