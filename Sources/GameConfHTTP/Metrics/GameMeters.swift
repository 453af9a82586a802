// What games tell and are told, counted by what came of it.

internal import CoreMetrics
internal import GameConfCore
internal import GameConfEngine

/// The counters of events, ads and purchases; each series is there from the start, so that a rate of it begins at 0.
struct GameMeters: Sendable {
  private let recorded = Counter(label: "gameconf_events_total", dimensions: [("outcome", "recorded")])
  private let repeated = Counter(label: "gameconf_events_total", dimensions: [("outcome", "repeated")])
  private let refused = Counter(label: "gameconf_events_total", dimensions: [("outcome", "refused")])
  private let shows = Counter(label: "gameconf_ad_decisions_total", dimensions: [("outcome", "show")])
  private let refusals: [AdRefusal: Counter]
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

  /// Counts what an event came to.
  func count(_ result: Result<PlayerChanged<EventOutcome>, PlayerRefusal>) {
    switch result {
    case .success(let changed) where changed.isRepeat: repeated.increment()
    case .success(let changed):
      recorded.increment()
      for ad in changed.outcome.ads {
        if ad.shows { shows.increment() } else if let refusal = ad.refusal { refusals[refusal]?.increment() }
      }
    case .failure(.alreadyDone): repeated.increment()
    case .failure: refused.increment()
    }
  }

  /// Counts what became of an ad.
  func count(_ outcome: AdOutcome) { reports[outcome]?.increment() }

  /// Counts what came of a purchase.
  func count(purchase status: ShopOutcome.Status) { purchases[status]?.increment() }
}
