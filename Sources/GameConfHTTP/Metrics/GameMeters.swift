// Counts the events, ads and purchases of games by their outcomes.

internal import CoreMetrics
internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import Synchronization

/// The counters of events, ads and purchases. All series exist from the start, so that Prometheus sees their first increase.
final class GameMeters: Sendable {
  /// The maximum number of rules of one game that have their own count of refusals. Refusals by further rules count as `other`.
  static let rulesMax = 128

  private struct RefusedEventCount {
    var count: Int64 = 0
    let counter: Counter
  }

  private let recorded = Counter(label: "gameconf_events_total", dimensions: [("outcome", "recorded")])
  private let repeated = Counter(label: "gameconf_events_total", dimensions: [("outcome", "repeated")])
  private let refused = Counter(label: "gameconf_events_total", dimensions: [("outcome", "refused")])
  private let shows = Counter(label: "gameconf_ad_decisions_total", dimensions: [("outcome", "show")])
  private let refusals: [AdRefusal: Counter]
  private let refusedByRule = Mutex<[String: [String: RefusedEventCount]]>([:])
  private let reports: [AdOutcome: Counter]
  private let purchases: [ShopOutcome.Status: Counter]

  init() {
    func counters<Outcome: CaseIterable & RawRepresentable & Hashable>(_ label: String) -> [Outcome: Counter]
    where Outcome.RawValue == String {
      Dictionary(uniqueKeysWithValues: Outcome.allCases.map { ($0, Counter(label: label, dimensions: [("outcome", $0.rawValue)])) })
    }
    refusals = counters("gameconf_ad_decisions_total")
    reports = counters("gameconf_ad_reports_total")
    purchases = counters("gameconf_purchases_total")
  }

  func count(_ result: Result<PlayerChangeOutcome<EventOutcome>, ChangeRefusal>, in game: String) {
    switch result {
    case .success(let changed) where changed.isRepeat: repeated.increment()
    case .success(let changed):
      recorded.increment()
      for ad in changed.outcome.ads {
        if ad.shows { shows.increment() } else if let refusal = ad.refusal { refusals[refusal]?.increment() }
      }
    case .failure(.alreadyDone): repeated.increment()
    case .failure(let refusal):
      refused.increment()
      count(refusalBy: refusal.rule, in: game)
    }
  }

  private func count(refusalBy rule: String, in game: String) {
    refusedByRule.withLock { games in
      let known = games[game] ?? [:]
      let rule = known[rule] == nil && known.count >= Self.rulesMax ? "other" : rule
      var refusals =
        known[rule]
        ?? RefusedEventCount(counter: Counter(label: "gameconf_events_refused_total", dimensions: [("game", game), ("rule", rule)]))
      refusals.count += 1
      refusals.counter.increment()
      games[game, default: [:]][rule] = refusals
    }
  }

  /// Returns the number of a game's refused events since the daemon's start, by the rule that refused them.
  func refusedEvents(of game: String) -> [String: Int64] {
    refusedByRule.withLock { $0[game]?.mapValues(\.count) ?? [:] }
  }

  func count(_ outcome: AdOutcome) { reports[outcome]?.increment() }

  func count(purchase status: ShopOutcome.Status) { purchases[status]?.increment() }
}

extension ChangeRefusal {
  /// The name of the rule that refused an event: the catalog's check as `EVENT.CHECK`, or the problem's code.
  fileprivate var rule: String {
    if case .refused(let refusal) = self { return refusal.rule ?? refusal.code.rawValue }
    return Problem(self).code?.rawValue ?? "other"
  }
}
