// The shipped dashboard and alert rules against the metrics of a running daemon.

import GameConfCore
import Glibc
import Testing

/// Checks the files for Grafana and Prometheus against a running daemon's metrics.
@Suite("The dashboard and the alert rules")
struct DashboardTests {
  @Test("the dashboard and alert rules use only series and labels that exist, and promtool accepts them")
  func series() throws {
    let panels = try Self.panels()
    let expressions = panels.flatMap(\.expressions)
    let alerts = try Self.alerts()
    #expect(expressions.count > 20 && alerts.count > 10)
    for panel in panels { #expect(panel.description.count > 20, "the panel “\(panel.title)” says what it shows") }

    let daemon = try RunningDaemon()
    let player = TestPlayer(daemon: daemon)
    _ = try player.event(score: 5)
    _ = try daemon.ask("GET", "/v1/games")
    _ = try daemon.ask("GET", "/v1/nothing")
    let metrics = String(decoding: try daemon.ask("GET", "/metrics", admin: true).body, as: UTF8.self)
    let samples = metrics.split(separator: "\n").filter { !$0.hasPrefix("#") }
    for expression in expressions + alerts {
      for match in expression.matches(of: /((?:gameconf|process)_\w+)(?:\{([^}]*)\})?/) {
        let (name, matchers) = (match.output.1, match.output.2 ?? "")
        let labels = matchers.matches(of: /(\w+)(?:=~|!=|=)/).map(\.output.1).filter { $0 != "instance" }
        let grouped = expression.matches(of: /by \(([^)]*)\)/).flatMap { $0.output.1.split(separator: ", ") }.filter { $0 != "instance" }
        let isThere = samples.contains { sample in
          (sample.hasPrefix(name + "{") || sample.hasPrefix(name + " ")) && (labels + grouped).allSatisfy { sample.contains("\($0)=\"") }
        }
        #expect(isThere, "\(expression): nothing is called \(name) and has \(labels + grouped)")
      }
    }
    for line in metrics.split(separator: "\n") where line.hasPrefix("# TYPE ") {
      let name = line.split(separator: " ")[2]
      #expect(metrics.contains("# HELP \(name) "), "\(name) has no HELP")
    }
    try Self.promtool(daemon.folder, metrics: metrics, expressions: expressions)
  }

  /// Checks everything with Prometheus' own tool, if it is installed.
  private static func promtool(_ folder: TemporaryFolder, metrics: String, expressions: [String]) throws {
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    guard path.split(separator: ":").contains(where: { access("\($0)/promtool", X_OK) == 0 }) else {
      return print("SKIPPED: the alert rules were not played through, since there is no promtool (Debian's package prometheus)")
    }
    try folder.write(metrics, to: "metrics")
    let rules = expressions.enumerated().map { at, expression -> Value in
      let plain = expression.replacing("$instance", with: ".*").replacing("$__rate_interval", with: "5m")
      return ["record": .string("panel:\(at)"), "expr": .string(plain)]
    }
    try folder.write(JSONWriter.bytes(["groups": [["name": "panels", "rules": .list(rules)]]]), to: "panels.yaml")
    let system = Built.tree + "/Tests/System/"
    for command in [
      "check metrics < \(folder.path)/metrics", "check rules \(folder.path)/panels.yaml", "test rules \(system)alerts-test.yaml",
    ] {
      let ending = try ChildProcess("/bin/sh", ["-c", "promtool " + command]).waitForEnd()
      #expect(ending.status == 0, "promtool \(command): \(ending.output)\(ending.errors)")
    }
  }

  @Test("every alert rule fires in its promtool test")
  func played() throws {
    let rules = try Self.text("systemd/prometheus-alerts.yaml")
    let test = try Self.text("Tests/System/alerts-test.yaml")
    for match in rules.matches(of: /- alert: (\w+)/) {
      #expect(test.contains("{alertname=\"\(match.output.1)\"}"), "no day makes \(match.output.1) fire")
    }
  }

  private struct Panel {
    let title: String
    let description: String
    let expressions: [String]
  }

  private static func panels() throws -> [Panel] {
    let dashboard = try JSONReader.value(from: try text("systemd/grafana-dashboard.json"))
    return try (dashboard["panels"]?.listValue ?? []).map { panel in
      Panel(
        title: try #require(panel["title"]?.stringValue), description: panel["description"]?.stringValue ?? "",
        expressions: try (panel["targets"]?.listValue ?? []).map { try #require($0["expr"]?.stringValue) })
    }
  }

  private static func alerts() throws -> [String] {
    try text("systemd/prometheus-alerts.yaml").split(separator: "\n").compactMap { line in
      line.contains("expr: ") ? String(line.drop { $0 == " " }.dropFirst("expr: ".count)) : nil
    }
  }

  private static func text(_ name: String) throws -> String {
    String(decoding: try #require(TemporaryFolder.read(Built.tree + "/" + name)), as: UTF8.self)
  }
}
