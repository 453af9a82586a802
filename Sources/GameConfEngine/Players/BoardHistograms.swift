// The number of players above a score, for lists that are too long to be counted each time.
internal import GameConfCore
package import GameConfStorage
internal import Synchronization

/// The histograms of lists that were asked for lately.
///
/// Each looks at every row of its list, so one is made at a time, however many lists are asked for: the other readers of the store stay free.
/// Whoever asks for a list whose histogram is coming waits for that one.
public final class BoardHistograms: Sendable {
  private typealias Computation = Task<Result<BoardHistogram, StoreError>, Never>

  private enum Entry {
    case known(BoardHistogram, madeAt: Instant)
    case coming(Computation)
  }

  private struct Storage {
    var entries: [BoardList: Entry] = [:]
    /// The lists, the one that was begun last at the end.
    var order: [BoardList] = []
    /// The one that was asked for last, behind which the next waits; nil when none is being made.
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

    mutating func end(_ list: BoardList, _ entry: Entry?, number: Int) {
      if last?.number == number { last = nil }
      entries[list] = entry
      if entry == nil { order.removeAll { $0 == list } }
      // The oldest go first. One that is coming stays: who asks for it must not begin another.
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
  private let held = Mutex(Storage())

  /// None yet.
  /// - Parameter deadlineMilliseconds: how long one may wait for those before it and be made.
  package init(store: any Store, deadlineMilliseconds: Int = BoardLimits.histogramDeadlineMilliseconds) {
    self.store = store
    self.deadlineMilliseconds = deadlineMilliseconds
  }

  /// The number of histograms that are requested and not made yet.
  var comingCount: Int {
    held.withLock { held in
      held.entries.values.count { entry in if case .coming = entry { true } else { false } }
    }
  }

  /// A list's histogram, at most ``BoardLimits/histogramMilliseconds`` old.
  /// - Throws: ``StoreError``; `.late` when those before it took as long as it may take.
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
    let asked = ContinuousClock.now
    return Task {
      var deadline = deadlineMilliseconds
      if let before {
        _ = await before.value
        deadline -= Int((ContinuousClock.now - asked) / .milliseconds(1))
      }
      let result: Result<BoardHistogram, StoreError>
      do throws(StoreError) {
        guard deadline > 0 || before == nil else { throw .late }
        result = .success(try await store.read(deadlineMilliseconds: deadline) { view in try view.histogram(of: list) })
      } catch { result = .failure(error) }
      // It is as old as the question: what was read is younger.
      held.withLock { held in held.end(list, (try? result.get()).map { .known($0, madeAt: now) }, number: number) }
      return result
    }
  }
}
