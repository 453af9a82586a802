// Tests the metrics as Prometheus reads them.

import CoreMetrics
import Testing

@testable import GameConfHTTP
@testable import GameConfServer

@Suite("Metrics")
struct MetricsTests {
  private static func text(_ metrics: PrometheusMetrics) -> String {
    var text = PrometheusText()
    metrics.write(to: &text)
    return text.text
  }

  @Test("measurements through swift-metrics appear in the metrics text, with sums and buckets")
  func kinds() throws {
    let metrics = PrometheusMetrics()
    Counter(label: "gameconf_writes_total", dimensions: [("outcome", "kept")], factory: metrics).increment(by: 3)
    Counter(label: "gameconf_writes_total", dimensions: [("outcome", "kept")], factory: metrics).increment()
    Counter(label: "gameconf_writes_total", dimensions: [("outcome", "lost")], factory: metrics).increment(by: 0)
    Meter(label: "gameconf_depth", factory: metrics).set(2.5)
    Recorder(label: "gameconf_last", aggregate: false, factory: metrics).record(-7)
    let recorder = Recorder(label: "gameconf_turns", factory: metrics)
    for count in [1, 1, 3, 5_000] { recorder.record(count) }
    Timer(label: "gameconf_wait_seconds", factory: metrics).recordNanoseconds(1_500_000)
    let read = try PrometheusReading(Self.text(metrics))
    #expect(read.sample("gameconf_writes_total", ["outcome": "kept"]) == 4)
    #expect(read.sample("gameconf_writes_total", ["outcome": "lost"]) == 0)
    #expect(read.sample("gameconf_depth") == 2.5)
    #expect(read.sample("gameconf_last") == -7)
    #expect(read.sample("gameconf_turns_bucket", ["le": "1"]) == 2)
    #expect(read.sample("gameconf_turns_bucket", ["le": "1024"]) == 3)
    #expect(read.sample("gameconf_turns_bucket", ["le": "+Inf"]) == 4)
    #expect(read.sample("gameconf_turns_sum") == 5_005)
    #expect(read.sample("gameconf_wait_seconds_bucket", ["le": "0.001"]) == 0)
    #expect(read.sample("gameconf_wait_seconds_bucket", ["le": "0.0025"]) == 1)
    #expect(read.sample("gameconf_wait_seconds_sum") == 0.0015)
    #expect(read.families.dropLast().map(\.name) == read.families.dropLast().map(\.name).sorted())
  }

  @Test("a metric's label value is escaped in the text for Prometheus", arguments: ["plain", "a\"b", "a\\b", "a\nb", "\\n", "ü,}{= "])
  func escapes(value: String) throws {
    let metrics = PrometheusMetrics()
    Counter(label: "gameconf_things_total", dimensions: [("what", value)], factory: metrics).increment()
    #expect(try PrometheusReading(Self.text(metrics)).sample("gameconf_things_total", ["what": value]) == 1)
  }

  @Test(
    "a measurement with a dimension whose value clients can choose creates no time series",
    arguments: [[("player", "p1")], [("key", "dart_size")], [("game", "a"), ("uid", "0")], [("game", "a"), ("game", "b")]])
  func refusedLabels(dimensions: [(String, String)]) throws {
    let metrics = PrometheusMetrics()
    Counter(label: "gameconf_things_total", dimensions: dimensions, factory: metrics).increment()
    let read = try PrometheusReading(Self.text(metrics))
    #expect(read.families.map(\.name) == ["gameconf_metrics_refused_total"])
    #expect(read.sample("gameconf_metrics_refused_total") == 1)
  }

  @Test("time series and metric families beyond their limits are dropped, while existing ones continue to count")
  func limits() throws {
    let metrics = PrometheusMetrics()
    for n in 0...PrometheusMetrics.seriesMax {
      Counter(label: "gameconf_things_total", dimensions: [("what", String(n))], factory: metrics).increment()
    }
    for n in 1...PrometheusMetrics.familiesMax { Meter(label: "gameconf_m\(n)", factory: metrics).set(1) }
    Counter(label: "gameconf_things_total", dimensions: [("what", "0")], factory: metrics).increment()
    let read = try PrometheusReading(Self.text(metrics))
    #expect(read.families.first { $0.name == "gameconf_things_total" }?.samples.count == PrometheusMetrics.seriesMax)
    #expect(read.sample("gameconf_things_total", ["what": "0"]) == 2)
    // The maximum of families, plus the family that counts dropped measurements.
    #expect(read.families.count == PrometheusMetrics.familiesMax + 1)
    #expect(read.sample("gameconf_metrics_refused_total") == 2)
  }

  @Test("a metric name that is used for one kind of metric cannot be used for another kind")
  func kindClash() throws {
    let metrics = PrometheusMetrics()
    Counter(label: "gameconf_things_total", factory: metrics).increment()
    Meter(label: "gameconf_things_total", factory: metrics).set(5)
    let read = try PrometheusReading(Self.text(metrics))
    #expect(read.sample("gameconf_things_total") == 1)
    #expect(read.sample("gameconf_metrics_refused_total") == 1)
  }

  @Test("requests, connections and evaluations are counted in the metrics, including those of answers that were encoded in advance")
  func server() throws {
    let games = try EmbeddedGames([.served("cave")], at: "2026-01-01T12:00:00Z")
    for target in ["/v1/games/cave/config/first", "/v1/games/cave/config/first", "/v1/games/cave/config/title", "/v1/nothing"] {
      _ = try games.ask(target)
    }
    var counters = games.serving.counters
    counters.open[.games] = 1
    var text = PrometheusText()
    text.append(counters, games.tallies)
    let read = try PrometheusReading(text.text)
    #expect(read.sample("gameconf_requests_total", ["call": "value", "status": "200"]) == 3)
    #expect(read.sample("gameconf_requests_total", ["call": "none", "status": "404"]) == 1)
    #expect(read.sample("gameconf_ready_answers_total") == 2)
    #expect(read.sample("gameconf_request_duration_seconds_count") == 4)
    #expect(read.sample("gameconf_connections", ["socket": "games"]) == 1)
    #expect(read.sample("gameconf_evaluations_total", ["game": "cave", "source": "default"]) == 3)
  }

  @Test(
    "the strict Prometheus parser of these tests refuses malformed text",
    arguments: [
      "a 1", "a 1\n", "# TYPE a gauge\na{b=\"c} 1\n", "# TYPE a gauge\na{b=\"\\q\"} 1\n", "# TYPE a gauge\na x\n",
      "# TYPE a gauge\na 1\na 1\n", "# TYPE a gauge\nb 1\n", "# TYPE a gauge\n# TYPE a gauge\na 1\n", "# TYPE a counter\na 1\n",
      "# TYPE 1a gauge\n1a 1\n", "# TYPE a gauge\na{1b=\"c\"} 1\n", "# HELP b x\n# TYPE a gauge\na 1\n", "# TYPE a gauge\n\na 1\n",
      "# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 1\n",
      "# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n",
      "# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_count 1\n",
    ])
  func strict(text: String) {
    #expect(throws: PrometheusReading.Fault.self) { try PrometheusReading(text) }
  }
}
