// The values of swift-metrics' counters, gauges and histograms, one object for each time series.

internal import CoreMetrics
internal import Synchronization

final class CounterSeries: CounterHandler {
  private let count = Atomic<UInt64>(0)

  var value: UInt64 { count.load(ordering: .relaxed) }

  func increment(by amount: Int64) {
    if amount > 0 { count.wrappingAdd(UInt64(amount), ordering: .relaxed) }
  }

  func reset() { count.store(0, ordering: .relaxed) }
}

final class GaugeSeries: MeterHandler, RecorderHandler {
  private let held = Mutex(0.0)

  var value: Double { held.withLock { $0 } }

  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { held.withLock { $0 = value } }
  func increment(by amount: Double) { held.withLock { $0 += amount } }
  func decrement(by amount: Double) { held.withLock { $0 -= amount } }
  func record(_ value: Int64) { set(Double(value)) }
  func record(_ value: Double) { set(value) }
}

/// The time series of a histogram: the number of recorded values in each bucket.
final class HistogramSeries: RecorderHandler, TimerHandler {
  struct HistogramCounts: Sendable {
    var buckets: [UInt64]
    var sum = 0.0
  }

  let bounds: [Double]
  private let held: Mutex<HistogramCounts>

  init(bounds: [Double]) {
    self.bounds = bounds
    held = Mutex(HistogramCounts(buckets: [UInt64](repeating: 0, count: bounds.count + 1)))
  }

  var counts: HistogramCounts { held.withLock { $0 } }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    if value.isNaN { return }
    let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
    held.withLock { counts in
      counts.buckets[bucket] += 1
      counts.sum += value
    }
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
}
