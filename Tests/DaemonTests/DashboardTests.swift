// The dashboard for Grafana asks for what the daemon measures.

import GameConfCore
import Testing

/// Holds the shipped dashboard against a running daemon's metrics.
@Suite("The dashboard")
struct DashboardTests {
  @Test("asks only for series and labels that are there")
  func series() throws {
    let text = try #require(TemporaryFolder.read(Built.tree + "/systemd/grafana-dashboard.json"))
    let dashboard = try JSONReader.value(from: text)
    var expressions: [String] = []
    for panel in list(dashboard["panels"]) {
      for target in list(panel["targets"]) { expressions.append(try #require(target["expr"]?.stringValue)) }
    }
    #expect(expressions.count > 10)

    let daemon = try RunningDaemon()
    _ = try daemon.ask("GET", "/v1/games")
    let metrics = String(decoding: try daemon.ask("GET", "/metrics", admin: true).body, as: UTF8.self)
    for expression in expressions {
      let names = expression.matches(of: /(?:gameconf|process)_\w+/).map { String($0.output) }
      #expect(!names.isEmpty, "\(expression)")
      for name in names {
        #expect(metrics.contains("\n\(name){") || metrics.contains("\n\(name) "), "\(expression): nothing is called \(name)")
        for label in expression.matches(of: /sum by \((\w+)\)/).map({ String($0.output.1) }) {
          #expect(metrics.contains(try Regex("\\n\(name)\\{[^}]*\\b\(label)=")), "\(expression): \(name) has no label \(label)")
        }
      }
    }
  }

  private func list(_ value: Value?) -> [Value] {
    guard case .list(let values)? = value else { return [] }
    return values
  }
}
