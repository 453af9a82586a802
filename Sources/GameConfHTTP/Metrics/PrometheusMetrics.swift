// The backend of swift-metrics. It stores all time series, and writes them when Prometheus scrapes.

public import CoreMetrics
internal import Synchronization

/// The factory from which swift-metrics gets its counters, gauges and histograms.
///
/// ```swift
/// let metrics = PrometheusMetrics()
/// MetricsSystem.bootstrap(metrics)
/// ```
///
/// A metric's label is the name of its family. Only the dimensions in ``labelsAdmitted`` create time series. Text from clients, such as a
/// player's id, can therefore never create time series without limit. Measurements beyond the limits are dropped and counted.
public final class PrometheusMetrics: MetricsFactory {
  /// The names of the dimensions that may create time series.
  public static let labelsAdmitted: Set<String> = ["call", "status", "game", "source", "socket", "outcome", "what", "condition", "rule"]
  /// The maximum number of metric families. Measurements of further families are dropped.
  public static let familiesMax = 256
  /// The maximum number of time series in a family. Measurements of further series are dropped.
  public static let seriesMax = 1_024
  /// The upper bounds of the buckets of histograms in seconds, whose families are named `…_seconds`.
  static let secondsBounds = [0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
  /// The upper bounds of the buckets of histograms whose families are not in seconds.
  static let countBounds = [1.0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024]

  private enum Series {
    case counter(CounterSeries)
    case gauge(GaugeSeries)
    case histogram(HistogramSeries)

    var kind: PrometheusText.Kind {
      switch self {
      case .counter: .counter
      case .gauge: .gauge
      case .histogram: .histogram
      }
    }
  }

  private struct Family {
    let kind: PrometheusText.Kind
    var series: [String: (labels: [(String, String)], series: Series)] = [:]
  }

  private let families = Mutex<[String: Family]>([:])
  private let refused = CounterSeries()

  /// Creates a backend without time series.
  public init() {}

  /// Returns the counter of a label and dimensions. Its family's name ends in `_total`.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    let made = CounterSeries()
    if case .counter(let series)? = series(label, dimensions, .counter(made)) { return series }
    return made
  }

  /// Returns the gauge of a label and dimensions. The first call creates it.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    let made = GaugeSeries()
    if case .gauge(let series)? = series(label, dimensions, .gauge(made)) { return series }
    return made
  }

  /// Returns the histogram of a label and dimensions, or the gauge if `aggregate` is false.
  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    if !aggregate {
      let made = GaugeSeries()
      if case .gauge(let series)? = series(label, dimensions, .gauge(made)) { return series }
      return made
    }
    return histogram(label, dimensions)
  }

  /// Returns the histogram of a label and dimensions, in seconds.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { histogram(label, dimensions) }

  /// Does nothing: a series must not restart from zero between two scrapes.
  public func destroyCounter(_ handler: any CounterHandler) {}
  /// Does nothing: a series must not restart from zero between two scrapes.
  public func destroyMeter(_ handler: any MeterHandler) {}
  /// Does nothing: a series must not restart from zero between two scrapes.
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Does nothing: a series must not restart from zero between two scrapes.
  public func destroyTimer(_ handler: any TimerHandler) {}

  private func histogram(_ label: String, _ dimensions: [(String, String)]) -> HistogramSeries {
    let made = HistogramSeries(bounds: label.hasSuffix("_seconds") ? Self.secondsBounds : Self.countBounds)
    if case .histogram(let series)? = series(label, dimensions, .histogram(made)) { return series }
    return made
  }

  /// Returns the stored time series, or stores the new one and returns it. Returns nil if a limit is reached or a dimension is not
  /// admitted.
  private func series(_ label: String, _ dimensions: [(String, String)], _ made: Series) -> Series? {
    let name = PrometheusText.name(label)
    let labels = dimensions.sorted { $0.0 < $1.0 }
    guard labels.allSatisfy({ Self.labelsAdmitted.contains($0.0) }), Set(labels.map(\.0)).count == labels.count else {
      refused.increment(by: 1)
      return nil
    }
    let key = PrometheusText.rendered(labels)
    let found: Series? = families.withLock { families in
      if let found = families[name]?.series[key] { return found.series.kind == made.kind ? found.series : nil }
      var family = families[name] ?? Family(kind: made.kind)
      guard family.kind == made.kind, family.series.count < Self.seriesMax, families.count < Self.familiesMax || !family.series.isEmpty
      else { return nil }
      family.series[key] = (labels, made)
      families[name] = family
      return made
    }
    if found == nil { refused.increment(by: 1) }
    return found
  }

  /// Writes all metric families, sorted by name.
  func write(to text: inout PrometheusText) {
    let families = families.withLock { $0 }
    for (name, family) in families.sorted(by: { $0.key < $1.key }) {
      text.family(name, family.kind, MetricHelp.sentences[name] ?? "")
      for (_, each) in family.series.sorted(by: { $0.key < $1.key }) {
        switch each.series {
        case .counter(let counter): text.sample(name, by: each.labels, Double(counter.value))
        case .gauge(let gauge): text.sample(name, by: each.labels, gauge.value)
        case .histogram(let histogram):
          let counts = histogram.counts
          text.histogram(name, each.labels, bounds: histogram.bounds, counts: counts.buckets, sum: counts.sum)
        }
      }
    }
    text.family("gameconf_metrics_refused_total", .counter, "Series that are not recorded because they exceed a limit.")
    text.sample("gameconf_metrics_refused_total", Double(refused.value))
  }
}

/// The help texts of metric families that other modules measure.
enum MetricHelp {
  static let sentences = [
    "gameconf_store_turns_total":
      "Changes passed to the writer, by outcome: “kept” if stored, “undone” if refused by their own rules or a dry run, or “failed”.",
    "gameconf_store_commit_duration_seconds": "Time from the beginning of a batch until it was durable.",
    "gameconf_store_batch_turns": "Changes in one commit.",
    "gameconf_store_turn_waits_total":
      "Round trips to PostgreSQL beyond the two of each commit: many if hosts change the same players; always 0 with SQLite.",
    "gameconf_events_refused_total": "Events that were refused, by game and rule: EVENT.CHECK, or the problem's code.",
    "gameconf_events_total": "Events that games sent, by outcome: recorded, repeated (recorded before) or refused.",
    "gameconf_ad_decisions_total": "Decisions about ads after an event, by outcome: show, or the reason for no ad.",
    "gameconf_ad_reports_total": "Reports of games about ads, by outcome.",
    "gameconf_purchases_total": "Simulated purchases, by outcome.",
  ]
}
